import type { FixableField } from '#core/fixes/fix-kinds.ts'

/** Labels of the fields that a fix changes. */
export const fixedFieldLabels: Record<FixableField, string> = {
  title: 'Title',
  firstName: 'First Name',
  lastName: 'Last Name',
  fullName: 'Full Name',
  addressOne: 'Address 1',
  addressTwo: 'Address 2',
  addressThree: 'Address 3',
  addressFour: 'Address 4',
  city: 'City',
  postCode: 'Post Code',
}

const fields = ['addressOne', 'addressTwo', 'addressThree', 'addressFour', 'city', 'postCode'] as const

interface AddressChangesProps {
  before: Record<(typeof fields)[number], string>
  change: Partial<Record<FixableField, string>>
}

/** An address before and after a fix, line by line; changes are marked by text as well as by colour. */
export function AddressChanges({ before, change }: AddressChangesProps) {
  const visibleFields = fields.filter((field) => before[field] !== '' || (change[field] ?? '') !== '')
  return (
    <table className="mt-3 w-full text-table">
      <thead>
        <tr className="text-left text-caption text-muted">
          <th scope="col" className="py-1 pr-3 font-medium">
            <span className="sr-only">Field</span>
          </th>
          <th scope="col" className="py-1 pr-3 font-medium">
            Before
          </th>
          <th scope="col" className="py-1 font-medium">
            After
          </th>
        </tr>
      </thead>
      <tbody>
        {visibleFields.map((field) => {
          const after = change[field] ?? before[field]
          const isChanged = after !== before[field]
          return (
            <tr key={field} className="align-top">
              <th scope="row" className="py-1 pr-3 text-left font-normal whitespace-nowrap text-muted">
                {fixedFieldLabels[field]}
              </th>
              <td className="py-1 pr-3 wrap-anywhere">{before[field] || '-'}</td>
              <td className={`py-1 wrap-anywhere ${isChanged ? 'font-semibold text-ink' : ''}`}>
                {after || '-'}
                {isChanged && <span className="sr-only"> (changed)</span>}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
