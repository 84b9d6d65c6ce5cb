import type { AppContext } from '../context.ts'
import { defaulted, defineTable, flag, id, integer, json, nullable, ref, text } from '../table.ts'

/** A row of a postcode file that is not a postcode. */
export interface PostcodeReject {
  line: number
  value: string
  reason: string
}

/** Files of valid postcodes. The progress of an import is in its task. */
export const PostcodeFiles = defineTable('postcode_files', {
  id: id(),
  publicationId: ref(),
  /** At most one file of a publication is the one its readers are compared with. */
  isLive: defaulted(flag()),
  fileName: text(),
  /** Null if the command line read a local file. */
  storedFile: nullable(text()),
  bytes: integer(),
  codes: defaulted(integer()),
  failed: defaulted(integer()),
  /** The first rejected rows. */
  rejects: json<PostcodeReject[]>(),
  /** The number of readers whose postcode state the file changed; null before it has been compared with them. */
  queried: nullable(integer()),
})

/** Makes a file the one in use, replacing the previous one. Call it in a transaction. */
export async function makeLive(
  ctx: AppContext,
  { id, publicationId }: { id: number; publicationId: number },
  { failed, rejects }: { failed: number; rejects: PostcodeReject[] },
): Promise<void> {
  await PostcodeFiles.update(ctx, { publicationId, isLive: true }, { isLive: false })
  await ctx.db.run(
    `UPDATE postcode_files SET is_live = :yes, failed = :failed, rejects = :rejects,
       codes = (SELECT count(*) FROM postcodes WHERE file_id = :id) WHERE id = :id`,
    { id, yes: true, failed, rejects: JSON.stringify(rejects) },
  )
}
