import { z } from 'zod'
import type { BackIssueListItem } from '#core/back-issues/list-back-issues.query.ts'
import { imageFilesOf } from '#core/images/image.rules.ts'
import { WireAmount, WireId, wireAmount } from './wire-values.ts'

/** The request fields of a back issue and the use case's fields they fill. */
export const backIssueBody: Record<string, string> = {
  volume: 'volume',
  description: 'description',
  stock: 'stock',
  price: 'price',
  priceUS: 'priceUs',
  priceEU: 'priceEu',
  ppPrice: 'postage',
  ppPriceUS: 'postageUs',
  ppPriceEU: 'postageEu',
  coverImg: 'coverImage',
}

const text = z.string()
const amount = WireAmount.nullable()

/** The fields of an issue that both staff and visitors see. */
const issueFields = {
  _id: WireId,
  volume: text,
  description: text,
  coverImg: text.nullable(),
  price: amount.describe('Pounds; null: not sold in the United Kingdom'),
  priceUS: amount.describe('Dollars'),
  priceEU: amount.describe('Euros'),
  ppPrice: amount.describe('Postage in pounds; null: none'),
  ppPriceUS: amount,
  ppPriceEU: amount,
}

export const WireIssueOnSale = z.object({ ...issueFields, inStock: z.boolean() })

export const WireBackIssue = z.object({
  ...issueFields,
  publication: WireId,
  publicationName: text,
  stock: z.int().nullable().describe('null: unlimited'),
  sold: z.int(),
})

type Issue = Pick<
  BackIssueListItem,
  | 'id'
  | 'volume'
  | 'description'
  | 'coverImage'
  | 'price'
  | 'priceUs'
  | 'priceEu'
  | 'postage'
  | 'postageUs'
  | 'postageEu'
>

const wireNullable = (value: number | null) => (value === null ? null : wireAmount(value))

export function wireIssue(issue: Issue) {
  return {
    _id: issue.id,
    volume: issue.volume,
    description: issue.description,
    coverImg: imageFilesOf(issue.coverImage, 'cover')?.src ?? null,
    price: wireNullable(issue.price),
    priceUS: wireNullable(issue.priceUs),
    priceEU: wireNullable(issue.priceEu),
    ppPrice: wireNullable(issue.postage),
    ppPriceUS: wireNullable(issue.postageUs),
    ppPriceEU: wireNullable(issue.postageEu),
  }
}

export function wireBackIssue(issue: BackIssueListItem): z.input<typeof WireBackIssue> {
  return {
    ...wireIssue(issue),
    publication: issue.publicationId,
    publicationName: issue.publicationName,
    stock: issue.stock,
    sold: issue.sold,
  }
}
