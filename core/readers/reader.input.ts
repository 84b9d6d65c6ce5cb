import { z } from 'zod'
import { findCountry } from '../kernel/countries.ts'
import { type Day, openEnd, openStart } from '../kernel/dates.ts'
import { type Currency, parseMinorUnits } from '../kernel/money.ts'
import { parseTypedDay } from '../kernel/parse-typed-day.ts'
import { CellProblem, cellKinds } from '../reader-files/cell-kinds.rules.ts'
import { readerColumns } from '../reader-files/reader.columns.ts'
import type { ReaderField } from './reader-fields.rules.ts'
import { subTypes } from './term-dates.rules.ts'

/** What a form or a program may say of a reader. The longest texts are those of a reader file; origin, keys and publication are never said. */

const longest = Object.fromEntries(readerColumns.map(({ field, max }) => [field, max])) as Record<ReaderField, number>

/** One line, trimmed; null and blank are the same. */
const line = (field: ReaderField) =>
  z
    .string('Must be text')
    .nullable()
    .transform((text) => (text ?? '').replaceAll(/\s*[\r\n]+\s*/g, ' ').trim())
    .refine((text) => text.length <= longest[field], `Must be ${longest[field]} characters or fewer`)

/** The same rule as in a file: whatever was imported can be saved again. */
const email = line('email').refine(
  (text) => !(cellKinds.email.parse(text, { mainCurrency: 'GBP', max: longest.email }) instanceof CellProblem),
  'Invalid email address',
)

const country = line('country').transform((text, check) => {
  const code = text === '' ? '' : findCountry(text)
  if (code !== null && code !== undefined) return code
  check.addIssue({ code: 'custom', message: 'Choose a country from the list' })
  return z.NEVER
})

/** Nothing said is undefined: a new reader has then opted out, a stored one keeps what is stored. */
const optOut = z.union([z.boolean(), z.string(), z.null()], 'Must be true or false').transform((value, check) => {
  if (typeof value === 'boolean') return value
  const text = (value ?? '').trim()
  if (text === '') return undefined
  const flag = cellKinds.flag.parse(text)
  if (typeof flag === 'boolean') return flag
  check.addIssue({ code: 'custom', message: 'Must be true or false' })
  return z.NEVER
})

const day = (blank: Day) =>
  z
    .string('Must be a date such as 31-12-2026')
    .nullable()
    .transform((text, check): Day => {
      if (!text?.trim()) return blank
      const typed = parseTypedDay(text)
      if (typed !== null) return typed
      check.addIssue({ code: 'custom', message: 'Must be a date such as 31-12-2026' })
      return z.NEVER
    })

const subType = z
  .string('Must be print, digital or bundle')
  .nullable()
  .transform((text) => (text ?? '').trim().toLowerCase())
  .pipe(z.enum(['', ...subTypes], 'Must be print, digital or bundle'))

const signs: Record<string, Currency> = { '£': 'GBP', $: 'USD', '€': 'EUR' }

/** Minor units, with the currency where a sign says it; null is a free reader. */
interface TypedAmount {
  amount: number
  currency: Currency | null
}

const paid = z
  .union([z.string(), z.number(), z.null()], 'Must be an amount such as 10.50')
  .transform((value, check): TypedAmount | null => {
    const text = String(value ?? '').trim()
    if (text === '') return null
    const amount = parseMinorUnits(text)
    if (amount !== null) return { amount, currency: signs[text.charAt(0)] ?? null }
    check.addIssue({ code: 'custom', message: 'Must be an amount such as 10.50' })
    return z.NEVER
  })

/** Every field of a reader that people may set, none of them needed. */
export const readerFields = {
  uniqueReference: line('uniqueReference').optional(),
  title: line('title').optional(),
  firstName: line('firstName').optional(),
  lastName: line('lastName').optional(),
  fullName: line('fullName').optional(),
  email: email.optional(),
  jobTitle: line('jobTitle').optional(),
  companyName: line('companyName').optional(),
  addressOne: line('addressOne').optional(),
  addressTwo: line('addressTwo').optional(),
  addressThree: line('addressThree').optional(),
  addressFour: line('addressFour').optional(),
  city: line('city').optional(),
  state: line('state').optional(),
  postCode: line('postCode').optional(),
  country: country.optional(),
  telephone: line('telephone').optional(),
  fax: line('fax').optional(),
  webAddress: line('webAddress').optional(),
  readerType: line('readerType').optional(),
  pubOffers: optOut.optional(),
  pubOffersPost: optOut.optional(),
  pubOffersTel: optOut.optional(),
  pubOffersSms: optOut.optional(),
  partnerOffers: optOut.optional(),
  partnerOffersPost: optOut.optional(),
  partnerOffersTel: optOut.optional(),
  partnerOffersSms: optOut.optional(),
  subStartOn: day(openStart).optional(),
  subEndOn: day(openEnd).optional(),
  subRenewOn: day(openEnd).optional(),
  subType: subType.optional(),
  subPaid: paid.optional(),
  dataSourceOne: line('dataSourceOne').optional(),
  dataSourceTwo: line('dataSourceTwo').optional(),
  answerA: line('answerA').optional(),
  answerB: line('answerB').optional(),
  answerC: line('answerC').optional(),
  answerD: line('answerD').optional(),
  answerE: line('answerE').optional(),
} satisfies Record<ReaderField, z.ZodType>

const given = z.object(readerFields)
export type TypedReader = z.output<typeof given>
