import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { type FixRow, type FixView, fixRow, fixView, isBusy, undoDays } from './fix-row.ts'
import { workOnFix } from './run-fix.ts'

/** So many readers are put back at once; of more the worker takes care. */
const atOnce = 2000

/** Puts the readers of a fix back as they were, for thirty days. Those that were changed since stay as they are, and are counted. */
export const undoFix = useCase({
  permission: 'reader:import',
  input: z.object({
    fixId: z.coerce.number('The fix was not found').int(),
    isWaiting: z.boolean().default(false),
    onProgress: z.custom<(fix: FixView) => void>().optional(),
    signal: z.custom<AbortSignal>().optional(),
  }),
  transaction: 'none',
  async run(ctx, input): Promise<FixView> {
    const begun = await ctx.db.transaction(() => beginUndo(ctx, input.fixId))
    if (begun.fixed > atOnce && !input.isWaiting) return begun
    return (await workOnFix(ctx, begun.id, input)) ?? begun
  },
})

async function beginUndo(ctx: AppContext, fixId: number): Promise<FixView> {
  const { publisherId } = tenantOf(ctx)
  const [own] = await ctx.db.query<{ publisher_id: number }>(
    `SELECT p.publisher_id FROM reader_fixes f JOIN publications p ON p.id = f.publication_id
     WHERE f.id = :fixId AND p.removed_at IS NULL ${publisherId === undefined ? '' : 'AND p.publisher_id = :publisherId'}`,
    { fixId, publisherId: publisherId ?? null },
  )
  const fix = own && (await fixRow(ctx, fixId))
  if (!fix) throw notFound('The fix')
  const { state, canUndo, fixed } = fixView(fix, ctx.now())
  if (isBusy(fix)) throw conflict('This fix is still at work', { hint: 'Wait until it has ended.' })
  if (state === 'undone') throw conflict('This fix was undone before')
  if (!canUndo) {
    throw conflict(
      fixed === 0
        ? 'This fix changed no reader'
        : `This fix is more than ${undoDays} days old and cannot be undone any more`,
    )
  }
  const [row] = await ctx.db.query<FixRow>(
    `UPDATE reader_fixes SET state = 'undoing', last_reader_id = 0 WHERE id = :fixId RETURNING *`,
    { fixId },
  )
  // Without a key: one that failed is asked for once more, and that is another job. Two at once are told apart by the state.
  await ctx.jobs.enqueue('fix-readers', { fixId }, { publisherId: own.publisher_id })
  const subject = { type: 'publication', id: fix.publication_id, publisherId: own.publisher_id }
  await recordAudit(ctx, 'undo-fix', subject, { fix: fixId, kind: fix.kind })
  return fixView(row as FixRow, ctx.now())
}
