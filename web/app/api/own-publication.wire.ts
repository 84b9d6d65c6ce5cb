import { z } from 'zod'
import { imageFilesOf } from '#core/images/image.rules.ts'
import { flatPriceNames } from '#core/pricing/flat-price-names.rules.ts'
import { themeOf } from '#core/pricing/theme.rules.ts'
import type { PublicationFieldsView } from '#core/publications/get-publication-fields.query.ts'
import { publicationWireNames } from '#core/publications/wire-names.rules.ts'
import { WireAmount, WireId } from './wire-values.ts'

/** The request fields; back issues can be turned on only by an edit. */
export const changedPublicationBody: Record<string, string> = {
  _id: 'id',
  ...publicationWireNames,
  sellBackIssues: 'sellsBackIssues',
}

const priceNames = new Set(flatPriceNames.map(({ name }) => name))
const flags = new Set(['digitalIsFree', 'printIsFree', 'bundleIsFree'])
const pictures = { coverImage: 'cover', logoImage: 'logo' } as const

function schemaOf(field: string): z.ZodType {
  if (priceNames.has(field)) return WireAmount.nullable()
  if (flags.has(field)) return z.boolean()
  if (field === 'issuesPerYear') return z.int()
  return field in pictures ? z.string().nullable() : z.string()
}

/** A publication of the caller: every field that can be sent back, and derived ones. */
export const WireOwnPublication = z.object({
  _id: WireId,
  ...Object.fromEntries(
    Object.entries(publicationWireNames).map(([wireName, field]) => [wireName, schemaOf(field)] as const),
  ),
  sellBackIssues: z.boolean(),
  backgroundColour: z.string(),
})

export function wireOwnPublication({ id, fields, sellsBackIssues }: PublicationFieldsView): Record<string, unknown> {
  const wireValue = (field: string) => {
    const value = fields[field]
    if (field in pictures)
      return imageFilesOf(String(value ?? ''), pictures[field as keyof typeof pictures])?.src ?? null
    if (field === 'issuesPerYear') return Number(value)
    return priceNames.has(field) && value === '' ? null : value
  }
  return {
    _id: id,
    ...Object.fromEntries(
      Object.entries(publicationWireNames).map(([wireName, field]) => [wireName, wireValue(field)]),
    ),
    sellBackIssues: sellsBackIssues,
    backgroundColour: themeOf(String(fields.color ?? '')).background,
  }
}
