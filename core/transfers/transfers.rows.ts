import type { AppContext } from '../context.ts'
import type { ImportMode } from '../imports/import-modes.rules.ts'
import { addDays } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import {
  day,
  defaulted,
  defineTable,
  flag,
  id,
  instant,
  integer,
  json,
  nullable,
  type RowOf,
  ref,
  text,
} from '../table.ts'
import type { TransferKind } from './transfer-kinds.rules.ts'

/** Servers from which a publication's files are fetched, or to which they are uploaded, and when. */
export const Transfers = defineTable('transfers', {
  id: id(),
  publicationId: ref(),
  kind: text<TransferKind>(),
  name: text(),
  protocol: text<'sftp' | 'https'>(),
  /** For SFTP. */
  host: defaulted(text()),
  port: defaulted(integer()),
  login: defaulted(text()),
  /** The fingerprint that was confirmed; null: nothing is sent to it yet. */
  hostKey: nullable(text()),
  /** The fingerprint that the server presented and that is not confirmed. */
  seenHostKey: nullable(text()),
  folder: defaulted(text()),
  /** Which files of the folder, with * and ?. */
  filePattern: defaulted(text()),
  /** For https. */
  url: defaulted(text()),
  headerName: defaulted(text()),
  /** Encrypted JSON: the password or key, or the value of the header. */
  secretSealed: nullable(text()),
  importMode: defaulted(text<ImportMode>()),
  /** A row whose only fault is its email or telephone is imported without it. */
  lenient: defaulted(flag()),
  /** A file that replaces the readers is refused if it would remove more than this percentage of them. */
  maxRemovedPercent: defaulted(integer()),
  /** The layout of the mailing file; empty: the standard one. */
  layout: defaulted(text()),
  /** Whether it runs automatically each day. */
  isOn: defaulted(flag()),
  /** The time of day, `02:30`, in the installation's time zone. */
  runAt: text(),
  /** The last day on which it was due. */
  scheduledOn: day(),
  /** Who is emailed if a run fails. */
  alertUsers: json<number[]>(),
  madeBy: nullable(ref()),
  removedAt: nullable(instant()),
  createdAt: instant(),
  /** When its settings were last changed: an open form is compared with it, so runs and host keys leave it as it is. */
  updatedAt: instant(),
})

export type TransferRow = RowOf<typeof Transfers>

/** A transfer with its publication. */
export type Transfer = TransferRow & { publisherId: number; publicationName: string; urlKey: string }

/** Transfers by a condition on `x` and its publication `p`. */
export function selectTransfers(
  ctx: Pick<AppContext, 'db'>,
  condition: string,
  values: Record<string, string | number | boolean | null>,
): Promise<Transfer[]> {
  return Transfers.rows<Pick<Transfer, 'publisherId' | 'publicationName' | 'urlKey'>>(
    ctx,
    `SELECT ${Transfers.columns('x')}, p.publisher_id AS "publisherId", p.publication_name AS "publicationName", p.url_key AS "urlKey"
     FROM transfers x JOIN publications p ON p.id = x.publication_id
     WHERE x.removed_at IS NULL AND p.removed_at IS NULL AND ${condition}`,
    values,
  )
}

/**
 * Transfers of active publishers that have not run since they were last due: today, or yesterday if today's time has not come yet, as the job may not
 * run until after midnight.
 */
export function dueTransfers(ctx: Pick<AppContext, 'db'>, today: Day, time: string): Promise<Transfer[]> {
  return selectTransfers(
    ctx,
    `x.is_on = :isOn AND (x.scheduled_on < :yesterday OR (x.scheduled_on < :today AND x.run_at <= :time))
     AND EXISTS (SELECT 1 FROM users u WHERE u.id = p.publisher_id AND u.is_active = :isOn) ORDER BY x.id`,
    { isOn: true, today, yesterday: addDays(today, -1), time },
  )
}
