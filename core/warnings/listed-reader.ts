import type { AppContext } from '../context.ts'
import { asBoolean, asInstant } from '../database.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import type { SubType } from '../terms/term.rules.ts'

/** A reader as shown in the lists of Manage Data. */
export interface ListedReader {
  id: number
  uniqueReference: string
  title: string
  firstName: string
  lastName: string
  fullName: string
  companyName: string
  email: string
  addressOne: string
  addressTwo: string
  addressThree: string
  addressFour: string
  city: string
  state: string
  postCode: string
  country: string
  subType: SubType | ''
  subStartOn: Day
  subEndOn: Day
  /** Minor units; null: a free copy. */
  subPaid: number | null
  subCurrency: Currency
  isDeleted: boolean
  createdAt: Date
}

const columns = `id, unique_reference, title, first_name, last_name, full_name, company_name, email, address_one, address_two,
  address_three, address_four, city, state, post_code, country, sub_type, sub_start_on, sub_end_on, sub_paid, sub_currency, is_deleted,
  created_at`

type Row = Record<string, unknown> & { id: number }

/** The readers with these ids, in the order of the ids. */
export async function listedReaders(ctx: Pick<AppContext, 'db'>, ids: readonly number[]): Promise<ListedReader[]> {
  if (ids.length === 0) return []
  const rows = await ctx.db.query<Row>(`SELECT ${columns} FROM readers WHERE id IN (:ids)`, { ids })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row ? [listedReader(row)] : []
  })
}

function listedReader(row: Row): ListedReader {
  const text = (column: string) => String(row[column] ?? '')
  return {
    id: row.id,
    uniqueReference: text('unique_reference'),
    title: text('title'),
    firstName: text('first_name'),
    lastName: text('last_name'),
    fullName: text('full_name'),
    companyName: text('company_name'),
    email: text('email'),
    addressOne: text('address_one'),
    addressTwo: text('address_two'),
    addressThree: text('address_three'),
    addressFour: text('address_four'),
    city: text('city'),
    state: text('state'),
    postCode: text('post_code'),
    country: text('country'),
    subType: text('sub_type') as SubType | '',
    subStartOn: text('sub_start_on'),
    subEndOn: text('sub_end_on'),
    subPaid: row.sub_paid === null ? null : Number(row.sub_paid),
    subCurrency: text('sub_currency') as Currency,
    isDeleted: asBoolean(row.is_deleted),
    createdAt: asInstant(row.created_at as Date | string),
  }
}
