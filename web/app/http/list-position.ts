import type { Page } from '#core/kernel/paging.ts'

/** The position of a record in a list. */
export interface ListPosition {
  /** From 1. */
  position: number
  total: number
  previous: { id: number; list: string } | null
  next: { id: number; list: string } | null
}

/**
 * The position of a record in the list it was opened from, with its neighbours; each with the list's address (`?q=…`) including the page.
 * `load` returns a page of that list. Null if it was opened from elsewhere, or is no longer on that page.
 */
export async function positionInList(
  id: number,
  list: string | null,
  load: (query: Record<string, string>) => Promise<Page<{ id: number }>>,
): Promise<ListPosition | null> {
  if (!list?.startsWith('?')) return null
  const params = new URLSearchParams(list)
  const query = Object.fromEntries(params)
  const { rows, total, page, size, pages } = await load(query)
  const index = rows.findIndex((row) => row.id === id)
  if (index === -1) return null
  const onPage = (number: number) => {
    const other = new URLSearchParams(params)
    other.set('page', String(number))
    return `?${other}`
  }
  const adjacentRecord = async (step: 1 | -1) => {
    const row = rows[index + step]
    if (row) return { id: row.id, list }
    const number = page + step
    if (number < 1 || number > pages) return null
    const others = (await load({ ...query, page: String(number) })).rows
    const other = step === 1 ? others[0] : others.at(-1)
    return other ? { id: other.id, list: onPage(number) } : null
  }
  return {
    position: (page - 1) * size + index + 1,
    total,
    previous: await adjacentRecord(-1),
    next: await adjacentRecord(1),
  }
}
