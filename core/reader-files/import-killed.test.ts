import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { ensureReaderIndexes } from '#core/platform/database/reader-indexes.ts'
import { readerLines } from '#tests/load/reader-file-generator.ts'
import { makePublication, operator } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { importReaders } from './import-readers.ts'

let services: TestServices

beforeAll(async () => {
  services = await openTestServices()
})

const program = (importOf: string) => `
  import { contextFor } from '#core/context.ts'
  import { readEnv } from '#core/platform/env.ts'
  import { makeServices } from '#core/platform/make-services.ts'
  import { importReaders } from '#core/reader-files/import-readers.ts'
  const services = await makeServices(readEnv())
  const ctx = contextFor(services, { kind: 'operator' }, { door: 'cli' })
  await importReaders(ctx, { ...${importOf}, onProgress: ({ rows }) => process.stdout.write(rows + ' ') })
`

it('a killed import is run again: nothing doubled, nothing lost, the indexes back', async () => {
  const rows = 60_000
  const publication = await makePublication(services)
  const file = join(services.dataDir, 'killed.csv')
  writeFileSync(file, [...readerLines(rows)].join(''))
  const input = { urlKey: publication.urlKey, file, mode: 'add' }
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', program(JSON.stringify(input))],
    {
      cwd: root,
      env: {
        ...process.env,
        DATA_DIR: services.dataDir,
        DATABASE_URL: services.databaseUrl,
        APP_SECRET: 'x'.repeat(40),
        NODE_ENV: 'test',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  // The first commit has been told of: the next chunk is under way.
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')

  const [killed] = await services.db.query<{ state: string; records_done: number; added: number }>(
    `SELECT state, records_done, added FROM uploads WHERE publication_id = :id`,
    { id: publication.id },
  )
  expect(killed?.state).toBe('running')
  expect(killed?.records_done).toBeGreaterThan(0)
  expect(killed?.records_done).toBeLessThan(rows)
  await ensureReaderIndexes(services.db)

  const report = await importReaders(services.as(operator), input)
  expect(report).toMatchObject({ rows, resumedAt: killed?.records_done })
  expect(report.added + report.failed).toBe(rows)
  const [stored] = await services.db.query<{ readers: number; lines: number }>(
    `SELECT count(*) AS readers, count(DISTINCT upload_line) AS lines FROM readers WHERE publication_id = :id`,
    { id: publication.id },
  )
  expect(stored).toEqual({ readers: report.added, lines: report.added })
  const [rejects] = await services.db.query<{ rejects: number }>(`SELECT count(*) AS rejects FROM upload_rejects`)
  expect(rejects?.rejects).toBe(report.failed)
  expect(await ensureReaderIndexes(services.db)).toEqual([])
})
