import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { postalZone } from '../kernel/postal-zones.rules.ts'
import { livePostcodeFile } from '../postcodes/live-file.query.ts'
import { mailSort, mailSortStart, postCodeState } from '../postcodes/post-code.rules.ts'
import { postCodeStateOf } from '../postcodes/post-code-state-of.ts'
import { isOutsidePostcodeFiles, postcodeKey } from '../postcodes/postcode-cell.rules.ts'
import { useCase } from '../use-case.ts'
import { homeCountryOf } from './home-country.query.ts'
import { readersChanged } from './reader-editions.rows.ts'
import { type PostalKeys, writePostalKeys } from './readers.rows.ts'
import { recheckPostCodes } from './recheck-post-codes.ts'

/** Readers per transaction: few enough that locks are short. */
const batchSize = 5_000

/**
 * The job after a publisher's country changed: a reader with a blank country lives there, so its place in the delivery order and the state
 * of its postcode depend on it. Returns how many readers it wrote; a repeated run writes none.
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
    for (const { id } of publications) changed += await rekeyPublication(ctx, id)
    return { changed }
  },
})

/**
 * Recomputes the postal keys of a publication's readers that were stored for another country of its publisher, then checks all postcodes against the
 * publication's own file, if any. Returns how many readers got new keys.
 */
export async function rekeyPublication(ctx: Pick<AppContext, 'db'>, publicationId: number): Promise<number> {
  let changed = 0
  for (let after: number | null = 0; after !== null; ) {
    const chunk = await rekeyChunk(ctx, { publicationId, after })
    changed += chunk.changed
    after = chunk.last
  }
  await recheckPostCodes(ctx.db, { publicationId })
  return changed
}

/** The readers without a country whose place in the delivery order does not begin with `start`, the prefix of the publisher's country. */
const foreignSql = `SELECT id, post_code AS "postCode", mail_sort AS "mailSort", post_code_state AS "postCodeState" FROM readers
  WHERE publication_id = :publicationId AND country = '' AND mail_sort NOT LIKE :start`

function rekeyChunk(
  ctx: Pick<AppContext, 'db'>,
  { publicationId, after }: { publicationId: number; after: number },
): Promise<{ changed: number; last: number | null }> {
  return ctx.db.transaction(async () => {
    // Read for each chunk: the country may change again before the last one.
    const homeCountry = await homeCountryOf(ctx, publicationId)
    const isInFiles = postalZone(homeCountry) === 'uk' && Boolean(await livePostcodeFile(ctx.db, publicationId))
    const rows = await ctx.db.query<PostalKeys>(`${foreignSql} AND id > :after ORDER BY id LIMIT ${batchSize}`, {
      publicationId,
      after,
      start: `${mailSortStart(homeCountry)}%`,
    })
    const rekeyed = rows.map(({ id, postCode, postCodeState: formerState }) => {
      const state = postCodeState(postCode, homeCountry)
      const key = isInFiles && state === 'ok' && formerState === 'queried' ? postcodeKey(postCode) : null
      // Stays queried until it is looked up in the publication's file: a mailing file made meanwhile must not include it.
      const isUnchecked = key !== null && !isOutsidePostcodeFiles(key)
      const keys = { mailSort: mailSort(postCode, homeCountry), postCodeState: isUnchecked ? formerState : state }
      return { id: Number(id), postCode, ...keys }
    })
    const changed = await writePostalKeys(ctx, rekeyed)
    if (changed > 0) await readersChanged(ctx.db, publicationId)
    return { changed, last: rows.length < batchSize ? null : Number(rows.at(-1)?.id) }
  })
}

/**
 * Updates the postal keys of restored readers: the publisher's country and the publication's postcode file may have changed meanwhile.
 * Call it in the transaction that restores them.
 */
export async function rekeyRestored(ctx: AppContext, publicationId: number, ids: readonly number[]): Promise<void> {
  // PostgreSQL refuses an empty list.
  if (ids.length === 0) return
  const homeCountry = await homeCountryOf(ctx, publicationId)
  const rows = await ctx.db.query<PostalKeys>(`${foreignSql} AND id IN (:ids)`, {
    publicationId,
    ids: [...ids],
    start: `${mailSortStart(homeCountry)}%`,
  })
  const rekeyed: PostalKeys[] = []
  for (const { id, postCode } of rows)
    rekeyed.push({
      id: Number(id),
      postCode,
      mailSort: mailSort(postCode, homeCountry),
      postCodeState: await postCodeStateOf(ctx, publicationId, postCode, homeCountry),
    })
  await writePostalKeys(ctx, rekeyed)
  await recheckPostCodes(ctx.db, { publicationId, ids })
}
