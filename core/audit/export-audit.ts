import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { SqlValues } from '../database.ts'
import { dayOf } from '../kernel/calendar.ts'
import { byteOrderMark, csvText } from '../kernel/csv-text.ts'
import { useCase } from '../use-case.ts'
import { auditFilter, auditFilterFields, dayOrderProblem, daysAreInOrder, seesEveryPublisher } from './audit-filter.ts'
import { type AuditRow, auditRows } from './audit-rows.ts'
import { recordAudit } from './record-audit.ts'

interface AuditFile {
  fileName: string
  chunks: AsyncIterable<string>
}

/** Rows read per query: few, so that an export of a million rows needs little memory. */
const batch = 1000

/** The audit log as a CSV, newest first: the rows that the same filter lists. The start of the export is audited too. */
export const exportAudit = useCase({
  permission: 'audit:read',
  input: z.object(auditFilterFields).refine(daysAreInOrder, dayOrderProblem),
  transaction: 'none',
  async run(ctx, input): Promise<AuditFile> {
    const on = dayOf(ctx.now(), ctx.settings.timeZone)
    const filters = Object.entries(input).flatMap(([name, value]) => (value ? [name === 'q' ? 'person' : name] : []))
    return {
      fileName: `activity_${on.slice(8, 10)}${on.slice(5, 7)}${on.slice(0, 4)}.csv`,
      chunks: auditLines(ctx, { ...(await auditFilter(ctx, input)), filters, publisherId: input.publisherId ?? null }),
    }
  },
})

async function* auditLines(
  ctx: AppContext,
  query: { where: string; values: SqlValues; filters: string[]; publisherId: number | null },
): AsyncGenerator<string> {
  const { where, values, filters } = query
  const coversAllPublishers = seesEveryPublisher(ctx)
  const publisherId = coversAllPublishers ? query.publisherId : null
  const [{ rows, newest } = { rows: 0, newest: null }] = await ctx.db.query<{ rows: number; newest: number | null }>(
    `SELECT COUNT(*) AS rows, MAX(a.id) AS newest FROM audit_log a WHERE ${where}`,
    values,
  )
  await ctx.db.transaction(() =>
    recordAudit(ctx, 'export-audit', { type: 'activity-log', id: null, publisherId }, { rows: Number(rows), filters }),
  )
  const headings = ['When', 'Who', 'Email', 'What', 'About', 'Details', 'Channel', 'Address']
  yield byteOrderMark + csvText([coversAllPublishers ? [...headings, 'Publisher'] : headings])
  let last = Number(newest ?? 0) + 1
  while (true) {
    const page = await auditRows(ctx, {
      where: `(${where}) AND a.id < :last`,
      values: { ...values, last },
      limit: batch,
    })
    if (page.length > 0) yield csvText(page.map((row) => cells(row, coversAllPublishers)))
    last = page.at(-1)?.id ?? 0
    if (page.length < batch) return
  }
}

function cells(row: AuditRow, coversAllPublishers: boolean): string[] {
  const cells = [
    row.at.toISOString(),
    row.who.name,
    row.who.email ?? '',
    row.what,
    row.subject.text,
    row.facts.map(({ name, value }) => `${name}: ${value}`).join('; '),
    row.entryPoint,
    row.address ?? '',
  ]
  return coversAllPublishers ? [...cells, row.publisher?.name ?? ''] : cells
}
