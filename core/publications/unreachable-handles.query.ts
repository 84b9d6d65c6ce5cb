import type { Database } from '../database.ts'
import { isReservedHandle } from './handle.rules.ts'

/**
 * The handles of publications whose storefront is unreachable because the product itself now uses that address. Removed publications are included:
 * they can be restored.
 */
export async function unreachableHandles({ db }: { db: Database }): Promise<string[]> {
  const rows = await db.query<{ url_key: string }>(`SELECT url_key FROM publications ORDER BY id`)
  return rows.map((row) => row.url_key).filter(isReservedHandle)
}
