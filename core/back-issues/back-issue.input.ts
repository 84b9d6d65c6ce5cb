import { PictureName } from '../images/picture.input.ts'
import { neededText, OptionalAmount, OptionalCharge, optionalText, optionalWholeNumber } from '../kernel/form-fields.ts'

/** What a back issue says of itself. A band without a price is not sold there; a blank postage costs nothing. */
export const backIssueFields = {
  volume: neededText(100),
  description: optionalText(500),
  /** Blank is unlimited. */
  stock: optionalWholeNumber(0, 1_000_000),
  price: OptionalAmount,
  priceUs: OptionalAmount,
  priceEu: OptionalAmount,
  postage: OptionalCharge,
  postageUs: OptionalCharge,
  postageEu: OptionalCharge,
  coverImage: PictureName,
}
