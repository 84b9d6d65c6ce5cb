import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { conflict } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { hasPublicationRef, publicationOf, publicationRef } from '../publications/publication-ref.input.ts'
import { readerSelection } from '../readers/reader-selection.input.ts'
import { runInline } from '../tasks/run-task.ts'
import { startInline, startTask, type TaskRequest } from '../tasks/start-task.ts'
import { useCase } from '../use-case.ts'
import { countInList } from '../warnings/count-warnings.query.ts'
import { type FixKind, fixKindNames, fixKinds } from './fix-kinds.ts'
import { type FixView, fixById, fixesBusy, fixesLock } from './fix-row.ts'
import { listFingerprint } from './fixable-rows.query.ts'
import { ReaderFixes } from './reader-fixes.rows.ts'
import { type FixProgress, fixHandler } from './run-fix.ts'

/** Up to this many readers are fixed immediately; the worker fixes more. */
const maxInline = 2000

/**
 * Fixes the readers of a whole list that can be fixed automatically: composes full names from their parts, takes name
 * fields out of full names, or moves parts of addresses to their fields. A long list is left to the worker unless
 * `isWaiting`; `undoFix` reverts it within thirty days.
 */
export const fixReaders = useCase({
  permission: 'reader:import',
  input: z
    .object({
      ...publicationRef,
      publicationId: z.coerce.number('Required').int().optional(),
      kind: z.enum(fixKindNames, 'Choose what to fix'),
      /** Only these readers of the list, at most 2,000. */
      readerIds: readerSelection.optional(),
      /** The fingerprint of the list that was previewed: the fix is refused if the list is another one now. */
      fingerprint: z.string().max(100).optional(),
      isWaiting: z.boolean().default(false),
      onProgress: z.custom<FixProgress>().optional(),
      signal: z.custom<AbortSignal>().optional(),
    })
    .refine(...hasPublicationRef),
  transaction: 'none',
  async run(ctx, input): Promise<FixView> {
    const publication = await ownPublication(ctx, publicationOf(input))
    const { kind, readerIds = null, fingerprint } = input
    if (fingerprint && fingerprint !== (await listFingerprint(ctx, { publicationId: publication.id, kind })))
      throw conflict('The list has changed since its preview, so nothing was fixed', { hint: 'Preview the fix again.' })
    const count = readerIds?.length ?? (await countInList(ctx, publication.id, fixKinds[kind].list))
    const request = { publication, kind, readerId: null, readerIds, count }
    if (count > maxInline && !input.isWaiting) {
      const task = await ctx.db.transaction(() =>
        beginFix(ctx, request, (taskRequest) => startTask(ctx, 'fix-readers', taskRequest)),
      )
      return fixById(ctx, Number(task.subjectId))
    }
    return fixNow(ctx, request, input)
  },
})

interface FixRequest {
  publication: { id: number; publisherId: number }
  kind: FixKind
  readerId: number | null
  /** Only these readers of the list. */
  readerIds?: number[] | null
  /** How many readers are to be processed. */
  count: number
}

interface Watcher {
  onProgress?: FixProgress | undefined
  signal?: AbortSignal | undefined
}

/** Adds a fix and runs it in this process. If the signal stops it, it can be resumed. */
export async function fixNow(
  ctx: AppContext,
  request: FixRequest,
  { onProgress, signal }: Watcher = {},
): Promise<FixView> {
  const task = await ctx.db.transaction(() =>
    beginFix(ctx, request, (taskRequest) => startInline<{ after: number }>(ctx, 'fix-readers', taskRequest)),
  )
  await runInline(ctx, fixHandler(onProgress), task, signal)
  return fixById(ctx, Number(task.subjectId))
}

/** Adds the row of a fix and starts its task, in the running transaction. Refused while another fix of the publication is running. */
async function beginFix<Started>(
  ctx: AppContext,
  { publication, kind, readerId, readerIds = null, count }: FixRequest,
  start: (taskRequest: TaskRequest) => Promise<Started>,
): Promise<Started> {
  const fixId = await ReaderFixes.insert(ctx, { publicationId: publication.id, kind, readerId, readerIds })
  const started = await start({
    publication,
    subjectId: fixId,
    lockKey: fixesLock(publication.id),
    total: count,
    busy: (holder) => fixesBusy(ctx, holder),
  })
  const subject =
    readerId === null
      ? { type: 'publication', id: publication.id, publisherId: publication.publisherId }
      : { type: 'reader', id: readerId, publisherId: publication.publisherId }
  await recordAudit(ctx, 'fix-readers', subject, { fix: fixId, kind })
  return started
}
