import type { Database } from '../database.ts'
import { isReservedHandle } from './handle.rules.ts'

/** The handles of publications that cannot be reached by them, because they have become addresses of the product; removed ones too: they can come back. */
export async function hiddenShops({ db }: { db: Database }): Promise<string[]> {
  const rows = await db.query<{ url_key: string }>(`SELECT url_key FROM publications ORDER BY id`)
  return rows.map((row) => row.url_key).filter(isReservedHandle)
}
