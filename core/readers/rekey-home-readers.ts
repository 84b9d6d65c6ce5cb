import { z } from 'zod'
import { publisherSettings } from '../accounts/publisher-settings.query.ts'
import type { AppContext } from '../context.ts'
import { mailSort, postCodeState } from '../postcodes/post-code.rules.ts'
import { useCase } from '../use-case.ts'
import { readersChanged } from './reader-editions.rows.ts'
import { type PostalKeys, writePostalKeys } from './readers.rows.ts'
import { recheckPostCodes } from './recheck-post-codes.ts'

/** Readers per transaction: few enough that locks are short. */
const batchSize = 5_000

/**
 * The job after a publisher's country changed: a reader with a blank country lives there, so its place in the delivery order and the state
 * of its postcode depend on it. Returns how many readers it wrote; a repeated run has no further effect.
 */
export const rekeyHomeReaders = useCase({
  permission: 'machine:operate',
  input: z.object({ publisherId: z.number().int() }),
  transaction: 'none',
  async run(ctx, { publisherId }): Promise<{ changed: number }> {
    let changed = 0
    const publications = await ctx.db.query<{ id: number }>(
      `SELECT id FROM publications WHERE publisher_id = :publisherId ORDER BY id`,
      { publisherId },
    )
    for (const { id: publicationId } of publications) {
      for (let after: number | null = 0; after !== null; ) {
        const chunk = await rekeyChunk(ctx, { publisherId, publicationId, after })
        changed += chunk.changed
        after = chunk.last
      }
      // The rule alone has decided so far; the publication may have its own file of valid postcodes.
      await recheckPostCodes(ctx.db, { publicationId })
    }
    return { changed }
  },
})

function rekeyChunk(
  ctx: AppContext,
  { publisherId, publicationId, after }: { publisherId: number; publicationId: number; after: number },
): Promise<{ changed: number; last: number | null }> {
  return ctx.db.transaction(async () => {
    // Read for each chunk: the country may change again before the last one.
    const { homeCountry } = await publisherSettings(ctx, publisherId)
    const rows = await ctx.db.query<PostalKeys>(
      `SELECT id, post_code AS "postCode", mail_sort AS "mailSort", post_code_state AS "postCodeState" FROM readers
       WHERE publication_id = :publicationId AND id > :after AND country = '' ORDER BY id LIMIT ${batchSize}`,
      { publicationId, after },
    )
    const rekeyed = rows.flatMap((row) => {
      const keys = {
        mailSort: mailSort(row.postCode, homeCountry),
        postCodeState: postCodeState(row.postCode, homeCountry),
      }
      const isSame = keys.mailSort === row.mailSort && keys.postCodeState === row.postCodeState
      return isSame ? [] : [{ id: Number(row.id), postCode: row.postCode, ...keys }]
    })
    const changed = await writePostalKeys(ctx, rekeyed)
    if (changed > 0) await readersChanged(ctx.db, publicationId)
    return { changed, last: rows.length < batchSize ? null : Number(rows.at(-1)?.id) }
  })
}
