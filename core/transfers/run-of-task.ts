import type { AppContext } from '../context.ts'
import { enqueueMail } from '../jobs/enqueue-mail.ts'
import { dayOf, timeOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { notFound } from '../kernel/errors.ts'
import type { Task } from '../tasks/task.ts'
import { alertableUsers } from './alert-users.query.ts'
import { lastDueOn } from './last-due.rules.ts'
import { TransferFiles, TransferRuns } from './transfer-runs.rows.ts'
import { selectTransfers, type Transfer } from './transfers.rows.ts'

/**
 * The run of a task, its transfer, and the day it is for: the one on which it was due, or on which somebody started it, even if it runs after midnight.
 * Throws `notFound` if the transfer was removed meanwhile.
 */
export async function runOfTask(
  ctx: Pick<AppContext, 'db' | 'settings'>,
  { subjectId }: Pick<Task, 'subjectId'>,
): Promise<{ runId: number; dueOn: Day; transfer: Transfer }> {
  const run = await TransferRuns.find(ctx, { id: subjectId ?? -1 })
  const [transfer] = run ? await selectTransfers(ctx, 'x.id = :id', { id: run.transferId }) : []
  if (!run || !transfer) throw notFound('The transfer')
  const { timeZone } = ctx.settings
  const startedOn = dayOf(run.startedAt, timeZone)
  const dueOn =
    run.startedBy === 'schedule'
      ? lastDueOn(transfer.runAt, { today: startedOn, time: timeOf(run.startedAt, timeZone) })
      : startedOn
  return { runId: run.id, dueOn, transfer }
}

/** Notifies the chosen users of a failed run, or one in which a file failed. */
export async function recordRunEnd(ctx: AppContext, task: Task): Promise<void> {
  const runId = task.subjectId ?? -1
  const run = await TransferRuns.find(ctx, { id: runId })
  if (!run || task.state === 'cancelled') return
  // The failed run was the last one that would have checked these imports.
  if (task.state === 'failed')
    await TransferFiles.update(
      ctx,
      { transferId: run.transferId, state: 'importing' },
      { state: 'failed', problem: 'The import was interrupted: see the list of imports' },
    )
  const [{ failed = 0 } = {}] = await ctx.db.query<{ failed: number }>(
    `SELECT COUNT(*) AS failed FROM transfer_files WHERE run_id = :runId AND state = 'failed'`,
    { runId },
  )
  if (task.state === 'done' && Number(failed) === 0) return
  const [transfer] = await selectTransfers(ctx, 'x.id = :id', { id: run.transferId })
  if (!transfer) return
  const people = await alertableUsers(ctx, transfer.publisherId)
  const chosen = people.filter(({ id }) => transfer.alertUsers.includes(id))
  // If all chosen users have left, another one must be notified.
  for (const { id: userId } of chosen.length > 0 ? chosen : people.slice(0, 1))
    await enqueueMail(
      ctx,
      'transfer-failed',
      { runId, userId },
      { dedupeKey: `transfer-failed:${runId}:${userId}`, publisherId: transfer.publisherId },
    )
}
