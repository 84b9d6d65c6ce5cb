import type { AppContext } from '../context.ts'
import { rowLock } from '../dialect.ts'
import { day, defaulted, defineTable, flag, id, instant, integer, nullable, type RowOf, ref, text } from '../table.ts'

export const Publications = defineTable('publications', {
  id: id(),
  publisherId: ref(),
  publicationName: text(),
  urlKey: text(),
  /** Lower case: unique without regard to case. */
  urlKeyLower: text(),
  issuesPerYear: defaulted(integer()),
  color: defaulted(text()),
  publicationInfo: defaulted(text()),
  webAddress: defaulted(text()),
  emailAddress: defaulted(text()),
  orderEmailAddress: defaulted(text()),
  ccEmail: defaulted(text()),
  sampleEdition: defaulted(text()),
  coverImage: nullable(text()),
  logoImage: nullable(text()),
  sellsBackIssues: defaulted(flag()),
  digitalIsFree: defaulted(flag()),
  printIsFree: defaulted(flag()),
  bundleIsFree: defaulted(flag()),
  questionA: defaulted(text()),
  questionB: defaulted(text()),
  questionC: defaulted(text()),
  questionD: defaulted(text()),
  questionE: defaulted(text()),
  iosAppLink: defaulted(text()),
  androidAppLink: defaulted(text()),
  kindleAppLink: defaulted(text()),
  digitalEditionLink: defaulted(text()),
  facebook: defaulted(text()),
  twitter: defaulted(text()),
  instagram: defaulted(text()),
  youtube: defaulted(text()),
  emailText: defaulted(text()),
  emailEnd: defaulted(text()),
  readerPlatformKey: nullable(text()),
  referencesMade: defaulted(integer()),
  referenceShift: defaulted(integer()),
  removedAt: nullable(instant()),
  /** When it was paused because its publisher's plan includes fewer titles: hidden from sale, and otherwise unchanged. */
  pausedAt: nullable(instant()),
  /** A title for trying things out: invented, not for sale, counted nowhere. */
  isExample: defaulted(flag()),
  /** The day from which its circulation is known; null: from its first day. */
  circulationFrom: nullable(day()),
  createdAt: instant(),
  updatedAt: instant(),
})

export type PublicationRow = RowOf<typeof Publications>

/** Locks a publication until the end of the transaction; rows that refer to it, such as orders, can still be added. */
export async function lockPublication({ db }: Pick<AppContext, 'db'>, id: number): Promise<void> {
  await db.query(`SELECT id FROM publications WHERE id = :id ${rowLock(db, { isKeyFree: true })}`, { id })
}

/**
 * Takes `:count` numbers for readers' references from `:publicationId`; the very first call also fixes its `:shift`. A string, because an
 * import runs it on its own connection.
 */
export const takeReferencesSql = `
UPDATE publications SET
  reference_shift = CASE WHEN references_made = 0 AND reference_shift = 0 THEN :shift ELSE reference_shift END,
  references_made = references_made + :count
WHERE id = :publicationId
RETURNING publication_name, references_made, reference_shift`

/** Fixes the shift of a publication's references before the first is taken, so that the next one can be shown. */
export async function fixReferenceShift(ctx: AppContext, id: number, shift: number): Promise<void> {
  await ctx.db.run(
    `UPDATE publications SET reference_shift = :shift WHERE id = :id AND references_made = 0 AND reference_shift = 0`,
    { id, shift },
  )
}

/** Hides titles of a publisher from sale, or puts them on sale again. Idempotent. */
export async function setPaused(
  ctx: AppContext,
  publisherId: number,
  ids: readonly number[],
  isPaused: boolean,
): Promise<void> {
  if (ids.length === 0) return
  await ctx.db.run(
    `UPDATE publications SET paused_at = :pausedAt, updated_at = :now
     WHERE publisher_id = :publisherId AND id IN (:ids) AND paused_at IS ${isPaused ? 'NULL' : 'NOT NULL'}`,
    { pausedAt: isPaused ? ctx.now() : null, now: ctx.now(), publisherId, ids },
  )
}

/** Marks a new title as an example, and sets its pictures. */
export async function markExample(
  ctx: AppContext,
  id: number,
  { cover, logo }: { cover: string; logo: string },
): Promise<void> {
  await Publications.update(ctx, { id }, { isExample: true, coverImage: cover, logoImage: logo })
}
