import type { Database } from '../database.ts'
import { isReservedHandle } from './handle.rules.ts'

/**
 * The handles of publications that are unreachable because they have become addresses of the product; including
 * removed ones, which can come back.
 */
export async function unreachableHandles({ db }: { db: Database }): Promise<string[]> {
  const rows = await db.query<{ url_key: string }>(`SELECT url_key FROM publications ORDER BY id`)
  return rows.map((row) => row.url_key).filter(isReservedHandle)
}
