import type { AppContext } from '../context.ts'
import type { FoundGroup } from '../ports/likely-finder.ts'
import { defaulted, defineTable, id, integer, json, real, ref, text } from '../table.ts'

/** `changed`: its readers have changed since the search. `apart`: a user has marked them as different readers. */
type GroupState = 'open' | 'merged' | 'apart' | 'changed'

export const LikelyGroups = defineTable('likely_groups', {
  id: id(),
  searchId: ref(),
  publicationId: ref(),
  /** 0 to 1. */
  confidence: real(),
  /** The confidence by the shipped weights, without the weights learned from the readers: an automatic merge needs both to be high. */
  shipped: defaulted(real()),
  /** The number of readers. */
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

/**
 * Stores the groups that a search has found, except those with a reader that was removed meanwhile. One that was changed or deactivated meanwhile
 * counts as changed since the search, as its version is no longer the one that was compared. Call it in a transaction.
 */
export async function addGroups(
  ctx: AppContext,
  { publicationId, searchId }: Search,
  groups: FoundGroup[],
): Promise<void> {
  const ids = groups.flatMap(({ members }) => members.map(({ readerId }) => readerId))
  if (ids.length === 0) return
  const existing = await ctx.db.query<{ id: number }>(`SELECT id FROM readers WHERE id IN (:ids)`, { ids })
  const remaining = new Set(existing.map(({ id }) => Number(id)))
  const complete = groups.filter(({ members }) => members.every(({ readerId }) => remaining.has(readerId)))
  if (complete.length === 0) return
  const values: Record<string, number> = { searchId, publicationId }
  const rows = complete.map(({ confidence, shipped, members }, index) => {
    values[`c${index}`] = confidence
    values[`s${index}`] = shipped
    values[`m${index}`] = members.length
    return `(:searchId, :publicationId, :c${index}, :s${index}, :m${index})`
  })
  const inserted = await ctx.db.query<{ id: number }>(
    `INSERT INTO likely_groups (search_id, publication_id, confidence, shipped, members) VALUES ${rows.join(', ')} RETURNING id`,
    values,
  )
  // In the order of the rows: both databases assign ascending ids within one statement.
  const groupIds = inserted.map(({ id }) => id).sort((a, b) => a - b)
  const members = complete.flatMap((group, index) =>
    group.members.map((member) => ({ ...member, groupId: groupIds[index] as number })),
  )
  for (let from = 0; from < members.length; from += 500) {
    const memberValues: Record<string, number | string> = {}
    const memberRows = members.slice(from, from + 500).map(({ groupId, readerId, version, fit, reasons }, index) => {
      Object.assign(memberValues, {
        [`g${index}`]: groupId,
        [`r${index}`]: readerId,
        [`v${index}`]: version,
        [`f${index}`]: fit,
        [`w${index}`]: JSON.stringify(reasons),
      })
      return `(:g${index}, :r${index}, :v${index}, :f${index}, :w${index})`
    })
    await ctx.db.run(
      `INSERT INTO likely_members (group_id, reader_id, version, fit, reasons) VALUES ${memberRows.join(', ')}`,
      memberValues,
    )
  }
}

/**
 * Updates PostgreSQL's statistics after a search has written its groups. Until autovacuum does so, the planner would scan both tables in full for
 * every 500 groups that are listed; SQLite uses the indexes anyway.
 */
export async function analyseGroups({ db }: Pick<AppContext, 'db'>): Promise<void> {
  if (db.dialect === 'postgres') await db.run('ANALYZE likely_groups, likely_members')
}

interface DropRequest {
  publicationId: number
  /** The groups of searches from this one up to `before`, exclusive. */
  from: number
  before: number
  /** Called in each transaction: throws when the groups no longer belong to the caller. */
  guard?: () => Promise<void>
}

/**
 * Deletes the groups of some of a publication's searches, in transactions small enough to block no other writer. Those that a bulk merge still works
 * on stay: the next search deletes them.
 */
export async function dropGroups(ctx: AppContext, { publicationId, from, before, guard }: DropRequest): Promise<void> {
  for (;;) {
    const old = await ctx.db.query<{ id: number }>(
      `SELECT id FROM likely_groups WHERE publication_id = :publicationId AND search_id >= :from AND search_id < :before
         AND search_id NOT IN (SELECT b.search_id FROM merge_batches b JOIN tasks t ON t.kind = 'merge-duplicates' AND t.subject_id = b.id
           WHERE b.publication_id = :publicationId AND t.state IN ('waiting', 'running')) LIMIT 1000`,
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

/** Marks a group as one of different readers; false if there is no such group that is open or changed. */
export async function markGroupDifferent(ctx: AppContext, publicationId: number, groupId: number): Promise<boolean> {
  const closed = await ctx.db.run(
    `UPDATE likely_groups SET state = 'apart' WHERE id = :groupId AND publication_id = :publicationId AND state IN ('open', 'changed')`,
    { groupId, publicationId },
  )
  return closed > 0
}

/** Marks a group as merged, and the open groups that contain one of these readers as changed. */
export async function settleGroups(
  ctx: AppContext,
  { publicationId, merged, readerIds }: { publicationId: number; merged: number | null; readerIds: number[] },
): Promise<void> {
  if (merged !== null) await LikelyGroups.update(ctx, { id: merged }, { state: 'merged' })
  await markChanged(ctx, publicationId, readerIds)
}

/** Marks the open groups that contain one of these readers, at least one, as changed. Call it in the transaction that changes them. */
export async function markChanged(
  { db }: Pick<AppContext, 'db'>,
  publicationId: number,
  readerIds: readonly number[],
): Promise<void> {
  await db.run(changedGroupsSql(':publicationId', ':readerIds'), { publicationId, readerIds: [...readerIds] })
}

/** SQL of `markChanged`, for writers with a separate connection. */
export const changedGroupsSql = (publicationId: string, readerIds: string) =>
  `UPDATE likely_groups SET state = 'changed' WHERE publication_id = ${publicationId} AND state = 'open'
     AND id IN (SELECT group_id FROM likely_members WHERE reader_id IN (${readerIds}))`

/** Reopens the group of an undone merge: its readers are again as they were compared. */
export async function reopenGroup(ctx: AppContext, groupId: number): Promise<void> {
  await LikelyGroups.update(ctx, { id: groupId, state: 'merged' }, { state: 'open' })
}
