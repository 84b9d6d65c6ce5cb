import type { AppContext } from '../context.ts'
import { asInstant } from '../database.ts'
import type { Day } from '../kernel/dates.ts'
import type { TaskState } from '../tasks/task.ts'
import type { ReportProvider } from './line-kinds.rules.ts'
import { ProviderReports, type ReportReject } from './provider-reports.rows.ts'

/** A report with the counts of its rows and its progress. */
export interface ReportView {
  id: number
  provider: ReportProvider
  fileName: string
  /** `done` in a dry run, which has no task. */
  state: TaskState
  /** Rows that were processed, and the approximate total. */
  done: number
  total: number
  problem: string | null
  added: number
  alreadyRead: number
  ignored: number
  failed: number
  rejects: ReportReject[]
  /** The days of its first and last line. */
  firstOn: Day | null
  lastOn: Day | null
  storedAt: Date
}

const maxReports = 20

/** The newest reports of a publisher, and whether there are more. */
export async function newestReports(
  ctx: Pick<AppContext, 'db'>,
  publisherId: number,
): Promise<{ reports: ReportView[]; hasMoreReports: boolean }> {
  const limit = maxReports + 1
  const reports = await reportViews(ctx, 'f.publisher_id = :publisherId ORDER BY f.id DESC LIMIT :limit', {
    publisherId,
    limit,
  })
  return { reports: reports.slice(0, maxReports), hasMoreReports: reports.length > maxReports }
}

export async function reportView(ctx: Pick<AppContext, 'db'>, id: number): Promise<ReportView> {
  const [view] = await reportViews(ctx, 'f.id = :id', { id })
  if (!view) throw new Error(`There is no report ${id}`)
  return view
}

async function reportViews(
  ctx: Pick<AppContext, 'db'>,
  condition: string,
  values: Record<string, number>,
): Promise<ReportView[]> {
  const rows = await ProviderReports.rows<{
    task_state: TaskState | null
    done: number | null
    total: number | null
    problem: string | null
  }>(
    ctx,
    `SELECT ${ProviderReports.columns('f')}, t.state AS task_state, t.done, t.total, t.problem
     FROM provider_reports f LEFT JOIN tasks t ON t.kind = 'read-provider-report' AND t.subject_id = f.id WHERE ${condition}`,
    values,
  )
  return rows.map(
    ({ id, provider, fileName, added, alreadyRead, ignored, failed, rejects, firstOn, lastOn, ...row }) => ({
      id: Number(id),
      provider,
      fileName,
      added,
      alreadyRead,
      ignored,
      failed,
      rejects,
      firstOn,
      lastOn,
      state: row.task_state ?? 'done',
      done: Number(row.done ?? 0),
      total: Number(row.total ?? 0),
      problem: row.problem,
      storedAt: asInstant(row.createdAt),
    }),
  )
}
