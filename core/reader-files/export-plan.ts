import type { Currency } from '../kernel/money.ts'

/** Which readers a file of all columns holds. */
export interface ExportPlan {
  publicationId: number
  mainCurrency: Currency
  /** The readers as they were before this upload changed or removed them, instead of those there are. */
  backupOf?: number
  /** A condition on `readers` in SQL, from a table of ours and never from a caller; all readers without. */
  where?: string
  /** Told before each piece how many rows it has. */
  onRows?(rows: number): void
}
