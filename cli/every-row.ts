import type { Page } from '#core/kernel/paging.ts'

/** Reads all pages of a list. */
export async function everyRow<Row>(
  list: (paging: { page: number; size: number }) => Promise<Page<Row>>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let page = 1; ; page++) {
    const result = await list({ page, size: 100 })
    rows.push(...result.rows)
    if (page >= result.pages) return rows
  }
}
