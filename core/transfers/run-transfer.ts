import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { dayOf, timeOf } from '../kernel/calendar.ts'
import { conflict, isAppError } from '../kernel/errors.ts'
import { runInline } from '../tasks/run-task.ts'
import { startInline, startTask, type TaskRequest } from '../tasks/start-task.ts'
import type { TaskHandler } from '../tasks/task.ts'
import type { TaskKindName } from '../tasks/task-kinds.ts'
import { useCase } from '../use-case.ts'
import { lastDueOn } from './last-due.rules.ts'
import { type ShownRun, transferRuns } from './list-transfers.query.ts'
import { ownTransfer } from './own-transfer.ts'
import { pullReadersHandler } from './pull-readers.ts'
import { pushMailingFileHandler } from './push-mailing-file.ts'
import { type StartedBy, TransferRuns } from './transfer-runs.rows.ts'
import { dueTransfers, type Transfer, Transfers } from './transfers.rows.ts'

const tasksByKind: Record<Transfer['kind'], { kind: TaskKindName; work: TaskHandler }> = {
  import: { kind: 'pull-readers', work: pullReadersHandler },
  'mailing-file': { kind: 'push-mailing-file', work: pushMailingFileHandler },
}

/** Runs a transfer now; the worker runs it. Throws `conflict` while it is running. */
export const runTransfer = useCase({
  permission: 'transfer:write',
  input: z.object({ transferId: z.coerce.number().int() }),
  async run(ctx, { transferId }): Promise<{ runId: number }> {
    const transfer = await ownTransfer(ctx, transferId)
    const request = await addRun(ctx, transfer, 'staff')
    await startTask(ctx, tasksByKind[transfer.kind].kind, request)
    return { runId: request.subjectId }
  },
})

/** Runs a transfer in this process, to its end: for the command line. A failure is logged as for every other run. */
export const runTransferHere = useCase({
  permission: 'transfer:write',
  input: z.object({
    transferId: z.coerce.number().int(),
    signal: z.custom<AbortSignal>((value) => value instanceof AbortSignal).optional(),
  }),
  transaction: 'none',
  async run(ctx, { transferId, signal }): Promise<ShownRun> {
    const transfer = await ownTransfer(ctx, transferId)
    const { kind, work } = tasksByKind[transfer.kind]
    const task = await ctx.db.transaction(async () => startInline(ctx, kind, await addRun(ctx, transfer, 'operator')))
    await runInline(ctx, work, task, signal)
    const [run] = await transferRuns(ctx, { transferId, limit: 1 })
    if (!run) throw new Error('A run is not in the log')
    return run
  },
})

/**
 * The job: starts the transfers whose time of day has come, or came yesterday while no worker ran. A transfer that is still running is skipped until
 * the next day.
 */
export const startTransfers = useCase({
  permission: 'machine:operate',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<{ started: number }> {
    const { timeZone } = ctx.settings
    const now = { today: dayOf(ctx.now(), timeZone), time: timeOf(ctx.now(), timeZone) }
    let started = 0
    for (const transfer of await dueTransfers(ctx, now.today, now.time)) {
      const { id, scheduledOn, runAt, updatedAt } = transfer
      const due = { scheduledOn: lastDueOn(runAt, now), updatedAt }
      try {
        started += await ctx.db.transaction(async () => {
          // Only one of several workers starts it.
          if ((await Transfers.update(ctx, { id, scheduledOn, updatedAt }, due)) === 0) return 0
          await startTask(ctx, tasksByKind[transfer.kind].kind, await addRun(ctx, transfer, 'schedule'))
          return 1
        })
      } catch (error) {
        if (!isAppError(error) || error.kind !== 'conflict') throw error
        // The transaction that recorded the day was rolled back.
        await Transfers.update(ctx, { id, scheduledOn, updatedAt }, due)
        ctx.log.warn({ transfer: id }, 'a transfer is still running at its next scheduled time')
      }
    }
    return { started }
  },
})

async function addRun(ctx: AppContext, transfer: Transfer, startedBy: StartedBy): Promise<TaskRequest> {
  const { id, publicationId, publisherId, name } = transfer
  const runId = await TransferRuns.insert(ctx, { transferId: id, startedBy, startedAt: ctx.now() })
  if (startedBy !== 'schedule') await recordAudit(ctx, 'run-transfer', { type: 'transfer', id, publisherId })
  return {
    publication: { id: publicationId, publisherId },
    subjectId: runId,
    lockKey: `transfer:${id}`,
    busy: () => conflict(`“${name}” is already running`, { hint: 'Wait until it has finished: see its log.' }),
  }
}
