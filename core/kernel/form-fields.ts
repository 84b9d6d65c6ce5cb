import { z } from 'zod'
import { countryCodes, unknownCountryMessage } from './countries.ts'
import { isEmailAddress, normalEmail } from './email.rules.ts'
import { languages } from './languages.ts'
import { misreadProblem } from './misread-text.ts'
import { parseMinorUnits } from './money.ts'
import { oneLine } from './one-line.rules.ts'
import { english } from './phrases.ts'
import { formatCount } from './text-format.ts'
import { webAddressOf } from './web-address.ts'

/** The kinds of field that forms and calls share: each accepts what a form sends (text) and what a program sends, and has its own messages. */

/** One line of text, blank or not. */
export const lineText = (maxLength: number) =>
  z
    .string('Must be text')
    .superRefine(refuseMisread)
    .overwrite(oneLine)
    .trim()
    .max(maxLength, `Must be ${maxLength} characters or fewer`)

/** One line of text that may not be blank. */
export const requiredText = (maxLength: number) =>
  z
    .string('Required')
    .superRefine(refuseMisread)
    .overwrite(oneLine)
    .trim()
    .min(1, 'Required')
    .max(maxLength, `Must be ${maxLength} characters or fewer`)

/** One of the ISO alpha-2 codes, in any case. */
export const Country = z
  .string('Required')
  .trim()
  .toUpperCase()
  .refine((code) => countryCodes.includes(code), unknownCountryMessage)

/** One line of text; blank where nothing was sent. */
export const optionalText = (maxLength: number) =>
  lineText(maxLength)
    .nullish()
    .transform((text) => text ?? '')

/** The idempotency key of a form: its page makes it and sends it unchanged. */
export const IdempotencyKey = z
  .string('Required')
  .regex(/^[\w-]{8,64}$/, 'The form has expired. Please reload the page.')

/** Text of any number of lines, blank or not. Browsers count a line break as one character and send two. */
export const linesText = (maxLength: number) =>
  z
    .string('Required')
    .overwrite((text) => text.replaceAll('\r\n', '\n'))
    .trim()
    .max(maxLength, `Must be ${maxLength} characters or fewer`)

/** Text of any number of lines; blank where nothing was sent. */
export const optionalLines = (maxLength: number) =>
  linesText(maxLength)
    .nullish()
    .transform((text) => text ?? '')

/** An order number or a key in the address of an emailed or bookmarked page: a text that is too long is unknown, like any other wrong one. */
export const addressPart = (maxLength: number) =>
  z
    .string()
    .default('')
    .transform((text) => (text.length > maxLength ? '' : text))

export const OptionalEmail = z
  .string('Invalid email address')
  .overwrite(normalEmail)
  .nullish()
  .transform((text) => text ?? '')
  .refine((text) => text === '' || isEmailAddress(text), 'Invalid email address')

/** A web address, http or https only; "www.example.com" is read as https. Blank where there is none. */
export const OptionalWebAddress = z
  .string('Invalid Web address')
  .trim()
  .max(500, 'Must be 500 characters or fewer')
  .nullish()
  .transform((text, context) => {
    if (!text) return ''
    const address = webAddressOf(text)
    if (address !== null) return address
    context.addIssue({ code: 'custom', message: 'Invalid Web address' })
    return z.NEVER
  })

/** A whole number as text or number; a blank one is `Required`. */
export const wholeNumber = (
  min: number,
  max: number,
  range = `Must be from ${formatCount(min)} to ${formatCount(max)}`,
) =>
  z.union([z.number(), z.string()], 'Required').transform((value, context) => {
    const text = String(value).trim()
    if (text === '') return problem(context, 'Required')
    if (!/^-?\d+$/.test(text))
      return problem(context, /^-?\d*\.\d+$/.test(text) ? 'Must be a whole number' : 'Must be a number')
    const number = Number(text)
    return number < min || number > max ? problem(context, range) : number
  })

/** A whole number; null where it is blank. */
export const optionalWholeNumber = (min: number, max: number, range?: string) =>
  z.preprocess(
    (value) => (value === undefined || (typeof value === 'string' && value.trim() === '') ? null : value),
    wholeNumber(min, max, range).nullable(),
  )

/** An amount in minor units from "29.99", "29" or "£29.99"; null where it is blank. Zero is refused: it would look free, and not be on sale. */
export const OptionalAmount = amount('Leave blank where it is not for sale')

/** An amount where zero is allowed, too, as for postage. */
export const OptionalCharge = amount(null)

function amount(zeroMessage: string | null) {
  return z
    .union([z.string(), z.number()], 'Must be an amount such as 29.99')
    .nullish()
    .transform((value, context): number | null => {
      const text = String(value ?? '').trim()
      if (text === '') return null
      const minor = parseMinorUnits(text)
      if (minor === null) return problem(context, 'Must be an amount such as 29.99')
      return minor === 0 && zeroMessage ? problem(context, zeroMessage) : minor
    })
}

/** A checkbox: `on` from a form, true or false from a program, absent where it is not ticked. */
export const CheckboxInput = z
  .union([z.boolean(), z.string()], 'Must be true or false')
  .nullish()
  .transform((value) => value === true || value === 'on' || value === 'true')

function refuseMisread(text: string, check: z.core.$RefinementCtx): void {
  const phrase = misreadProblem(text)
  if (phrase !== null) check.addIssue({ code: 'custom', message: english(phrase), params: { phrase } })
}

function problem(check: z.core.$RefinementCtx, message: string): never {
  check.addIssue({ code: 'custom', message })
  return z.NEVER
}

/** The language of the page a form is sent from, where the entry point knows it. */
export const DisplayLanguage = z.enum(languages, `Must be one of ${languages.join(', ')}`).optional()
