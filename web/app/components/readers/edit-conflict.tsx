import { useEffect, useRef } from 'react'
import { optOuts } from '#core/readers/opt-outs.rules.ts'
import { type ReaderField, readerFieldLabels, readerFieldNames } from '#core/readers/reader-fields.rules.ts'
import { LinkButton } from '../ui/button.tsx'
import { Radio } from '../ui/inputs.tsx'
import type { ReaderValues } from './reader-values.ts'

/** The version that another user has stored in the meantime, and who stored it. */
export interface OtherVersion {
  values: ReaderValues
  version: number
  /** When it was stored, ISO 8601. */
  versionAt: string
  by: string | null
  at: string
}

interface EditConflictProps {
  mine: ReaderValues
  theirs: OtherVersion
  /** The common ancestor of both versions. */
  base: ReaderValues
  /** Reloads the page, and so discards what was typed. */
  reloadAt: string
}

/** Both versions of a record side by side, field by field (three-way merge); each choice is sent with the form. */
export function EditConflict({ mine, theirs, base, reloadAt }: EditConflictProps) {
  const section = useRef<HTMLElement>(null)
  // Like an error summary, it takes the focus when it appears.
  useEffect(() => section.current?.focus(), [])
  // A question that the publication does not ask is not in the form.
  const submittedFields = readerFieldNames.filter((field) => optOutFields.includes(field) || mine[field] !== undefined)
  const fields = submittedFields.filter((field) => (mine[field] ?? '') !== (theirs.values[field] ?? ''))
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby="two-versions"
      className="card scroll-mt-20 border-warning p-4 outline-offset-2 focus:outline-2 focus:outline-warning lg:p-5"
    >
      <h2 id="two-versions" className="text-h3">
        Two versions of this reader
      </h2>
      <p className="mt-1 max-w-[75ch] text-body text-ink-2">
        {`${theirs.by ?? 'Somebody'} changed this reader at ${theirs.at}, after you opened it. Choose what to keep, field by field, and save again. Nothing has been lost.`}
      </p>
      {fields.length === 0 ? (
        <p className="mt-3 text-body">Your values are the same as the stored ones.</p>
      ) : (
        <table className="mt-3 w-full text-table max-md:block">
          <thead className="max-md:sr-only">
            <tr className="text-left text-ink-2">
              <th scope="col" className="py-1 pr-3 font-medium">
                Field
              </th>
              <th scope="col" className="py-1 pr-3 font-medium">
                Yours
              </th>
              <th scope="col" className="py-1 font-medium">
                Theirs
              </th>
            </tr>
          </thead>
          <tbody className="max-md:block">
            {fields.map((field) => {
              const isChangedByUser = (mine[field] ?? '') !== (base[field] ?? '')
              return (
                <tr key={field} className="border-t border-line align-top max-md:block max-md:py-2">
                  <th scope="row" className="py-2 pr-3 text-left font-medium max-md:block max-md:py-0">
                    {readerFieldLabels[field]}
                  </th>
                  {(['mine', 'theirs'] as const).map((side) => (
                    <td key={side} className="py-2 pr-3 max-md:block max-md:py-1">
                      <Radio
                        name={`keep.${field}`}
                        value={side}
                        defaultChecked={isChangedByUser === (side === 'mine')}
                        aria-label={`${readerFieldLabels[field]}: keep ${side === 'mine' ? 'yours' : 'theirs'}, ${valueText(field, side === 'mine' ? mine : theirs.values)}`}
                        label={
                          <span className="wrap-anywhere">
                            {valueText(field, side === 'mine' ? mine : theirs.values)}
                            <span className="text-muted md:hidden">{side === 'mine' ? ' (yours)' : ' (theirs)'}</span>
                          </span>
                        }
                      />
                    </td>
                  ))}
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
      <div className="mt-3">
        <LinkButton to={reloadAt} reloadDocument size="small">
          Use their version
        </LinkButton>
      </div>
    </section>
  )
}

const optOutFields: readonly string[] = optOuts.map(({ field }) => field)

function valueText(field: ReaderField, values: ReaderValues): string {
  const value = values[field] ?? ''
  if (optOutFields.includes(field)) return value === 'on' ? 'Opted out' : 'Not opted out'
  return value === '' ? 'Empty' : value
}
