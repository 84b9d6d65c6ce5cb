import type { AppContext } from '../context.ts'
import { defineTable, id, instant, json, ref, text } from '../table.ts'

/** The last mapping of the columns of a file, by a hash of their names. */
export const UploadMappings = defineTable('upload_mappings', {
  id: id(),
  publicationId: ref(),
  headerKey: text(),
  /** The names of the columns, each with what it was imported as. */
  mapping: json<[string, string][]>(),
  usedAt: instant(),
})

/** Upserts a mapping. */
export async function storeMapping(
  ctx: AppContext,
  { publicationId, headerKey, mapping }: { publicationId: number; headerKey: string; mapping: [string, string][] },
): Promise<void> {
  await ctx.db.run(
    `INSERT INTO upload_mappings (publication_id, header_key, mapping, used_at) VALUES (:publicationId, :headerKey, :mapping, :now)
     ON CONFLICT (publication_id, header_key) DO UPDATE SET mapping = excluded.mapping, used_at = excluded.used_at`,
    { publicationId, headerKey, mapping: JSON.stringify(mapping), now: ctx.now() },
  )
}
