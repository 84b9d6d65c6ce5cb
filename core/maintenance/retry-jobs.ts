import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { Database } from '../database.ts'
import { isUnsentSql, retryFailed } from '../jobs/jobs.rows.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'

const JobId = z.coerce
  .number('Must be the number of a job')
  .int('Must be the number of a job')
  .positive('Must be the number of a job')

/**
 * Makes failed jobs due now, with their full number of attempts again: the named ones (all or none; also emails that were refused), or every failed one.
 * Returns their ids. With `dryRun` nothing changes.
 */
export const retryJobs = useCase({
  permission: 'machine:operate',
  input: z
    .object({
      ids: z.array(JobId).max(1000, 'Name at most 1000 jobs').default([]),
      allFailed: z.boolean().default(false),
      dryRun: z.boolean().default(false),
    })
    .refine(({ ids, allFailed }) => allFailed !== ids.length > 0, {
      path: ['ids'],
      message: 'Name the jobs, or choose all failed ones',
    }),
  async run(ctx, input): Promise<number[]> {
    const ids = input.allFailed ? await failedJobs(ctx.db) : [...new Set(input.ids)]
    if (!input.allFailed) await checkFailed(ctx.db, ids)
    if (ids.length === 0 || input.dryRun) return ids
    await retryFailed(ctx, input.allFailed ? 'all' : ids)
    await recordAudit(
      ctx,
      'retry-jobs',
      { type: 'job', id: ids.length === 1 ? (ids[0] ?? null) : null },
      { jobs: ids.length },
    )
    return ids
  },
})

async function failedJobs(db: Database): Promise<number[]> {
  return (await db.query<{ id: number }>(`SELECT id FROM jobs WHERE state = 'failed' ORDER BY id`)).map(({ id }) => id)
}

async function checkFailed(db: Database, ids: readonly number[]): Promise<void> {
  const rows = await db.query<{ id: number; state: string; unsent: number | boolean }>(
    `SELECT id, state, ${isUnsentSql} AS unsent FROM jobs WHERE id IN (:ids)`,
    { ids },
  )
  const jobs = new Map(rows.map((row) => [Number(row.id), row]))
  const hint = 'See the failed ones: subscriptions jobs list --state failed'
  for (const id of ids) {
    const job = jobs.get(id)
    if (!job) throw notFound(`The job ${id}`, hint)
    if (!job.unsent) throw conflict(`The job ${id} has not failed: it is ${job.state}`, { hint })
  }
}
