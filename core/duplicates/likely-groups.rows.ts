import type { AppContext } from '../context.ts'
import type { FoundGroup } from '../ports/likely-finder.ts'
import { defaulted, defineTable, id, integer, json, real, ref, text } from '../table.ts'

/** `changed`: its readers changed since. `apart`: somebody has marked them as different readers. */
type GroupState = 'open' | 'merged' | 'apart' | 'changed'

export const LikelyGroups = defineTable('likely_groups', {
  id: id(),
  searchId: ref(),
  publicationId: ref(),
  /** 0 to 1. */
  confidence: real(),
  /** The same by the default weights, without what was learned of the readers: an automatic merge needs both. */
  shipped: defaulted(real()),
  /** How many there are. */
  members: integer(),
  state: defaulted(text<GroupState>()),
})

export const LikelyMembers = defineTable('likely_members', {
  id: id(),
  groupId: ref(),
  readerId: ref(),
  /** The reader's version when it was compared. */
  version: integer(),
  /** How well it fits the others, 0 to 1. */
  fit: real(),
  reasons: json<string[]>(),
})

interface Search {
  publicationId: number
  searchId: number
}

/** Stores groups that a search has found, except those of which a reader was removed since. Call it in a transaction. */
export async function addGroups(
  ctx: AppContext,
  { publicationId, searchId }: Search,
  groups: FoundGroup[],
): Promise<void> {
  const ids = groups.flatMap(({ members }) => members.map(({ readerId }) => readerId))
  if (ids.length === 0) return
  const versions = new Map(
    (
      await ctx.db.query<{ id: number; version: number }>(`SELECT id, version FROM readers WHERE id IN (:ids)`, { ids })
    ).map(({ id, version }) => [id, version]),
  )
  const whole = groups.filter(({ members }) => members.every(({ readerId }) => versions.has(readerId)))
  if (whole.length === 0) return
  const values: Record<string, number> = { searchId, publicationId }
  const rows = whole.map(({ confidence, shipped, members }, at) => {
    values[`c${at}`] = confidence
    values[`s${at}`] = shipped
    values[`m${at}`] = members.length
    return `(:searchId, :publicationId, :c${at}, :s${at}, :m${at})`
  })
  const made = await ctx.db.query<{ id: number }>(
    `INSERT INTO likely_groups (search_id, publication_id, confidence, shipped, members) VALUES ${rows.join(', ')} RETURNING id`,
    values,
  )
  // In their given order: ids of one statement rise with its rows on both engines.
  const groupIds = made.map(({ id }) => id).sort((a, b) => a - b)
  const members = whole.flatMap((group, at) =>
    group.members.map((member) => ({ ...member, groupId: groupIds[at] as number })),
  )
  for (let from = 0; from < members.length; from += 500) {
    const more: Record<string, number | string> = {}
    const lines = members.slice(from, from + 500).map(({ groupId, readerId, fit, reasons }, at) => {
      Object.assign(more, {
        [`g${at}`]: groupId,
        [`r${at}`]: readerId,
        [`v${at}`]: versions.get(readerId) ?? 0,
        [`f${at}`]: fit,
        [`w${at}`]: JSON.stringify(reasons),
      })
      return `(:g${at}, :r${at}, :v${at}, :f${at}, :w${at})`
    })
    await ctx.db.run(
      `INSERT INTO likely_members (group_id, reader_id, version, fit, reasons) VALUES ${lines.join(', ')}`,
      more,
    )
  }
}

/**
 * Updates PostgreSQL's statistics of what a search wrote. Without them it reads all of both tables for every 500 groups that are listed, until its
 * own autovacuum runs; SQLite walks the indexes anyway.
 */
export async function analyseGroups({ db }: Pick<AppContext, 'db'>): Promise<void> {
  if (db.dialect === 'postgres') await db.run('ANALYZE likely_groups, likely_members')
}

interface Dropping {
  publicationId: number
  /** The groups of searches from this one up to `before`, exclusive. */
  from: number
  before: number
  /** Called in each transaction: throws when the groups no longer belong to the caller. */
  guard?: () => Promise<void>
}

/** Deletes the groups of some of a publication's searches, in chunks small enough to block nobody. */
export async function dropGroups(ctx: AppContext, { publicationId, from, before, guard }: Dropping): Promise<void> {
  for (;;) {
    const old = await ctx.db.query<{ id: number }>(
      `SELECT id FROM likely_groups WHERE publication_id = :publicationId AND search_id >= :from AND search_id < :before LIMIT 1000`,
      { publicationId, from, before },
    )
    if (old.length === 0) return
    const ids = old.map(({ id }) => id)
    await ctx.db.transaction(async () => {
      await guard?.()
      await ctx.db.run(`DELETE FROM likely_members WHERE group_id IN (:ids)`, { ids })
      await ctx.db.run(`DELETE FROM likely_groups WHERE id IN (:ids)`, { ids })
    })
  }
}

/** Records that the readers of a group are different ones; false where there is no such open group. */
export async function markGroupDifferent(ctx: AppContext, publicationId: number, groupId: number): Promise<boolean> {
  const closed = await ctx.db.run(
    `UPDATE likely_groups SET state = 'apart' WHERE id = :groupId AND publication_id = :publicationId AND state IN ('open', 'changed')`,
    { groupId, publicationId },
  )
  return closed > 0
}

/** Marks a group as merged, and others that name one of these readers as changed. */
export async function settleGroups(
  ctx: AppContext,
  { publicationId, merged, readerIds }: { publicationId: number; merged: number | null; readerIds: number[] },
): Promise<void> {
  if (merged !== null) await LikelyGroups.update(ctx, { id: merged }, { state: 'merged' })
  await ctx.db.run(
    `UPDATE likely_groups SET state = 'changed' WHERE publication_id = :publicationId AND state = 'open'
       AND id IN (SELECT group_id FROM likely_members WHERE reader_id IN (:readerIds))`,
    { publicationId, readerIds },
  )
}

/** Opens the group of an undone merge again. What was compared still holds, except for the survivor's version. */
export async function reopenGroup(
  ctx: AppContext,
  groupId: number,
  survivor: { id: number; version: number },
): Promise<void> {
  await LikelyGroups.update(ctx, { id: groupId, state: 'merged' }, { state: 'open' })
  await LikelyMembers.update(ctx, { groupId, readerId: survivor.id }, { version: survivor.version })
}
