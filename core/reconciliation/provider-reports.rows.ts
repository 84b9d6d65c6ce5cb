import { day, defaulted, defineTable, id, instant, integer, json, nullable, ref, text } from '../table.ts'
import type { ReportProvider } from './line-kinds.rules.ts'

/** A row of a report that could not be read. */
export interface ReportReject {
  line: number
  reason: string
}

/** The counts of a report's rows. */
export interface ReportCounts {
  /** Lines that were in no earlier report. */
  added: number
  /** Lines that were in an earlier report. */
  alreadyRead: number
  /** Rows without an effect on the balance, such as pending payments. */
  ignored: number
  failed: number
  /** The first rows that failed. */
  rejects: ReportReject[]
  firstOn: string | null
  lastOn: string | null
}

/** Reports of payment providers. The progress of reading one is in its task. */
export const ProviderReports = defineTable('provider_reports', {
  id: id(),
  publisherId: ref(),
  provider: text<ReportProvider>(),
  fileName: text(),
  /** Null: a local file that the command line read. */
  storedFile: nullable(text()),
  bytes: integer(),
  added: defaulted(integer()),
  alreadyRead: defaulted(integer()),
  ignored: defaulted(integer()),
  failed: defaulted(integer()),
  rejects: json<ReportReject[]>(),
  firstOn: nullable(day()),
  lastOn: nullable(day()),
  createdAt: instant(),
})
