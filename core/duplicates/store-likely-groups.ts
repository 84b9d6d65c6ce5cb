import type { AppContext } from '../context.ts'
import type { FoundGroup } from '../ports/likely-finder.ts'

interface Search {
  publicationId: number
  searchId: number
}

/** Stores the groups of a search batch by batch, then lets go of those of the searches before. Nobody sees them before the search is done. */
export async function storeGroups(ctx: AppContext, search: Search, found: AsyncIterable<FoundGroup[]>): Promise<void> {
  for await (const groups of found)
    if (groups.length > 0) await ctx.db.transaction(() => storeBatch(ctx, search, groups))
  await dropGroups(ctx, { ...search, from: 0 })
}

async function storeBatch(ctx: AppContext, { publicationId, searchId }: Search, groups: FoundGroup[]): Promise<void> {
  const ids = groups.flatMap(({ members }) => members.map(({ readerId }) => readerId))
  const versions = new Map(
    (
      await ctx.db.query<{ id: number; version: number }>(`SELECT id, version FROM readers WHERE id IN (:ids)`, { ids })
    ).map(({ id, version }) => [id, version]),
  )
  // A reader who was removed while the search ran.
  const whole = groups.filter(({ members }) => members.every(({ readerId }) => versions.has(readerId)))
  if (whole.length === 0) return
  const values: Record<string, number> = { searchId, publicationId }
  const rows = whole.map(({ confidence, members }, at) => {
    values[`c${at}`] = confidence
    values[`m${at}`] = members.length
    return `(:searchId, :publicationId, :c${at}, :m${at})`
  })
  const made = await ctx.db.query<{ id: number }>(
    `INSERT INTO likely_groups (search_id, publication_id, confidence, members) VALUES ${rows.join(', ')} RETURNING id`,
    values,
  )
  // In the order they were given: ids of one statement rise with its rows on both engines.
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

/** Lets go of the groups of a publication's searches from one up to, but not with, another. */
export async function dropGroups(
  ctx: AppContext,
  { publicationId, searchId, from }: Search & { from: number },
): Promise<void> {
  for (;;) {
    const old = await ctx.db.query<{ id: number }>(
      `SELECT id FROM likely_groups WHERE publication_id = :publicationId AND search_id >= :from AND search_id < :searchId LIMIT 1000`,
      { publicationId, searchId, from },
    )
    if (old.length === 0) return
    const ids = old.map(({ id }) => id)
    await ctx.db.transaction(async () => {
      await ctx.db.run(`DELETE FROM likely_members WHERE group_id IN (:ids)`, { ids })
      await ctx.db.run(`DELETE FROM likely_groups WHERE id IN (:ids)`, { ids })
    })
  }
}
