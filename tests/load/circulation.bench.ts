import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { circulation } from '#core/analytics/circulation.query.ts'
import { contextFor } from '#core/context.ts'
import { migrate } from '#core/platform/database/migrate.ts'
import { readEnv } from '#core/platform/env.ts'
import { makeServices } from '#core/platform/make-services.ts'
import { addPublication, onPostgres } from './bench-database.ts'
import { say } from './printed.ts'

/**
 * Circulation of a past day, and the changes of a month, with a million readers of whom a third have an earlier term as well.
 *   npm run bench -- circulation --rows 1000000
 */
const { values: given } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } })
const rows = Number(given.rows)
const rounds = 5
const folder = mkdtempSync(join(tmpdir(), 'masthead-bench-'))

async function measure(name: string, databaseUrl: string): Promise<void> {
  const env = { DATA_DIR: folder, DATABASE_URL: databaseUrl, SEED: 'none', APP_SECRET: 'bench-'.repeat(8) }
  const services = await makeServices(readEnv({ ...process.env, ...env, LOG_LEVEL: 'warn' }))
  try {
    await migrate(services.db)
    await addPublication(services, 'bench')
    const addTerms = (values: string, condition: string) =>
      services.db.run(
        `INSERT INTO circulation_terms (publication_id, reader_id, product, amount, currency, country, known_on, starts_on, ends_on, active_from,
           active_until, ended_on, ended_why)
         WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < :rows)
         SELECT 1, n, CASE n % 5 WHEN 0 THEN 'digital' WHEN 1 THEN 'bundle' ELSE 'print' END, CASE WHEN n % 4 > 0 THEN 2999 END, 'GBP',
           CASE n % 20 WHEN 0 THEN 'FR' WHEN 1 THEN 'US' WHEN 2 THEN 'DE' WHEN 3 THEN 'NO' ELSE 'GB' END, ${values} FROM s WHERE ${condition}`,
        { rows },
      )
    await services.db.transaction(async () => {
      await addTerms(`'2026-01-01', '2026-01-01', '2027-12-31', '2026-01-01', '2027-12-31', NULL, NULL`, 'n % 10 > 0')
      await addTerms(`'2026-10-15', '2026-10-15', '2027-10-14', '2026-10-15', '2027-10-14', NULL, NULL`, 'n % 10 = 0')
      await addTerms(
        `'2025-01-01', '2025-01-01', '2027-12-31', '2025-01-01', '2025-12-31', '2026-01-01', 'changed'`,
        'n % 3 = 0',
      )
    })
    if (services.db.dialect === 'postgres') await services.db.run('ANALYZE circulation_terms')
    const ctx = contextFor(services, { kind: 'operator' }, { entryPoint: 'test' })
    for (const [what, input] of [
      ['a past day', { on: '2026-06-30' }],
      ['a day and what changed in a month', { on: '2026-10-31', since: '2026-09-30' }],
    ] as const) {
      const times: number[] = []
      for (let round = 0; round < rounds; round++) {
        const started = performance.now()
        await circulation(ctx, { publicationId: 1, ...input })
        times.push(performance.now() - started)
      }
      const sorted = times.toSorted((a, b) => a - b)
      say(`| ${name} | ${what} | ${Math.round(sorted[0] ?? 0)} | ${Math.round(sorted[rounds >> 1] ?? 0)} |`)
    }
  } finally {
    await services.db.close()
  }
}

say(`\n### Circulation, ${rows.toLocaleString('en-GB')} readers\n`)
say('| database | what | fastest ms | median ms |\n|---|---|---|---|')
try {
  await measure('SQLite', '')
  await onPostgres('circulation', (url) => measure('PostgreSQL', url))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
