import type { Database } from '../database.ts'

/** The postcode file a publication's readers are compared with; null if there is none, undefined if there never was one. */
export async function livePostcodeFile(
  db: Pick<Database, 'query'>,
  publicationId: number,
): Promise<{ id: number } | null | undefined> {
  const [row] = await db.query<{ files: number; live: number | null }>(
    `SELECT count(*) AS files, max(CASE WHEN is_live THEN id END) AS live FROM postcode_files WHERE publication_id = :publicationId`,
    { publicationId },
  )
  if (Number(row?.files ?? 0) === 0) return undefined
  return row?.live ? { id: Number(row.live) } : null
}
