import type { Database } from '#core/database.ts'
import { readerKeyIndexes } from './migrations/003-readers.ts'

/** Builds the readers' key indexes that are missing: at the end of a big load, and after one that was killed. Does nothing else. */
export async function ensureReaderIndexes(db: Database): Promise<void> {
  await db.transaction(async () => {
    for (const [name, on] of Object.entries(readerKeyIndexes)) await db.run(`CREATE INDEX IF NOT EXISTS ${name} ON ${on}`)
  })
}

/** Drops them ahead of a load that is large against the table: building each once at the end costs a third. */
export async function dropReaderIndexes(db: Database): Promise<void> {
  await db.transaction(async () => {
    for (const name of Object.keys(readerKeyIndexes)) await db.run(`DROP INDEX IF EXISTS ${name}`)
  })
}
