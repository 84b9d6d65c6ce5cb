import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { hasPublicationRef, publicationOf, publicationRef } from '../publications/publication-ref.input.ts'
import { useCase } from '../use-case.ts'
import { activeOnly } from '../warnings/list-conditions.ts'
import { type DuplicateList, duplicateKeys, duplicateListOf, type GroupRow } from '../warnings/warnings.rules.ts'
import { type DuplicateGroup, withReaders } from './list-duplicates.query.ts'

const chunkSize = 200
/** Only the first readers of a larger group are listed: scripts do not merge a group of this size, such as a whole street. */
const maxReaders = 100

/** Every group of exact duplicates by its keys, read lazily: for scripts and files. */
export const exactGroups = useCase({
  permission: 'reader:import',
  input: z
    .object({ ...publicationRef, list: z.enum(duplicateKeys, 'Choose a kind of duplicate') })
    .refine(...hasPublicationRef),
  transaction: 'none',
  async run(ctx, input): Promise<AsyncIterable<DuplicateGroup>> {
    const { id } = await ownPublication(ctx, publicationOf(input))
    return everyGroup(ctx, id, duplicateListOf(input.list))
  },
})

async function* everyGroup(
  ctx: AppContext,
  publicationId: number,
  list: DuplicateList,
): AsyncGenerator<DuplicateGroup> {
  let after: string[] | null = null
  for (;;) {
    const groups = await groupsAfter(ctx, publicationId, list, after, chunkSize)
    yield* groups
    after = groups.at(-1)?.keys ?? null
    if (groups.length < chunkSize) return
  }
}

/** The next groups after these keys, with their readers. */
export async function groupsAfter(
  ctx: AppContext,
  publicationId: number,
  list: DuplicateList,
  after: readonly string[] | null,
  limit: number,
): Promise<DuplicateGroup[]> {
  const { keys } = list
  const columns = keys.join(', ')
  const afterCondition = after ? `AND (${columns}) > (${keys.map((_, index) => `:after${index}`).join(', ')})` : ''
  const rows = await ctx.db.query<GroupRow>(
    `SELECT ${columns}, COUNT(*) AS n FROM readers
     WHERE publication_id = :publicationId AND ${activeOnly(ctx.db)} AND ${keys.map((key) => `${key} <> ''`).join(' AND ')} ${afterCondition}
     GROUP BY ${columns} HAVING COUNT(*) > 1 ORDER BY ${columns} LIMIT :limit`,
    {
      publicationId,
      limit,
      ...Object.fromEntries((after ?? []).map((key, index) => [`after${index}`, key])),
    },
  )
  return withReaders(ctx, list, publicationId, rows, maxReaders)
}
