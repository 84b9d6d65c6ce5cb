import { asBoolean, asInstant } from '../database.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import { type OptOuts, optOuts } from './opt-outs.rules.ts'
import type { SubType } from './term-dates.rules.ts'

const texts = {
  uniqueReference: 'unique_reference',
  title: 'title',
  firstName: 'first_name',
  lastName: 'last_name',
  fullName: 'full_name',
  email: 'email',
  jobTitle: 'job_title',
  companyName: 'company_name',
  addressOne: 'address_one',
  addressTwo: 'address_two',
  addressThree: 'address_three',
  addressFour: 'address_four',
  city: 'city',
  state: 'state',
  postCode: 'post_code',
  country: 'country',
  telephone: 'telephone',
  fax: 'fax',
  webAddress: 'web_address',
  readerType: 'reader_type',
  history: 'history',
  dataSourceOne: 'data_source_one',
  dataSourceTwo: 'data_source_two',
  answerA: 'answer_a',
  answerB: 'answer_b',
  answerC: 'answer_c',
  answerD: 'answer_d',
  answerE: 'answer_e',
} as const

/** A reader's stored fields without the keys that lists go by, as programs get them. */
export type ReaderRecord = Record<keyof typeof texts, string> &
  OptOuts & {
    id: number
    publicationId: number
    subType: SubType | ''
    subStartOn: Day
    subEndOn: Day
    subRenewOn: Day
    /** Minor units; null is a free reader. */
    subPaid: number | null
    subCurrency: Currency
    origin: 'file' | 'storefront' | 'staff'
    isDeleted: boolean
    version: number
    createdAt: Date
    updatedAt: Date
  }

const textColumns = Object.entries(texts)
const flagColumns = optOuts.map(({ field }) => [field, field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)])

/** A raw row of `readers` as a record. */
export function readerRecord(row: Record<string, unknown>): ReaderRecord {
  const record: Record<string, unknown> = {
    id: Number(row.id),
    publicationId: Number(row.publication_id),
    subType: row.sub_type,
    subStartOn: row.sub_start_on,
    subEndOn: row.sub_end_on,
    subRenewOn: row.sub_renew_on,
    subPaid: row.sub_paid === null ? null : Number(row.sub_paid),
    subCurrency: row.sub_currency,
    origin: row.origin,
    isDeleted: asBoolean(row.is_deleted),
    version: Number(row.version),
    createdAt: asInstant(row.created_at as string),
    updatedAt: asInstant(row.updated_at as string),
  }
  for (const [field, column] of textColumns) record[field] = row[column] ?? ''
  for (const [field, column] of flagColumns) record[field as string] = asBoolean(row[column as string])
  return record as ReaderRecord
}
