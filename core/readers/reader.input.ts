import { z } from 'zod'
import { findCountry, unknownCountryMessage } from '../kernel/countries.ts'
import type { Day } from '../kernel/dates.ts'
import { normalEmail } from '../kernel/email.rules.ts'
import { type Currency, parseMinorUnits } from '../kernel/money.ts'
import { oneLine } from '../kernel/one-line.rules.ts'
import { dayMessage, parseTypedDay } from '../kernel/parse-typed-day.ts'
import { recordOf } from '../kernel/record-of.ts'
import { subTypes } from '../terms/term.rules.ts'
import { cellKinds } from './cell-kinds.rules.ts'
import {
  blankOf,
  type FieldKind,
  type FieldRow,
  type ReaderFieldValues,
  typedReaderFields,
} from './reader-fields.rules.ts'
import { normaliseReference } from './unique-reference.rules.ts'

/** The input fields of a reader for forms and programs. Length limits are those of a reader file; origin, keys and publication are never input. */

/** One line, trimmed; null and blank are the same. */
const line = ({ max }: Pick<FieldRow, 'max'>) =>
  z
    .string('Must be text')
    .nullable()
    .transform((text) => oneLine(text ?? '').trim())
    .refine((text) => text.length <= max, `Must be ${max} characters or fewer`)

const country = (field: FieldRow) =>
  line(field).transform((text, context) => {
    const code = text === '' ? '' : findCountry(text)
    if (code !== null && code !== undefined) return code
    context.addIssue({ code: 'custom', message: unknownCountryMessage })
    return z.NEVER
  })

/** A missing value is undefined: a new reader has then opted out, a stored one keeps its value. */
const optOut = z.union([z.boolean(), z.string(), z.null()], 'Must be true or false').transform((value, context) => {
  if (typeof value === 'boolean') return value
  const text = (value ?? '').trim()
  if (text === '') return undefined
  const flag = cellKinds.flag.parse(text)
  if (typeof flag === 'boolean') return flag
  context.addIssue({ code: 'custom', message: 'Must be true or false' })
  return z.NEVER
})

const day = (blank: Day) =>
  z
    .string(dayMessage)
    .nullable()
    .transform((text, context): Day => {
      if (!text?.trim()) return blank
      const typed = parseTypedDay(text)
      if (typed !== null) return typed
      context.addIssue({ code: 'custom', message: dayMessage })
      return z.NEVER
    })

const subType = z
  .string('Must be print, digital or bundle')
  .nullable()
  .transform((text) => (text ?? '').trim().toLowerCase())
  .pipe(z.enum(['', ...subTypes], 'Must be print, digital or bundle'))

const currencyBySign: Record<string, Currency> = { '£': 'GBP', $: 'USD', '€': 'EUR' }

/** Minor units, with the currency if there is a sign; null is a free reader. */
interface TypedAmount {
  amount: number
  currency: Currency | null
}

const paid = z
  .union([z.string(), z.number(), z.null()], 'Must be an amount such as 10.50')
  .transform((value, context): TypedAmount | null => {
    const text = String(value ?? '').trim()
    if (text === '') return null
    const amount = parseMinorUnits(text)
    if (amount !== null) return { amount, currency: currencyBySign[text.charAt(0)] ?? null }
    context.addIssue({ code: 'custom', message: 'Must be an amount such as 10.50' })
    return z.NEVER
  })

/** The input schema of a field of each kind. */
const byKind = {
  text: line,
  note: line,
  /** Whether it is valid is checked by `readerProblems`, which knows the stored one. */
  email: (field) => line(field).transform(normalEmail),
  country,
  flag: () => optOut,
  startDay: () => day(blankOf.startDay),
  endDay: () => day(blankOf.endDay),
  subType: () => subType,
  money: () => paid,
} as const satisfies Record<FieldKind, (field: FieldRow) => z.ZodType>

type Inputs = {
  [Field in (typeof typedReaderFields)[number] as Field['name']]: z.ZodOptional<
    ReturnType<(typeof byKind)[Field['kind']]>
  >
}

/** Every field of a reader that people may set, all optional. */
export const readerInputs = recordOf(typedReaderFields, (field) =>
  field.name === 'uniqueReference'
    ? line(field).transform(normaliseReference).optional()
    : byKind[field.kind](field).optional(),
) as Inputs

const typedReader = z.object(readerInputs)
export type TypedReader = z.output<typeof typedReader>

/** The fields that were sent, as they are stored, except the amount, which has two columns. */
export function sentFields({
  subPaid,
  ...typed
}: TypedReader): Partial<Omit<ReaderFieldValues, 'subPaid' | 'history'>> {
  return Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== undefined))
}
