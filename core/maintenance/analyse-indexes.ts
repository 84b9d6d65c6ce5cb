import { z } from 'zod'
import { useCase } from '../use-case.ts'

/** How many rows of each index are read at most: with 2,000, the totals of a ledger of a million orders stayed as slow as without statistics. */
const rowsPerIndex = 50_000

/**
 * Updates the statistics from which SQLite plans its queries, one index at a time: other writers wait for one index only, not for a table of a
 * million orders. PostgreSQL's autovacuum does this by itself.
 */
export const analyseIndexes = useCase({
  permission: 'machine:operate',
  input: z.object({}),
  transaction: 'none',
  async run({ db }): Promise<{ indexes: number }> {
    if (db.dialect === 'postgres') return { indexes: 0 }
    const indexes = await db.query<{ name: string }>(
      `SELECT name FROM sqlite_schema WHERE type = 'index' ORDER BY name`,
    )
    let analysed = 0
    for (const { name } of indexes) {
      await db.write(async () => {
        // A big import drops the readers' indexes and builds them again at its end.
        const existing = await db.query(`SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = :name`, { name })
        if (existing.length === 0) return
        await db.run(`PRAGMA analysis_limit = ${rowsPerIndex}`)
        await db.run(`ANALYZE "${name}"`)
        analysed++
      })
    }
    // Open connections read the statistics again when the schema changes.
    await db.write(async () => {
      await db.run('CREATE TABLE analysed (id INTEGER)')
      await db.run('DROP TABLE analysed')
    })
    return { indexes: analysed }
  },
})
