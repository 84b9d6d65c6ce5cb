import { countOf } from '#core/kernel/text-format.ts'
import { ConfirmPanel } from '../ui/confirm-panel.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'

interface RemoveProps {
  issue: { id: number; volume: string; sold: number }
}

const confirmLabel = 'Remove back issue'

function questionOf({ volume }: RemoveProps['issue']): string {
  return `Remove '${volume}'?`
}

function Consequences({ issue: { sold } }: RemoveProps) {
  const orders = sold === 0 ? '' : ` Past orders keep it: ${countOf(sold, 'copy was', 'copies were')} sold.`
  return (
    <p>Are you sure you want to remove this Back Issue? It goes off sale at once.{orders} This cannot be undone.</p>
  )
}

/** The confirmation dialog for removing a back issue. */
export function RemoveIssueDialog({
  issue,
  isPending,
  onConfirm,
  onCancel,
}: RemoveProps & { isPending: boolean; onConfirm: () => void; onCancel: () => void }) {
  return (
    <ConfirmDialog
      title={questionOf(issue)}
      text={<Consequences issue={issue} />}
      confirmLabel={confirmLabel}
      isOpen
      isDangerous
      isPending={isPending}
      onConfirm={onConfirm}
      onCancel={onCancel}
    />
  )
}

/** The confirmation question on the page itself, for browsers without JavaScript. */
export function RemoveIssueConfirmation({ issue }: RemoveProps) {
  return (
    <ConfirmPanel
      title={questionOf(issue)}
      confirmLabel={confirmLabel}
      action="/backIssues"
      id={issue.id}
      cancelTo="/backIssues"
    >
      <Consequences issue={issue} />
    </ConfirmPanel>
  )
}
