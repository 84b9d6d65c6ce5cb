import { Form, useSearchParams } from '@remix-run/react'
import { countOf } from '#core/kernel/text-format.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { useFocusOnView } from '../ui/focus.ts'
import { Select } from '../ui/inputs.tsx'
import { withParams } from '../ui/link-params.ts'

/** The minimum confidence of a group to be merged without review. */
export const mergeLevels = [
  { value: '0.99', text: 'at least 99% sure' },
  { value: '0.97', text: 'at least 97% sure' },
  { value: '0.95', text: 'at least 95% sure' },
  { value: '0.9', text: 'at least 90% sure' },
] as const

interface MergeAllProps {
  /** The previewed request with its result; null before a preview. */
  preview: { level: string; groups: number; readers: number; renewing: number; paid: number } | null
}

/** Merges many groups in one step: first a preview, then the confirmation. */
export function MergeAll({ preview }: MergeAllProps) {
  const [params] = useSearchParams()
  const isConfirming = preview !== null && preview.groups > 0
  useFocusOnView(isConfirming ? 'confirmation' : 'form', '#merge-all')
  if (isConfirming) return <Confirmation preview={preview} />
  return (
    <Form method="get" preventScrollReset className="card mb-5 flex flex-wrap items-end gap-3 p-4">
      {[...params].map(
        ([name, value]) => name !== 'merge' && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <div className="grow sm:max-w-64">
        <label htmlFor="merge-level" className="block text-body font-medium text-ink-2">
          Merge all groups that are
        </label>
        <Select id="merge-level" name="merge" defaultValue={preview?.level ?? '0.97'} className="mt-1.5">
          {mergeLevels.map(({ value, text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </Select>
      </div>
      <Button type="submit">Preview</Button>
      {preview && (
        <p role="status" className="w-full text-table text-ink-2">
          {[
            ...skippedNotes(preview),
            `No ${preview.renewing + preview.paid > 0 ? 'other ' : ''}group reaches this confidence.`,
          ].join(' ')}
        </p>
      )}
    </Form>
  )
}

function Confirmation({
  preview: { level, groups, readers, ...skipped },
}: {
  preview: NonNullable<MergeAllProps['preview']>
}) {
  const [params] = useSearchParams()
  const listUrl = withParams(params, { merge: null })
  const label = mergeLevels.find(({ value }) => value === level)?.text ?? ''
  return (
    <section aria-labelledby="merge-all" className="card mb-5 max-w-2xl border-primary p-4 lg:p-5">
      <h2 id="merge-all" className="text-h3">
        {`Merge ${countOf(groups, 'group')}?`}
      </h2>
      <p className="mt-2 text-body text-ink-2">
        {`All groups that are ${label} become one reader each: ${countOf(readers, 'record is', 'records are')} merged into others. `}
        The longest paid subscription is kept, blank fields are filled in, every opt-out is kept, and orders and history
        move to this reader. The whole bulk merge can be undone, except for readers changed in the meantime.
      </p>
      {skippedNotes(skipped).map((note) => (
        <p key={note} className="mt-2 text-body text-ink-2">
          {note}
        </p>
      ))}
      <Form method="post" action={listUrl} className="mt-4 flex flex-wrap gap-3">
        <input type="hidden" name="minConfidence" value={level} />
        <LinkButton to={listUrl}>Cancel</LinkButton>
        <Button type="submit" name="intent" value="merge-all" kind="primary">
          {`Merge ${countOf(groups, 'group')}`}
        </Button>
      </Form>
    </section>
  )
}

/** The groups that a bulk merge skips, with the reason. */
function skippedNotes({ renewing, paid }: { renewing: number; paid: number }): string[] {
  return [
    ...(renewing > 0
      ? [
          `In ${countOf(renewing, 'group')} more than one reader renews automatically: merge these groups one at a time, and choose which renewal to keep.`,
        ]
      : []),
    ...(paid > 0
      ? [
          `In ${countOf(paid, 'group')} more than one reader has a running paid subscription: they stay separate until all but one have ended.`,
        ]
      : []),
  ]
}
