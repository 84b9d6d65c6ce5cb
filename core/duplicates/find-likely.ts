import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { asInstant } from '../database.ts'
import { conflict } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { type LikelySearchView, type SearchRow, searchesOf, searchView } from './likely-search-row.ts'

/** A search that says nothing for so long has lost its process. */
export const searchLock = 60_000

/** Asks for a search of a publication's readers for likely duplicates; the worker does it. One at a time per publication. */
export const findLikely = useCase({
  permission: 'reader:import',
  input: z.object({ publicationId: z.coerce.number('Required').int() }),
  async run(ctx, { publicationId }): Promise<LikelySearchView> {
    const publication = await ownPublication(ctx, { id: publicationId })
    const search = await beginSearch(ctx, publication.id)
    const job = { publicationId: publication.id, searchId: search.id }
    await ctx.jobs.enqueue('find-likely', job, {
      dedupeKey: `find-likely-${search.id}`,
      publisherId: publication.publisherId,
    })
    await recordAudit(ctx, 'find-likely', {
      type: 'publication',
      id: publication.id,
      publisherId: publication.publisherId,
    })
    return search
  },
})

/** Makes the row of a search, in the running transaction; refused while another one is waiting or running. */
export async function beginSearch(ctx: AppContext, publicationId: number): Promise<LikelySearchView> {
  if (ctx.db.dialect === 'postgres') {
    await ctx.db.query(`SELECT id FROM publications WHERE id = :publicationId FOR UPDATE`, { publicationId })
  }
  const { latest } = await searchesOf(ctx, publicationId)
  if (latest && isUnderWay(ctx, latest)) {
    throw conflict('A search for likely duplicates of this publication is running', {
      hint: 'Wait until it has ended, or cancel it.',
    })
  }
  const now = ctx.now()
  const [row] = await ctx.db.query<SearchRow>(
    `INSERT INTO likely_searches (publication_id, state, actor_kind, actor_id, asked_at, locked_until)
     VALUES (:publicationId, 'waiting', :actorKind, :actorId, :now, :until) RETURNING *`,
    {
      publicationId,
      actorKind: ctx.actor.kind,
      actorId: ctx.actor.kind === 'staff' ? ctx.actor.userId : null,
      now,
      // A worker that is busy with a long import comes to it later.
      until: new Date(now.getTime() + 30 * searchLock),
    },
  )
  if (!row) throw new Error('A search was not stored')
  return searchView(row)
}

function isUnderWay(ctx: AppContext, { state, locked_until }: SearchRow): boolean {
  const isOpen = state === 'waiting' || state === 'running'
  return isOpen && locked_until !== null && asInstant(locked_until) > ctx.now()
}
