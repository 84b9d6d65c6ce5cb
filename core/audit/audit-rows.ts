import type { AppContext } from '../context.ts'
import { asInstant, asJson, type SqlValues } from '../database.ts'
import { type AuditAction, auditActions } from './audit-actions.ts'
import { seesEveryPublisher } from './audit-filter.ts'
import {
  authenticatingActions,
  describeFacts,
  describeSubject,
  entryPointName,
  type Fact,
  nameless,
} from './audit-texts.rules.ts'

/** One line of the audit log, as text. */
export interface AuditRow {
  id: number
  at: Date
  who: { name: string; email: string | null }
  action: AuditAction
  /** Continues the sentence after the name: "Ann Lee", "changed a user". */
  what: string
  subject: { type: string; id: number | null; text: string }
  entryPoint: string
  address: string | null
  facts: Fact[]
  publisher: { id: number; name: string } | null
}

interface JoinedRow {
  id: number
  happened_at: Date | string
  actor_kind: string
  action: AuditAction
  subject_type: string
  subject_id: number | null
  door: string
  address: string | null
  facts: unknown
  publisher_id: number | null
  who_first: string | null
  who_last: string | null
  who_email: string | null
  subject_first: string | null
  subject_last: string | null
  subject_email: string | null
  order_number: string | null
  publication_name: string | null
  publisher_name: string | null
}

/** Rows of the log with the names of what they refer to, newest first. The page is limited before the joins, so its cost does not grow with the log. */
export async function auditRows(
  ctx: AppContext,
  { where, values, limit, offset = 0 }: { where: string; values: SqlValues; limit: number; offset?: number },
): Promise<AuditRow[]> {
  const rows = await ctx.db.query<JoinedRow>(
    `SELECT a.id, a.happened_at, a.actor_kind, a.action, a.subject_type, a.subject_id, a.door, a.address, a.facts, a.publisher_id,
            w.first_name AS who_first, w.last_name AS who_last, w.email AS who_email,
            s.first_name AS subject_first, s.last_name AS subject_last, s.email AS subject_email,
            o.order_number, p.publication_name, CASE WHEN pu.user_type = 'publisher' THEN COALESCE(NULLIF(c.company_name, ''), pu.email) END AS publisher_name
     FROM (SELECT * FROM audit_log a WHERE ${where} ORDER BY a.id DESC LIMIT :limit OFFSET :offset) a
     LEFT JOIN users w ON w.id = CASE
       WHEN a.actor_kind = 'staff' THEN a.actor_id
       WHEN a.actor_kind = 'visitor' AND a.subject_type = 'user' AND a.action IN (:authenticatingActions) THEN a.subject_id END
     LEFT JOIN users s ON s.id = CASE WHEN a.subject_type IN ('user', 'account', 'publisher') THEN a.subject_id END
     LEFT JOIN orders o ON o.id = CASE WHEN a.subject_type = 'order' THEN a.subject_id END
     LEFT JOIN mailing_files m ON m.id = CASE WHEN a.subject_type = 'mailing-file' THEN a.subject_id END
     LEFT JOIN uploads l ON l.id = CASE WHEN a.subject_type = 'upload' THEN a.subject_id END
     LEFT JOIN readers r ON r.id = CASE WHEN a.subject_type = 'reader' THEN a.subject_id END
     LEFT JOIN publications p ON p.id = CASE a.subject_type
       WHEN 'publication' THEN a.subject_id WHEN 'mailing-file' THEN m.publication_id
       WHEN 'upload' THEN l.publication_id WHEN 'reader' THEN r.publication_id END
     LEFT JOIN users pu ON pu.id = a.publisher_id
     LEFT JOIN accounts c ON c.user_id = a.publisher_id
     ORDER BY a.id DESC`,
    { ...values, authenticatingActions, limit, offset },
  )
  return rows.map((row) => auditRow(row, seesEveryPublisher(ctx)))
}

function auditRow(row: JoinedRow, isEveryPublisher: boolean): AuditRow {
  // A publisher does not see the network addresses of readers.
  const isReader = row.actor_kind === 'buyer' || (row.actor_kind === 'visitor' && row.subject_type !== 'user')
  const actorName = fullName(row.who_first, row.who_last) || row.who_email
  return {
    id: row.id,
    at: asInstant(row.happened_at),
    who: { name: actorName ?? nameless[row.actor_kind as keyof typeof nameless] ?? 'Somebody', email: row.who_email },
    action: row.action,
    what: auditActions[row.action] ?? row.action,
    subject: {
      type: row.subject_type,
      id: row.subject_id,
      text: describeSubject({
        type: row.subject_type,
        id: row.subject_id,
        userName: fullName(row.subject_first, row.subject_last) || row.subject_email || undefined,
        orderNumber: row.order_number ?? undefined,
        publicationName: row.publication_name ?? undefined,
      }),
    },
    entryPoint: entryPointName(row.door),
    // An IPv4 address received on an IPv6 socket is shown in its usual form.
    address: isReader && !isEveryPublisher ? null : (row.address?.replace(/^::ffff:(?=\d+\.)/, '') ?? null),
    facts: describeFacts(asFacts(row.facts)),
    publisher:
      row.publisher_id === null || row.publisher_name === null
        ? null
        : { id: row.publisher_id, name: row.publisher_name },
  }
}

function fullName(first: string | null, last: string | null): string {
  return `${first ?? ''} ${last ?? ''}`.trim()
}

function asFacts(facts: unknown): Record<string, unknown> {
  const value = asJson<unknown>(facts)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}
