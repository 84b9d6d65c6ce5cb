import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import { PageInput } from '../kernel/paging.ts'
import { countOf, formatCount } from '../kernel/text-format.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { hasPublicationRef, publicationOf, publicationRef } from '../publications/publication-ref.input.ts'
import { maxSelected, readerSelection } from '../readers/reader-selection.input.ts'
import { lockReaders } from '../readers/readers.rows.ts'
import { runInline } from '../tasks/run-task.ts'
import { startInline, startTask, type TaskRequest } from '../tasks/start-task.ts'
import type { Task } from '../tasks/task.ts'
import { useCase } from '../use-case.ts'
import { listedIds, readerListKeys } from '../warnings/list-warning.query.ts'
import { countListed, type ListedReaders, refuseAfterImport } from './listed-readers.query.ts'
import { ReaderRemovals } from './reader-removals.rows.ts'
import { type RemovalView, removalById, removalsBusy, removalsLock } from './removal-row.ts'
import { type RemovalProgress, recordRemoval, removalHandler, removeTogether } from './run-removal.ts'

/** Up to this many readers are removed immediately, all of them or none; the worker removes more. */
const maxInline = maxSelected

/**
 * Removes readers that were ticked, or all readers of a list that match a search; the effect on each is as in `removeReader`. For thirty days
 * `restoreReaders` restores them together.
 *
 * Up to 2,000 are removed at once, all or none: refused if the list is not the one that was shown. A longer list is left to the worker unless
 * `isWaiting`; readers that were added or changed since it was shown stay, and are counted. `gone`: readers that no longer existed.
 */
export const removeReaders = useCase({
  permission: 'reader:import',
  input: z
    .object({
      ...publicationRef,
      publicationId: z.coerce.number('Required').int().optional(),
      readerIds: readerSelection.optional(),
      list: z.enum(readerListKeys, 'Choose a list').optional(),
      q: PageInput.shape.q,
      /** How many readers the user was shown in the list, and when. */
      count: z.coerce.number('Must be a number').int().optional(),
      shownAt: z.coerce.date('Must be a moment').optional(),
      isWaiting: z.boolean().default(false),
      onProgress: z.custom<RemovalProgress>().optional(),
      signal: z.custom<AbortSignal>().optional(),
    })
    .refine(...hasPublicationRef)
    .refine(({ readerIds, list }) => (readerIds === undefined) !== (list === undefined), {
      path: ['list'],
      message: 'Choose readers, or a list',
    }),
  transaction: 'none',
  async run(ctx, input): Promise<RemovalView & { gone: number }> {
    const { readerIds, list, q = '', count, isWaiting, onProgress, signal } = input
    const { id, publisherId } = await ownPublication(ctx, publicationOf(input))
    const publication = { id, publisherId }
    const now = ctx.now()
    const shownAt = input.shownAt && input.shownAt < now ? input.shownAt : now
    if (readerIds || !list)
      return removeNow(ctx, publication, { readerIds: readerIds ?? [], list: null, q: '', shownAt })
    const listed = { publicationId: id, list, q, shownAt }
    const { total, unchanged } = await countListed(ctx, listed)
    if (total <= maxInline) {
      const shownIds = await listedIds(ctx, { publicationId: id, list, q, count, shownAt: input.shownAt })
      if (shownIds.length === 0) throw notFound('None of the readers')
      return removeNow(ctx, publication, { ...listed, readerIds: shownIds })
    }
    if (count !== undefined && (count <= maxInline || unchanged > count))
      throw conflict(`The list has ${countOf(total, 'reader')} now, not ${formatCount(count)}`, {
        hint: 'Nothing was changed. Check the list again.',
      })
    await refuseAfterImport(ctx, listed)
    const begin = <Started extends Task>(start: (work: TaskRequest) => Promise<Started>) =>
      ctx.db.transaction(() => beginRemoval(ctx, publication, { listed, total }, start))
    const task = isWaiting
      ? await begin((work) => startInline<{ after: number }>(ctx, 'remove-readers', work))
      : await begin((work) => startTask(ctx, 'remove-readers', work))
    if (isWaiting) await runInline(ctx, removalHandler(onProgress), task as Task<{ after: number }>, signal)
    return { ...(await removalById(ctx, Number(task.subjectId))), gone: 0 }
  },
})

type OwnPublication = { id: number; publisherId: number }

/** Removes readers in one transaction. Those of a list have been compared with what the user was shown. */
function removeNow(
  ctx: AppContext,
  publication: OwnPublication,
  {
    readerIds,
    ...facts
  }: Pick<ListedReaders, 'q' | 'shownAt'> & { list: ListedReaders['list'] | null; readerIds: number[] },
): Promise<RemovalView & { gone: number }> {
  return ctx.db.transaction(async () => {
    const rows = await lockReaders(ctx, publication.id, readerIds)
    if (rows.length === 0) throw notFound('None of the readers')
    const { list, q, shownAt } = facts
    const removalId = await ReaderRemovals.insert(ctx, { publicationId: publication.id, list, q, shownAt })
    const ids = rows.map(({ id }) => id)
    await removeTogether(ctx, { id: removalId, publicationId: publication.id }, ids)
    await recordRemoval(ctx, publication, removalId)
    return { ...(await removalById(ctx, removalId)), gone: readerIds.length - ids.length }
  })
}

/** Adds the row of a removal and starts its task, in the running transaction. Refused while another one of the publication is running. */
async function beginRemoval<Started>(
  ctx: AppContext,
  publication: OwnPublication,
  { listed, total }: { listed: ListedReaders; total: number },
  start: (work: TaskRequest) => Promise<Started>,
): Promise<Started> {
  const removalId = await ReaderRemovals.insert(ctx, listed)
  const started = await start({
    publication,
    subjectId: removalId,
    lockKey: removalsLock(publication.id),
    total,
    busy: (holder) => removalsBusy(ctx, holder),
  })
  const subject = { type: 'publication', ...publication }
  await recordAudit(ctx, 'start-removal', subject, { removal: removalId, list: listed.list, readers: total })
  return started
}
