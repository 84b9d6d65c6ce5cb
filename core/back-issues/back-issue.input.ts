import { z } from 'zod'
import { ImageName } from '../images/image.input.ts'
import { imageNameIn } from '../images/image.rules.ts'
import {
  OptionalAmount,
  OptionalCharge,
  optionalLines,
  optionalWholeNumber,
  requiredText,
} from '../kernel/form-fields.ts'

/** The fields of a back issue. It is not sold in a price band without a price; a blank postage is free. */
export const backIssueFields = {
  volume: requiredText(100),
  description: optionalLines(500),
  /** Blank is unlimited. */
  stock: optionalWholeNumber(0, 1_000_000),
  price: OptionalAmount,
  priceUs: OptionalAmount,
  priceEu: OptionalAmount,
  postage: OptionalCharge,
  postageUs: OptionalCharge,
  postageEu: OptionalCharge,
  coverImage: ImageName,
}

/** For a change: a cover that is not sent is kept. */
export const backIssueChanges = {
  ...backIssueFields,
  coverImage: z
    .string()
    .trim()
    .max(2000)
    .nullable()
    .optional()
    .transform((text) => (text ? imageNameIn(text) : text === undefined ? undefined : null)),
}
