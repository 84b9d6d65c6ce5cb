import { useSearchParams, useSubmit } from '@remix-run/react'
import { useState } from 'react'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import { allMatching, maxSelected } from '#core/readers/reader-selection.input.ts'
import type { ShownList } from '#web/app/http/manage-data.ts'
import { Button, buttonClass, LinkButton } from '../ui/button.tsx'
import { ConfirmPanel } from '../ui/confirm-panel.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { DownloadLink } from '../ui/download-dialog.tsx'
import { withParams } from '../ui/link-params.ts'
import { SelectionBar } from './selection-bar.tsx'
import type { RowSelection } from './use-work-list.ts'

interface SelectedReadersProps {
  list: ShownList & { kind: 'readers' }
  publication: { id: number; publicationName: string }
  keys: readonly string[]
  selection: RowSelection
  isPending: boolean
}

/** Actions for the ticked readers: fix, export, remove. */
export function SelectedReaders({ list, publication, keys, selection, isPending }: SelectedReadersProps) {
  const [params] = useSearchParams()
  const submit = useSubmit()
  const [isConfirming, setConfirming] = useState(false)
  const q = params.get('q') ?? ''
  const { total } = list.page
  const count = selection.includesAllPages ? total : selection.selectedKeys.length
  const isTooMany = count > maxSelected
  const remove = () => {
    const selected = listFields(list, q, { count, chosen: selection.includesAllPages ? [] : selection.selectedKeys })
    submit({ ...selected, intent: 'remove-chosen' }, { method: 'post', preventScrollReset: true, replace: true })
    setConfirming(false)
  }
  // The link to the fix opens a preview of its changes. A whole list needs no reader ids.
  const chosen = selection.includesAllPages ? (q ? allMatching : null) : selection.selectedKeys.join(',')
  const query = new URLSearchParams(
    selection.includesAllPages ? (q ? { q } : {}) : { ids: selection.selectedKeys.join(',') },
  )
  return (
    <SelectionBar
      noun="reader"
      keys={keys}
      total={total}
      selection={selection}
      keyboard="J next, K previous, Enter view, X tick"
    >
      {list.fix && isTooMany && q && (
        <span className="text-table text-ink-2">
          {`At most ${formatCount(maxSelected)} readers of a filtered list can be fixed at a time: filter it further, or tick fewer.`}
        </span>
      )}
      {list.fix && !(isTooMany && q) && (
        <LinkButton to={withParams(params, { fix: list.fix, chosen })} size="small" preventScrollReset>
          {`Fix ${countOf(count, 'reader')}`}
        </LinkButton>
      )}
      <DownloadLink
        href={`/readers/${publication.id}/warnings/${list.key}?${query}`}
        dialogTitle={`Downloading ${list.label}`}
        about={publication.publicationName}
        className={buttonClass('secondary', 'small')}
      >
        {`Export ${countOf(count, 'reader')}`}
      </DownloadLink>
      <Button size="small" isPending={isPending} onClick={() => setConfirming(true)}>
        {`Remove ${countOf(count, 'reader')}`}
      </Button>
      <ConfirmDialog
        title={`Remove ${countOf(count, 'reader')}?`}
        text={<RemovalText isLong={isTooMany} />}
        confirmLabel={`Remove ${countOf(count, 'reader')}`}
        isOpen={isConfirming}
        isDangerous
        isPending={isPending}
        onConfirm={remove}
        onCancel={() => setConfirming(false)}
      />
    </SelectionBar>
  )
}

/** The fields that name the selected readers: by their ids, or as all of the list as it was shown. */
function listFields(
  list: SelectedReadersProps['list'],
  q: string,
  { count, chosen }: { count: number; chosen: readonly string[] },
): Record<string, string> {
  return { chosen: chosen.join(','), list: list.key, q, count: String(count), shownAt: list.shownAt }
}

function RemovalText({ isLong }: { isLong: boolean }) {
  return (
    <>
      <p>Are you sure you want to remove these Readers from the system?</p>
      <p className="mt-2">
        They are removed from every list and mailing, and their automatic renewals end. Orders and the ledger stay as
        they are. You can restore them together for 30 days, without their renewals.
      </p>
      {isLong && (
        <p className="mt-2">
          This takes a while, and you can stop it. Readers who were added or changed since this list was shown stay.
        </p>
      )}
    </>
  )
}

/** Without JavaScript nobody can be ticked, but the whole list can be removed: the link opens the confirmation on the page. */
export function RemoveListLink({ list }: { list: SelectedReadersProps['list'] }) {
  const [params] = useSearchParams()
  return (
    <noscript>
      <LinkButton to={withParams(params, { ask: 'remove-list' })} size="small">
        {`Remove all ${countOf(list.page.total, 'reader')}`}
      </LinkButton>
    </noscript>
  )
}

/** The confirmation of the removal of a whole list on the page itself, for browsers without JavaScript. */
export function RemoveListPanel({ list, back }: { list: SelectedReadersProps['list']; back: string }) {
  const [params] = useSearchParams()
  const { total } = list.page
  if (total === 0) return null
  return (
    <ConfirmPanel
      title={`Remove ${countOf(total, 'reader')}?`}
      confirmLabel={`Remove ${countOf(total, 'reader')}`}
      action={back}
      intent="remove-chosen"
      fields={listFields(list, params.get('q') ?? '', { count: total, chosen: [] })}
      cancelTo={back}
    >
      <RemovalText isLong={total > maxSelected} />
    </ConfirmPanel>
  )
}
