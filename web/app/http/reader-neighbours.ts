import type { AppContext } from '#core/context.ts'
import { searchReaders } from '#core/readers/search-readers.query.ts'

export interface ReaderPlace {
  /** From 1. */
  position: number
  total: number
  previous: { id: number; list: string } | null
  next: { id: number; list: string } | null
}

/**
 * Where a reader stands in the list it was opened from, and who stands beside it; each with the list's address, whose page goes along.
 * Null where it was opened from elsewhere, or is not on that page any more.
 */
export async function placeInList(
  ctx: AppContext,
  reader: { id: number; publicationId: number },
  list: string | null,
): Promise<ReaderPlace | null> {
  if (!list?.startsWith('?')) return null
  const params = new URLSearchParams(list)
  const asked = { ...Object.fromEntries(params), publicationId: reader.publicationId }
  const { rows, total, page, size, pages } = await searchReaders(ctx, asked)
  const at = rows.findIndex(({ id }) => id === reader.id)
  if (at === -1) return null
  const onPage = (number: number) => {
    const other = new URLSearchParams(params)
    other.set('page', String(number))
    return `?${other}`
  }
  const beside = async (step: 1 | -1) => {
    const row = rows[at + step]
    if (row) return { id: row.id, list }
    const number = page + step
    if (number < 1 || number > pages) return null
    const others = (await searchReaders(ctx, { ...asked, page: number })).rows
    const other = step === 1 ? others[0] : others.at(-1)
    return other ? { id: other.id, list: onPage(number) } : null
  }
  return {
    position: (page - 1) * size + at + 1,
    total,
    previous: await beside(-1),
    next: await beside(1),
  }
}
