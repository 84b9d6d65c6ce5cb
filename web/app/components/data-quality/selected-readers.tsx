import { useSearchParams, useSubmit } from '@remix-run/react'
import { useState } from 'react'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import { allMatching, maxSelected } from '#core/readers/reader-selection.input.ts'
import type { ShownList } from '#web/app/http/manage-data.ts'
import { Button, buttonClass, LinkButton } from '../ui/button.tsx'
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
  const send = (fields: Record<string, string>) => {
    const selected: Record<string, string> = {
      chosen: selection.includesAllPages ? '' : selection.selectedKeys.join(','),
      list: list.key,
      q,
      count: String(count),
      shownAt: list.shownAt,
    }
    submit({ ...selected, ...fields }, { method: 'post', preventScrollReset: true, replace: true })
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
      {isTooMany && (
        <span className="text-table text-ink-2">
          {q
            ? `At most ${formatCount(maxSelected)} readers of a filtered list at a time: filter it further, or tick fewer.`
            : `At most ${formatCount(maxSelected)} readers can be removed at a time: filter the list, or tick fewer.`}
        </span>
      )}
      {list.fix && !(isTooMany && q) && (
        <LinkButton to={withParams(params, { fix: list.fix, chosen })} size="small" preventScrollReset>
          {`Fix ${countOf(count, 'reader')}`}
        </LinkButton>
      )}
      {!(isTooMany && q) && (
        <DownloadLink
          href={`/readers/${publication.id}/warnings/${list.key}?${query}`}
          dialogTitle={`Downloading ${list.label}`}
          about={publication.publicationName}
          className={buttonClass('secondary', 'small')}
        >
          {`Export ${countOf(count, 'reader')}`}
        </DownloadLink>
      )}
      {!isTooMany && (
        <Button size="small" isPending={isPending} onClick={() => setConfirming(true)}>
          {`Remove ${countOf(count, 'reader')}`}
        </Button>
      )}
      <ConfirmDialog
        title={`Remove ${countOf(count, 'reader')}?`}
        text={
          <>
            <p>Are you sure you want to remove these Readers from the system?</p>
            <p className="mt-2">
              They are removed from every list and mailing at once, and their automatic renewals end. Orders and the
              ledger stay as they are. You can restore them straight afterwards, without their renewals.
            </p>
          </>
        }
        confirmLabel={`Remove ${countOf(count, 'reader')}`}
        isOpen={isConfirming}
        isDangerous
        isPending={isPending}
        onConfirm={() => send({ intent: 'remove-chosen' })}
        onCancel={() => setConfirming(false)}
      />
    </SelectionBar>
  )
}
