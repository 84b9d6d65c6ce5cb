import { z } from 'zod'
import { type Page, PageInput, pageOf } from '../kernel/paging.ts'
import { useCase } from '../use-case.ts'
import { auditFilter, auditFilterFields, dayOrderProblem, daysAreInOrder, seesEveryPublisher } from './audit-filter.ts'
import { type AuditRow, auditRows } from './audit-rows.ts'

/** The last row that can be paged to; the count stops here too. */
const maxRows = 10_000

export interface AuditPage extends Page<AuditRow> {
  /** There are more rows than `total` says: narrow the list to see them. */
  hasMore: boolean
  /** The actor sees more than one publisher's rows. */
  coversAllPublishers: boolean
}

/** A page of the audit log, newest first: a publisher's own rows, or all rows for a superuser and the command line. */
export const listAudit = useCase({
  permission: 'audit:read',
  input: PageInput.extend({
    ...auditFilterFields,
    size: z.coerce.number().int().min(1).max(1000).catch(10).default(10),
  }).refine(daysAreInOrder, dayOrderProblem),
  transaction: 'none',
  async run(ctx, input): Promise<AuditPage> {
    const { where, values } = await auditFilter(ctx, input)
    const [{ counted } = { counted: 0 }] = await ctx.db.query<{ counted: number }>(
      `SELECT COUNT(*) AS counted FROM (SELECT 1 FROM audit_log a WHERE ${where} ORDER BY a.id DESC LIMIT :max) few`,
      { ...values, max: maxRows + 1 },
    )
    const total = Math.min(Number(counted), maxRows)
    const page = Math.min(input.page, Math.max(1, Math.ceil(total / input.size)))
    const rows = await auditRows(ctx, { where, values, limit: input.size, offset: (page - 1) * input.size })
    return {
      ...pageOf(rows, total, { page, size: input.size }),
      hasMore: Number(counted) > maxRows,
      coversAllPublishers: seesEveryPublisher(ctx),
    }
  },
})
