import { z } from 'zod'
import { likelyFrom } from '../likely/group-pairs.rules.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { searchesOf, searchView } from './likely-search-row.ts'

/** How many groups of likely duplicates wait for review, for the card of Manage Data; null before the first search. */
export const countLikely = useCase({
  permission: 'reader:import',
  input: z.object({ publicationId: z.coerce.number('Required').int() }),
  transaction: 'none',
  async run(ctx, { publicationId }): Promise<{ groups: number | null; searchedAt: Date | null; isSearching: boolean }> {
    const publication = await ownPublication(ctx, { id: publicationId })
    const { shown, latest } = await searchesOf(ctx, publication.id)
    const isSearching = latest?.state === 'waiting' || latest?.state === 'running'
    if (!shown) return { groups: null, searchedAt: null, isSearching }
    const [count] = await ctx.db.query<{ n: number }>(
      `SELECT COUNT(*) AS n FROM likely_groups WHERE search_id = :searchId AND state = 'open' AND confidence >= :likelyFrom`,
      { searchId: shown.id, likelyFrom },
    )
    return { groups: Number(count?.n ?? 0), searchedAt: searchView(shown).finishedAt, isSearching }
  },
})
