import { z } from 'zod'
import { type JobState, jobStates } from '../jobs/job-queue.ts'
import { isUnsentSql, Jobs } from '../jobs/jobs.rows.ts'
import { useCase } from '../use-case.ts'

const listed = Jobs.pick('id', 'name', 'state', 'attempts', 'runAt', 'finishedAt', 'problem')

export interface JobListItem {
  id: number
  name: string
  state: JobState
  attempts: number
  /** Times are ISO 8601 strings. */
  runAt: string
  finishedAt: string | null
  problem: string | null
}

/** The newest jobs of the outbox, at most `limit`, and the total number in that state; `failed` includes emails that were refused, whose jobs are done. */
export const listJobs = useCase({
  permission: 'machine:operate',
  input: z.object({
    state: z.enum(jobStates, `Must be one of ${jobStates.join(', ')}`).optional(),
    limit: z.coerce
      .number('Must be a number')
      .int('Must be a whole number')
      .min(1, 'Must be 1 or more')
      .max(1000, 'Must be 1000 or fewer')
      .default(50),
  }),
  transaction: 'none',
  async run(ctx, { state, limit }): Promise<{ jobs: JobListItem[]; total: number }> {
    const where = state === 'failed' ? `WHERE ${isUnsentSql}` : state ? 'WHERE state = :state' : ''
    const values = { state: state ?? null, limit }
    const [rows, counts] = await Promise.all([
      listed.rows(ctx, `SELECT ${listed.columns()} FROM jobs ${where} ORDER BY id DESC LIMIT :limit`, values),
      ctx.db.query<{ total: number }>(`SELECT COUNT(*) AS total FROM jobs ${where}`, values),
    ])
    return {
      total: Number(counts[0]?.total ?? 0),
      jobs: rows.map(({ runAt, finishedAt, ...row }) => ({
        ...row,
        runAt: runAt.toISOString(),
        finishedAt: finishedAt?.toISOString() ?? null,
      })),
    }
  },
})
