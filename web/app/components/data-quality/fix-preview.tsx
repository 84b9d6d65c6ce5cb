import { Form, useNavigation } from '@remix-run/react'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import type { RequestedFix } from '#web/app/http/manage-data.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { tableRoles } from '../ui/data-table.tsx'
import { fixedFieldLabels } from './address-changes.tsx'

/** An area that scrolls must be reachable by keyboard. */
const scrollable = { tabIndex: 0 }

const headerClass = 'pr-4 text-left max-md:block max-md:pt-1 max-md:pr-0'
/** On phones a row is a list of what changes: a line for each cell, preceded by its column's name. */
const cellClass =
  'pr-4 wrap-anywhere max-md:flex max-md:gap-3 max-md:pr-0 max-md:pl-3 max-md:before:w-24 max-md:before:shrink-0 max-md:before:font-normal max-md:before:text-muted max-md:before:content-[attr(data-label)]'

/** Preview of an automatic fix of a whole list or of chosen readers: the count, and the first readers before and after. Then asks for confirmation. */
export function FixPreview({ fix, cancelTo }: { fix: RequestedFix; cancelTo: string }) {
  const isPending = useNavigation().formData?.get('intent') === 'fix'
  const { kind, label, total, examined, fixable, leftAlone, samples, fields, readerIds, fingerprint } = fix
  const isPartial = examined < total
  return (
    <section aria-labelledby="auto-fix" className="card mb-5 border-primary! p-4 lg:p-5">
      <h2 id="auto-fix" className="scroll-mt-20 text-h3">
        {`Auto Fix: ${label}`}
      </h2>
      <p className="mt-1 text-body text-ink-2">
        {isPartial && `Of the first ${formatCount(examined)} of ${countOf(total, 'reader')}: `}
        {`${countOf(fixable, 'reader')} can be fixed`}
        {leftAlone > 0 &&
          `, ${countOf(leftAlone, 'other is', 'others are')} left unchanged because they cannot be fixed automatically`}
        {'. It can be undone for 30 days.'}
        {fixable > samples.length && ` The first ${samples.length}, before and after:`}
      </p>
      {samples.length > 0 && (
        <section {...scrollable} aria-label="Before and after" className="mt-4 overflow-x-auto">
          <table role={tableRoles.table} className="w-full text-table max-md:block">
            <thead role={tableRoles.rowgroup} className="max-md:sr-only">
              <tr role={tableRoles.row} className="text-left text-caption text-muted">
                <th role={tableRoles.columnheader} scope="col" className="py-1 pr-4 font-medium">
                  Unique Reference
                </th>
                <th role={tableRoles.columnheader} scope="col" className="py-1 pr-4 font-medium">
                  <span className="sr-only">Version</span>
                </th>
                {fields.map((field) => (
                  <th
                    key={field}
                    role={tableRoles.columnheader}
                    scope="col"
                    className="py-1 pr-4 font-medium whitespace-nowrap"
                  >
                    {fixedFieldLabels[field]}
                  </th>
                ))}
              </tr>
            </thead>
            {samples.map(({ id, uniqueReference, before, after }) => (
              <tbody
                key={id}
                role={tableRoles.rowgroup}
                className="border-t border-line max-md:block max-md:py-2 max-md:last:pb-0"
              >
                {[
                  { label: 'Before', version: before, padding: 'md:py-1.5' },
                  { label: 'After', version: after, padding: 'md:pb-1.5' },
                ].map(({ label: versionLabel, version, padding }) => (
                  <tr
                    key={versionLabel}
                    role={tableRoles.row}
                    className={`align-top max-md:block ${version === before ? 'text-muted' : ''}`}
                  >
                    {version === before && (
                      <th
                        role={tableRoles.rowheader}
                        scope="rowgroup"
                        rowSpan={2}
                        className={`numeric ${headerClass} md:py-1.5 md:font-normal text-ink`}
                      >
                        {uniqueReference}
                      </th>
                    )}
                    <th role={tableRoles.rowheader} scope="row" className={`${headerClass} ${padding} font-normal`}>
                      {versionLabel}
                    </th>
                    {fields.map((field) => (
                      <td
                        key={field}
                        role={tableRoles.cell}
                        data-label={fixedFieldLabels[field]}
                        className={`${padding} ${cellClass} ${before[field] === after[field] ? 'max-md:hidden' : version === after ? 'font-semibold' : ''}`}
                      >
                        {version[field] || '-'}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            ))}
          </table>
        </section>
      )}
      <Form method="post" action={cancelTo} preventScrollReset className="mt-4 flex flex-wrap gap-3">
        <input type="hidden" name="kind" value={kind} />
        {readerIds && <input type="hidden" name="chosen" value={readerIds.join()} />}
        {fingerprint && <input type="hidden" name="fingerprint" value={fingerprint} />}
        <LinkButton to={cancelTo} preventScrollReset>
          {fixable > 0 || isPartial ? 'Cancel' : 'Close'}
        </LinkButton>
        {(fixable > 0 || isPartial) && (
          <Button type="submit" name="intent" value="fix" kind="primary" isPending={isPending}>
            {isPartial ? 'Fix all of them' : `Fix ${countOf(fixable, 'reader')}`}
          </Button>
        )}
      </Form>
    </section>
  )
}
