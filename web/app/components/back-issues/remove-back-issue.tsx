import { Form } from '@remix-run/react'
import { countOf } from '#core/kernel/words.ts'
import { Button, LinkButton } from '../ui/button.tsx'
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

/** Asks in a window before a back issue is removed. */
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

/** The same question on the page itself, where no script runs. */
export function RemoveIssueQuestion({ issue }: RemoveProps) {
  return (
    <section aria-labelledby="remove-issue" className="card mb-5 max-w-2xl border-danger p-4 lg:p-5">
      <h2 id="remove-issue" className="text-h3">
        {questionOf(issue)}
      </h2>
      <div className="mt-2 text-body text-ink-2">
        <Consequences issue={issue} />
      </div>
      <Form method="post" action="/backIssues" className="mt-4 flex flex-wrap gap-3">
        <input type="hidden" name="id" value={issue.id} />
        <LinkButton to="/backIssues">Cancel</LinkButton>
        <Button type="submit" kind="danger">
          {confirmLabel}
        </Button>
      </Form>
    </section>
  )
}
