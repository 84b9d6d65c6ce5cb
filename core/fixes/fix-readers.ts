import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { conflict } from '../kernel/errors.ts'
import { countOf as countText } from '../kernel/words.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { namesPublication, publicationOf, whichPublication } from '../publications/which-publication.input.ts'
import { useCase } from '../use-case.ts'
import { countOf } from '../warnings/count-warnings.query.ts'
import { type FixKind, fixKindNames, fixKinds } from './fix-kinds.ts'
import { type FixRow, type FixView, fixView } from './fix-row.ts'
import { workOnFix } from './run-fix.ts'

/** So many readers are put right at once; of more the worker takes care. */
const atOnce = 2000

/**
 * Puts right what can be told of a whole list: makes full names of their parts, takes name fields out of full names, or moves parts of
 * addresses to their fields. A long list is left to the worker unless `isWaiting`; the undo is `undoFix`, for thirty days.
 */
export const fixReaders = useCase({
  permission: 'reader:import',
  input: z
    .object({
      ...whichPublication,
      publicationId: z.coerce.number('Required').int().optional(),
      kind: z.enum(fixKindNames, 'Choose what to put right'),
      isWaiting: z.boolean().default(false),
      onProgress: z.custom<(fix: FixView) => void>().optional(),
      signal: z.custom<AbortSignal>().optional(),
    })
    .refine(namesPublication, 'Name the publication'),
  transaction: 'none',
  async run(ctx, input): Promise<FixView> {
    const publication = await ownPublication(ctx, publicationOf(input))
    const count = await countOf(ctx, publication.id, fixKinds[input.kind].list)
    const begun = await ctx.db.transaction(() => beginFix(ctx, { publication, kind: input.kind, readerId: null }))
    if (count > atOnce && !input.isWaiting) return begun
    return (await workOnFix(ctx, begun.id, input)) ?? begun
  },
})

interface Begin {
  publication: { id: number; publisherId: number }
  kind: FixKind
  readerId: number | null
}

/** Makes the row of a fix and leaves its job, in the running transaction. Refused while another one of the publication is at work. */
export async function beginFix(ctx: AppContext, { publication, kind, readerId }: Begin): Promise<FixView> {
  const publicationId = publication.id
  if (ctx.db.dialect === 'postgres') {
    await ctx.db.query(`SELECT id FROM publications WHERE id = :publicationId FOR UPDATE`, { publicationId })
  }
  const [busy] = await ctx.db.query<FixRow>(
    `SELECT * FROM reader_fixes WHERE publication_id = :publicationId AND state IN ('waiting', 'running', 'undoing') LIMIT 1`,
    { publicationId },
  )
  if (busy) {
    const done = countText(Number(busy.fixed), 'reader')
    throw conflict(
      `Another automatic fix of this publication is at work (${fixKinds[busy.kind].label}, ${done} so far)`,
      {
        hint: 'Wait until it has ended.',
      },
    )
  }
  const [row] = await ctx.db.query<FixRow>(
    `INSERT INTO reader_fixes (publication_id, kind, reader_id, state, actor_kind, actor_id, started_at)
     VALUES (:publicationId, :kind, :readerId, 'waiting', :actorKind, :actorId, :now) RETURNING *`,
    {
      publicationId,
      kind,
      readerId,
      actorKind: ctx.actor.kind,
      actorId: ctx.actor.kind === 'staff' ? ctx.actor.userId : null,
      now: ctx.now(),
    },
  )
  if (!row) throw new Error('A fix was not stored')
  // Also where it is done at once: should the process end in the middle, the worker goes on.
  await ctx.jobs.enqueue(
    'fix-readers',
    { fixId: row.id },
    { dedupeKey: `fix-readers-${row.id}`, publisherId: publication.publisherId },
  )
  const subject =
    readerId === null
      ? { type: 'publication', id: publicationId, publisherId: publication.publisherId }
      : { type: 'reader', id: readerId, publisherId: publication.publisherId }
  await recordAudit(ctx, 'fix-readers', subject, { fix: row.id, kind })
  return fixView(row, ctx.now())
}
