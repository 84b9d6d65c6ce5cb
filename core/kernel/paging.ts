import { z } from 'zod'

/** The page sizes every list offers (spec 3, section 9). */
export const pageSizes = [10, 25, 50, 100] as const

/** The longest search text of a list. */
export const maxSearchLength = 200

/** The search text of a list. One that is too long is refused: if it were ignored, the whole list would be returned. */
export const SearchText = z
  .string('Enter one search text')
  .trim()
  .max(maxSearchLength, `Search for ${maxSearchLength} characters or fewer`)
  .optional()

const pageMessage = 'Must be a whole number from 1 to 1,000,000'
const sizeMessage = 'Must be 10, 25, 50 or 100'

/** The number of a page, and how many rows it has. */
export const PageNumber = z.coerce.number(pageMessage).int(pageMessage).min(1, pageMessage).max(1_000_000, pageMessage)
export const PageSize = z.coerce
  .number(sizeMessage)
  .refine((size) => pageSizes.includes(size as (typeof pageSizes)[number]), sizeMessage)

/** `page`, `size`, `sort` and `q` of a URL; invalid values of the first three fall back to the defaults instead of failing a link. The API refuses them. */
export const PageInput = z.object({
  page: PageNumber.catch(1).default(1),
  size: PageSize.catch(10).default(10),
  sort: z.string().max(40).optional().catch(undefined),
  q: SearchText,
})
export type PageInput = z.infer<typeof PageInput>

/** The sort order of a list that refuses an unknown one. */
export function sortInput<Name extends string>(names: readonly Name[]) {
  return z
    .enum(
      [...names, ...names.map((name) => `-${name}` as const)],
      'Choose a column of this list, with - before it for descending',
    )
    .optional()
}

/** One page of a list, with what a pager needs. */
export interface Page<Row> {
  rows: Row[]
  total: number
  page: number
  size: number
  pages: number
}

export function pageOf<Row>(rows: Row[], total: number, { page, size }: { page: number; size: number }): Page<Row> {
  return { rows, total, page, size, pages: Math.max(1, Math.ceil(total / size)) }
}

/**
 * "name" or "-name" as ORDER BY text, checked against the columns a list may be sorted by. Returns only the given SQL expressions, so a URL can
 * never reach another column.
 */
export function orderBy(sort: string | undefined, columns: Record<string, string>, fallback: string): string {
  const key = (sort ?? fallback).replace(/^-/, '')
  const chosen = Object.hasOwn(columns, key) ? (sort ?? fallback) : fallback
  const expression = columns[chosen.replace(/^-/, '')]
  return `${expression} ${chosen.startsWith('-') ? 'DESC' : 'ASC'}`
}
