import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { migrate } from '#core/platform/database/migrate.ts'
import { readEnv } from '#core/platform/env.ts'
import { makeServices } from '#core/platform/make-services.ts'
import { readerColumns } from '#core/reader-files/reader.columns.ts'
import { databaseUrlOn } from '#tests/support/database-url.ts'
import { addPublication, postgresServer } from './bench-database.ts'
import { say } from './printed.ts'
import { bulkCreate } from './reader-bulk-create.ts'
import { readerLines, writeReaderFile } from './reader-file-generator.ts'
import { hasTool, type Timed, timed } from './timed-process.ts'

/**
 * Import, add-and-combine, undo, replace, mailing file and export through the command line, compared with the database's own tool on the same file
 * and machine in the same run. The tools check nothing and compute nothing; the ratio is the cost of checking.
 *   npm run bench -- reader-files --rows 1000000 --databases sqlite,postgres --rounds 3
 */
const { values: given } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000,100000' },
    databases: { type: 'string', default: 'sqlite,postgres' },
    rounds: { type: 'string', default: '3' },
    cli: { type: 'string', default: 'dist/cli.js' },
  },
})
const cli = resolve(given.cli)
const rounds = Number(given.rounds)
const folder = mkdtempSync(join(tmpdir(), 'masthead-bench-'))
const columns = readerColumns.map(({ column }) => column)

interface Measure {
  what: string
  rows: number
  runs: Timed[]
  /** The measurement that its ratio is relative to. */
  against?: string
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** The same indexes as the importer keeps: the unique reference alone (U), and the four of the duplicate lists (F). */
function rawTable(indexes: 'U' | 'F'): string[] {
  const texts = [
    `CREATE TABLE t (${columns.map((column) => `${column} text`).join(', ')})`,
    'CREATE INDEX t_reference ON t (unique_reference)',
  ]
  if (indexes === 'F') {
    texts.push('CREATE INDEX t_name ON t (post_code, full_name)', 'CREATE INDEX t_surname ON t (post_code, last_name)')
    texts.push('CREATE INDEX t_address ON t (post_code, address_one)', 'CREATE INDEX t_email ON t (email)')
  }
  return texts
}

const sqlitePragmas = 'pragma journal_mode=wal;pragma synchronous=normal;pragma cache_size=-65536;'

function table(database: string, rows: number, measures: Measure[]): void {
  say(`\n### ${database}, ${rows.toLocaleString('en-GB')} rows, median of ${rounds}\n`)
  say('| what | seconds | rows/s | CPU s | peak MB | ratio |\n|---|---|---|---|---|---|')
  for (const { what, runs, against } of measures) {
    const limit = measures.find((other) => other.what === against)
    const seconds = median(runs.map((run) => run.seconds))
    // Pairs of one round ran under the same conditions; their ratios are steadier than the ratio of two medians.
    const ratio = limit
      ? median(runs.map((run, round) => run.seconds / (limit.runs[round]?.seconds ?? 1))).toFixed(2)
      : ''
    const peak = Math.max(...runs.map((run) => run.peakMb ?? 0)) || '?'
    const cpu = median(runs.map((run) => run.cpuSeconds)).toFixed(1)
    say(
      `| ${what} | ${seconds.toFixed(1)} | ${Math.round(rows / seconds).toLocaleString('en-GB')} | ${cpu} | ${peak} | ${ratio} |`,
    )
  }
}

async function prepare(env: NodeJS.ProcessEnv): Promise<void> {
  const services = await makeServices(readEnv(env))
  await migrate(services.db)
  await addPublication(services, 'bench')
  await services.db.close()
}

/** The three commands on a fresh database, alternating with the tool's own. */
async function measureCli(
  env: NodeJS.ProcessEnv,
  { file, half }: Files,
  add: (what: string, run: Timed) => void,
): Promise<void> {
  const flags = ['--publication', 'bench', '--json', '--quiet']
  const run = (args: string[]) => timed(process.execPath, [cli, ...args, ...flags], { env, acceptedExitCodes: [3] })
  add('import', await run(['import', file, '--rejects', join(folder, 'rejected.csv')]))
  add('mailing-file', await run(['mailing-file', '--output', join(folder, 'mailing.csv'), '--on', '2025-06-01']))
  add('export', await run(['export', '--output', join(folder, 'export.csv')]))
  const rejects = ['--rejects', join(folder, 'rejected.csv')]
  add('combine, half known', await run(['import', half, '--mode', 'combine', ...rejects]))
  // The second upload of this database.
  add('undo of it', await timed(process.execPath, [cli, 'imports', 'undo', '2', '--yes', '--quiet'], { env }))
  add('replace, half known', await run(['import', half, '--mode', 'replace', '--confirm', 'bench', ...rejects]))
}

/** A file, and one of the same size of which half the readers are known. */
interface Files {
  file: string
  half: string
}

const upsertLimit = 'tool: upsert, index U'
const upsert = `DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`
const staged = `CREATE TEMP TABLE s (${columns.map((column) => `${column} text`).join(', ')})`
const known = [
  `CREATE TABLE u (${columns.map((column) => `${column} text`).join(', ')})`,
  'CREATE UNIQUE INDEX u_reference ON u (unique_reference)',
]

/** The time SQLite's own program needs to merge the second file into the first; nothing is checked and a blank cell overwrites. */
async function sqliteUpsert(dataDir: string, { file, half }: Files): Promise<Timed> {
  const database = join(dataDir, 'upsert.db')
  const into = (name: string) =>
    `${sqlitePragmas}${staged};\n.mode csv\n.import --schema temp --skip 1 ${name} s\nINSERT INTO u SELECT * FROM s WHERE true ON CONFLICT (unique_reference) ${upsert};\n`
  await timed('sqlite3', [database], { input: `${known.join(';')};\n${into(file)}` })
  const run = await timed('sqlite3', [database], { input: into(half) })
  rmSync(database)
  return run
}

async function postgresUpsert(url: string, { file, half }: Files): Promise<Timed> {
  const into = (name: string) => [
    '-q',
    url,
    '-c',
    staged,
    '-c',
    `\\copy s from '${name}' with (format csv, header)`,
    '-c',
    `INSERT INTO u SELECT DISTINCT ON (unique_reference) * FROM s ON CONFLICT (unique_reference) ${upsert}`,
  ]
  await timed('psql', ['-q', url, ...known.flatMap((text) => ['-c', text])])
  await timed('psql', into(file))
  const run = await timed('psql', into(half))
  await timed('psql', ['-q', url, '-c', 'DROP TABLE u'])
  return run
}

const importLimits = { F: 'tool: import, indexes F', U: 'tool: import, index U' }

async function benchSqlite(rows: number, files: Files): Promise<void> {
  const { file } = files
  const measures = measuresOf(rows)
  const hasSqlite = hasTool('sqlite3')
  if (!hasSqlite) say('sqlite3 is not on this machine: no limits for SQLite')
  for (let round = 0; round < rounds; round++) {
    const dataDir = join(folder, `sqlite-${round}`)
    mkdirSync(dataDir)
    const env = {
      ...process.env,
      DATA_DIR: dataDir,
      DATABASE_URL: '',
      SEED: 'none',
      LOG_LEVEL: 'warn',
      APP_SECRET: 'bench-'.repeat(8),
    }
    await prepare(env)
    if (hasSqlite) {
      for (const set of ['F', 'U'] as const) {
        const limitFile = join(dataDir, `limit-${set}.db`)
        const script = `${sqlitePragmas}${rawTable(set).join(';')};\n.mode csv\n.import --skip 1 ${file} t\n`
        measures.add(importLimits[set], await timed('sqlite3', [limitFile], { input: script }))
        rmSync(limitFile)
      }
      measures.add(upsertLimit, await sqliteUpsert(dataDir, files))
    }
    await measureCli(env, files, measures.add)
    if (hasSqlite) {
      const query = `select ${columns.join(',')} from readers where publication_id=1`
      const output = join(folder, 'limit.csv')
      measures.add(
        'tool: export',
        await timed('sqlite3', ['-csv', '-header', join(dataDir, 'masthead.db'), query], { output }),
      )
    }
    if (rows <= 100_000) measures.add('Model.bulkCreate', await bulkCreate(env, readerLines(rows)))
    rmSync(dataDir, { recursive: true, force: true })
  }
  table('SQLite', rows, measures.all())
}

async function benchPostgres(rows: number, files: Files): Promise<void> {
  const { file } = files
  const measures = measuresOf(rows)
  const admin = new pg.Client({ connectionString: postgresServer })
  const isReachable = await admin.connect().then(
    () => true,
    () => false,
  )
  if (!isReachable) {
    say('PostgreSQL is not responding: skipped')
    return
  }
  const hasPsql = hasTool('psql')
  if (!hasPsql) say('psql is not on this machine: no limits for PostgreSQL')
  for (let round = 0; round < rounds; round++) {
    const name = `masthead_bench_${process.pid}`
    await admin.query(`CREATE DATABASE ${name}`)
    const url = databaseUrlOn(postgresServer, name)
    const env = {
      ...process.env,
      DATA_DIR: folder,
      DATABASE_URL: url,
      SEED: 'none',
      LOG_LEVEL: 'warn',
      APP_SECRET: 'bench-'.repeat(8),
    }
    try {
      await prepare(env)
      if (hasPsql) {
        for (const set of ['F', 'U'] as const) {
          await timed('psql', ['-q', url, '-c', rawTable(set).join(';')])
          const copy = ['-q', url, '-c', 'copy t from stdin with (format csv, header)']
          measures.add(importLimits[set], await timed('psql', copy, { input: { file } }))
          await timed('psql', ['-q', url, '-c', 'drop table t'])
        }
        measures.add(upsertLimit, await postgresUpsert(url, files))
      }
      await measureCli(env, files, measures.add)
      if (hasPsql) {
        const copy = `copy (select ${columns.join(',')} from readers where publication_id=1) to stdout with (format csv, header)`
        measures.add(
          'tool: export',
          await timed('psql', ['-q', url, '-c', copy], { output: join(folder, 'limit.csv') }),
        )
      }
      if (rows <= 100_000) measures.add('Model.bulkCreate', await bulkCreate(env, readerLines(rows)))
    } finally {
      await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    }
  }
  await admin.end()
  table('PostgreSQL', rows, measures.all())
}

function measuresOf(rows: number) {
  const found = new Map<string, Measure>()
  const against: Record<string, string> = {
    import: importLimits.F,
    export: 'tool: export',
    'combine, half known': upsertLimit,
    'replace, half known': 'import',
    'Model.bulkCreate': 'import',
  }
  return {
    add(what: string, run: Timed): void {
      const measure = found.get(what) ?? { what, rows, runs: [], ...(against[what] ? { against: against[what] } : {}) }
      measure.runs.push(run)
      found.set(what, measure)
    },
    all: () => [...found.values()],
  }
}

try {
  for (const rows of given.rows.split(',').map(Number)) {
    const file = join(folder, `readers-${rows}.csv`)
    const half = join(folder, `half-${rows}.csv`)
    await writeReaderFile(file, rows)
    await writeReaderFile(half, rows, 2, rows / 2)
    if (given.databases.includes('sqlite')) await benchSqlite(rows, { file, half })
    if (given.databases.includes('postgres')) await benchPostgres(rows, { file, half })
    rmSync(file)
    rmSync(half)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
