import { dayOf } from '#core/kernel/calendar.ts'
import type { ListedReader } from '#core/warnings/listed-reader.ts'
import type { ListedField } from '#core/warnings/warnings.rules.ts'
import type { Column } from '../ui/data-table.tsx'
import { DayText, Money } from '../ui/formats.tsx'
import { SubTypeText } from '../ui/reader-cells.tsx'

const text = (value: string) => <span className="max-md:wrap-anywhere md:wrap-break-word">{value || '-'}</span>

/** The display of a reader's field in a list, and its sort key on the server. */
function listedColumn(field: ListedField, timeZone: string): Column<ListedReader> {
  const columns: Record<ListedField, Column<ListedReader>> = {
    fullName: {
      header: 'Full Name',
      sort: 'name',
      cell: ({ fullName }) => <span className="font-medium">{fullName || '-'}</span>,
    },
    title: { header: 'Title', cell: ({ title }) => text(title), onCard: 'hidden' },
    firstName: { header: 'First Name', cell: ({ firstName }) => text(firstName) },
    lastName: { header: 'Last Name', sort: 'surname', cell: ({ lastName }) => text(lastName) },
    company: { header: 'Company', sort: 'companyName', cell: ({ companyName }) => text(companyName) },
    addressOne: { header: 'Address 1', cell: ({ addressOne }) => text(addressOne) },
    addressTwo: { header: 'Address 2', cell: ({ addressTwo }) => text(addressTwo) },
    addressThree: { header: 'Address 3', cell: ({ addressThree }) => text(addressThree) },
    addressFour: { header: 'Address 4', cell: ({ addressFour }) => text(addressFour), onCard: 'hidden' },
    city: { header: 'City', cell: ({ city }) => text(city) },
    postCode: {
      header: 'Post Code',
      sort: 'postCode',
      cell: ({ postCode }) => <span className="whitespace-nowrap">{postCode || '-'}</span>,
    },
    email: {
      header: 'Email',
      sort: 'email',
      cell: ({ email }) => <span className="block wrap-anywhere md:min-w-32">{email || '-'}</span>,
    },
    reference: {
      header: 'Unique Reference',
      sort: 'reference',
      cell: ({ uniqueReference }) => <span className="numeric wrap-anywhere">{uniqueReference}</span>,
    },
    added: { header: 'Created', sort: 'added', cell: ({ createdAt }) => <DayText day={dayOf(createdAt, timeZone)} /> },
    subType: { header: 'Sub Type', cell: ({ subType }) => <SubTypeText type={subType} /> },
    paid: {
      header: 'Amount',
      isNumber: true,
      cell: ({ subPaid, subCurrency }) => (
        <Money value={subPaid === null ? null : { amount: subPaid, currency: subCurrency }} />
      ),
    },
    ends: { header: 'Ends', sort: 'ends', cell: ({ subEndOn }) => <DayText day={subEndOn} /> },
  }
  return columns[field]
}

/**
 * The columns of a list. On phones, where each row is a card, the name is its heading. On wider screens related fields share a cell, so that all
 * columns fit next to the list of warnings on a laptop.
 */
export function listedColumns(fields: readonly ListedField[], timeZone: string): Column<ListedReader>[] {
  const headingField = fields.includes('fullName') ? 'fullName' : fields.find((field) => field === 'lastName')
  const columns: Column<ListedReader>[] = []
  for (const [index, field] of fields.entries()) {
    const above = fields[index - 1]
    const isBelow = Boolean(above && !columns.at(-1)?.isBelow && fieldsBelow[above]?.includes(field))
    columns.push({
      ...listedColumn(field, timeZone),
      ...(field === headingField ? { onCard: 'title' as const } : {}),
      ...(isBelow ? { isBelow } : {}),
    })
  }
  return columns
}

/** For each field, the fields that may be below it in the same cell, if they follow it in the list. */
const fieldsBelow: Partial<Record<ListedField, readonly ListedField[]>> = {
  title: ['firstName'],
  lastName: ['fullName', 'company'],
  fullName: ['company'],
  company: ['postCode'],
  addressOne: ['addressTwo'],
  addressThree: ['addressFour', 'city'],
  city: ['postCode'],
  email: ['reference'],
}
