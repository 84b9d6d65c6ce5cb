import { z } from 'zod'
import { ImageName } from '../images/image.input.ts'
import { EmailAddress } from '../kernel/email-address.ts'
import {
  CheckboxInput,
  OptionalAmount,
  OptionalEmail,
  OptionalWebAddress,
  optionalLines,
  optionalText,
  requiredText,
  wholeNumber,
} from '../kernel/form-fields.ts'
import { flatPriceNames, priceRowsOf } from '../pricing/flat-price-names.rules.ts'
import type { PriceRow } from '../pricing/price-table.rules.ts'
import { handleMessages, handlePattern, isReservedHandle } from './handle.rules.ts'
import type { PublicationStep } from './publication-steps.rules.ts'

const Handle = requiredText(100)
  .regex(handlePattern, handleMessages.characters)
  .refine((handle) => !isReservedHandle(handle), handleMessages.taken)

/** Every price of the grids under its flat name. */
const priceFields = Object.fromEntries(flatPriceNames.map(({ name }) => [name, OptionalAmount])) as Record<
  string,
  typeof OptionalAmount
>

/**
 * The table of the wizard's steps: the fields of each, with their rules (spec 2, sections 3 and 5). The API takes all of them together;
 * the wizard one step after the other. Prices have their flat names.
 */
export const publicationSteps = {
  info: {
    publicationName: requiredText(200),
    issuesPerYear: wholeNumber(1, 366),
    urlKey: Handle,
    color: z
      .string('Must be a colour such as #12455C')
      .trim()
      .regex(/^#[0-9a-f]{6}$/i, 'Must be a colour such as #12455C')
      .transform((color) => color.toUpperCase())
      .default('#1F2933'),
    publicationInfo: optionalLines(5000),
    webAddress: OptionalWebAddress,
    emailAddress: EmailAddress,
    orderEmailAddress: EmailAddress,
    ccEmail: OptionalEmail,
    sampleEdition: OptionalWebAddress,
    emailText: optionalLines(5000),
    emailEnd: optionalLines(5000),
  },
  images: { coverImage: ImageName, logoImage: ImageName },
  prices: { digitalIsFree: CheckboxInput, printIsFree: CheckboxInput, bundleIsFree: CheckboxInput, ...priceFields },
  questions: {
    questionA: optionalText(500),
    questionB: optionalText(500),
    questionC: optionalText(500),
    questionD: optionalText(500),
    questionE: optionalText(500),
  },
  apps: {
    iosAppLink: OptionalWebAddress,
    androidAppLink: OptionalWebAddress,
    kindleAppLink: OptionalWebAddress,
    digitalEditionLink: OptionalWebAddress,
  },
  social: {
    facebook: OptionalWebAddress,
    twitter: OptionalWebAddress,
    instagram: OptionalWebAddress,
    youtube: OptionalWebAddress,
  },
  submit: { readerPlatformKey: optionalText(200) },
} as const satisfies Record<PublicationStep, object>

export const publicationStepNames = Object.keys(publicationSteps) as PublicationStep[]

const { info, images, prices, questions, apps, social, submit } = publicationSteps
const { digitalIsFree, printIsFree, bundleIsFree } = prices

/** The publication's own columns, without its prices. */
const Columns = z.object({
  ...info,
  ...images,
  ...questions,
  ...apps,
  ...social,
  ...submit,
  digitalIsFree,
  printIsFree,
  bundleIsFree,
})
export type PublicationColumns = z.output<typeof Columns>

/** Everything of a publication: its columns, and its prices under their flat names. */
export const PublicationFields = Columns.extend(priceFields as object as Record<never, never>)

/** An edit: the handle cannot change, and back issues can be switched on. */
export const PublicationEdit = PublicationFields.extend({
  urlKey: z.string().trim().optional(),
  sellsBackIssues: CheckboxInput,
})

/** The price rows in a publication's fields. */
export function pricesIn(fields: object): PriceRow[] {
  return priceRowsOf(fields as Record<string, number | null | undefined>)
}

/** The columns of the publication's own row in its fields. */
export function columnsIn<Fields extends Partial<PublicationColumns>>(
  fields: Fields,
): Pick<Fields, keyof PublicationColumns> {
  return Object.fromEntries(
    Object.keys(Columns.shape).flatMap((name) => (name in fields ? [[name, fields[name as keyof Fields]]] : [])),
  ) as Pick<Fields, keyof PublicationColumns>
}
