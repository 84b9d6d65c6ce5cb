import type { Currency } from '../kernel/money.ts'

/** Which readers an export with all columns contains. */
export interface ExportPlan {
  publicationId: number
  mainCurrency: Currency
  /** The readers as they were before this upload changed or removed them, instead of the current ones. */
  backupOf?: number
  /** A condition on `readers` in SQL, from a fixed list in the code and never from a user; all readers if omitted. */
  where?: string
  /** Called before each chunk with its number of rows. */
  onRows?(rows: number): void
}

/** The port of exports: whole CSV lines, straight from the database. */
export interface ReaderFiles {
  /** How many readers `exportLines` will return. */
  countLines(plan: ExportPlan): Promise<number>
  /** Whole CSV lines of the plan's readers in the order they were added. */
  exportLines(plan: ExportPlan): AsyncIterable<Buffer>
}
