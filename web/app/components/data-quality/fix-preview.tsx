import { Form, useNavigation } from '@remix-run/react'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import type { RequestedFix } from '#web/app/http/manage-data.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { fixedFieldLabels } from './address-changes.tsx'

/** An area that scrolls must be reachable by keyboard. */
const scrollable = { tabIndex: 0 }

/** Preview of an automatic fix of a whole list or of chosen readers: the count, and the first readers before and after. Then asks for confirmation. */
export function FixPreview({ fix, cancelTo }: { fix: RequestedFix; cancelTo: string }) {
  const isPending = useNavigation().formData?.get('intent') === 'fix'
  const { kind, label, total, examined, fixable, leftAlone, samples, fields, readerIds } = fix
  const isPart = examined < total
  // On phones shows only the changed columns, which would otherwise be off screen, to the right of the unchanged ones.
  const columnClass = (field: (typeof fields)[number]) =>
    samples.some(({ before, after }) => before[field] !== after[field]) ? '' : 'max-md:hidden'
  return (
    <section aria-labelledby="auto-fix" className="card mb-5 border-primary! p-4 lg:p-5">
      <h3 id="auto-fix" className="scroll-mt-20 text-h3">
        {`Auto Fix: ${label}`}
      </h3>
      <p className="mt-1 text-body text-ink-2">
        {isPart && `Of the first ${formatCount(examined)} of ${countOf(total, 'reader')}: `}
        {`${countOf(fixable, 'reader')} can be fixed`}
        {leftAlone > 0 &&
          `, ${countOf(leftAlone, 'other is', 'others are')} left unchanged because they cannot be fixed automatically`}
        {'. It can be undone for 30 days.'}
        {fixable > samples.length && ` The first ${samples.length}, before and after:`}
      </p>
      {samples.length > 0 && (
        <section {...scrollable} aria-label="Before and after" className="mt-4 overflow-x-auto">
          <table className="w-full text-table">
            <thead>
              <tr className="text-left text-caption text-muted">
                <th scope="col" className="py-1 pr-4 font-medium">
                  Unique Reference
                </th>
                <th scope="col" className="py-1 pr-4 font-medium">
                  <span className="sr-only">Version</span>
                </th>
                {fields.map((field) => (
                  <th
                    key={field}
                    scope="col"
                    className={`py-1 pr-4 font-medium whitespace-nowrap ${columnClass(field)}`}
                  >
                    {fixedFieldLabels[field]}
                  </th>
                ))}
              </tr>
            </thead>
            {samples.map(({ id, uniqueReference, before, after }) => (
              <tbody key={id} className="border-t border-line">
                <tr className="align-top text-muted">
                  <th scope="rowgroup" rowSpan={2} className="numeric py-1.5 pr-4 text-left font-normal text-ink">
                    {uniqueReference}
                  </th>
                  <th scope="row" className="py-1.5 pr-4 text-left font-normal">
                    Before
                  </th>
                  {fields.map((field) => (
                    <td key={field} className={`py-1.5 pr-4 wrap-anywhere ${columnClass(field)}`}>
                      {before[field] || '-'}
                    </td>
                  ))}
                </tr>
                <tr className="align-top">
                  <th scope="row" className="pr-4 pb-1.5 text-left font-normal">
                    After
                  </th>
                  {fields.map((field) => (
                    <td
                      key={field}
                      className={`pr-4 pb-1.5 wrap-anywhere ${columnClass(field)} ${before[field] === after[field] ? '' : 'font-semibold'}`}
                    >
                      {after[field] || '-'}
                    </td>
                  ))}
                </tr>
              </tbody>
            ))}
          </table>
        </section>
      )}
      <Form method="post" action={cancelTo} preventScrollReset className="mt-4 flex flex-wrap gap-3">
        <input type="hidden" name="kind" value={kind} />
        {readerIds && <input type="hidden" name="chosen" value={readerIds.join()} />}
        <LinkButton to={cancelTo} preventScrollReset>
          {fixable > 0 || isPart ? 'Cancel' : 'Close'}
        </LinkButton>
        {(fixable > 0 || isPart) && (
          <Button type="submit" name="intent" value="fix" kind="primary" isPending={isPending}>
            {isPart ? 'Fix all of them' : `Fix ${countOf(fixable, 'reader')}`}
          </Button>
        )}
      </Form>
    </section>
  )
}
