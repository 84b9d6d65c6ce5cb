import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type AppContext, contextFor } from '#core/context.ts'
import { listDuplicates } from '#core/duplicates/list-duplicates.query.ts'
import { fixReaders } from '#core/fixes/fix-readers.ts'
import { undoFix } from '#core/fixes/undo-fix.ts'
import { importReaders } from '#core/imports/import-readers.ts'
import { dayOf } from '#core/kernel/calendar.ts'
import { migrate } from '#core/platform/database/migrate.ts'
import { readEnv } from '#core/platform/env.ts'
import { makeServices } from '#core/platform/make-services.ts'
import { ownPublication } from '#core/publications/own-publication.ts'
import { getReader } from '#core/readers/get-reader.query.ts'
import { searchReaders } from '#core/readers/search-readers.query.ts'
import { removeReaders } from '#core/removals/remove-readers.ts'
import { restoreReaders } from '#core/removals/restore-readers.ts'
import { countWarnings } from '#core/warnings/count-warnings.query.ts'
import { activeOnly, warningCondition } from '#core/warnings/list-conditions.ts'
import { listWarning, readerListKeys } from '#core/warnings/list-warning.query.ts'
import {
  countedLists,
  type DuplicateList,
  isDuplicateList,
  listDays,
  type Warning,
} from '#core/warnings/warnings.rules.ts'
import { addPublication, onPostgres } from './bench-database.ts'
import { say, shown } from './printed.ts'
import { writeReaderFile } from './reader-file-generator.ts'

/**
 * Manage Data with many readers: each count compared with plain SQL for the same question, all counts cold and cached, the first page of each list
 * in its own order and by name, search by each of the six fields, one reader, and, once each, the automatic fixes with their undo, and the
 * removal of all readers with its undo. Server time of the use case, median of `--rounds`.
 *   npm run bench -- manage-data --rows 1000000 --databases sqlite,postgres
 */
const { values: given } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    databases: { type: 'string', default: 'sqlite,postgres' },
    rounds: { type: 'string', default: '3' },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'masthead-manage-data-'))
const rounds = Number(given.rounds)

async function once(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

async function median(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) times.push(await once(work))
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)] as number
}

/** The shortest SQL that returns the same count. */
function bareCount({ db }: AppContext, list: Warning | DuplicateList): string {
  if (!isDuplicateList(list))
    return `SELECT COUNT(*) AS n FROM readers WHERE publication_id = :publicationId AND ${warningCondition(db, list)}`
  const columns = list.keys.join(', ')
  return `SELECT COUNT(*) AS n FROM (SELECT 1 AS one FROM readers WHERE publication_id = :publicationId AND ${activeOnly(db)}
    AND ${list.keys.map((key) => `${key} <> ''`).join(' AND ')} GROUP BY ${columns} HAVING COUNT(*) > 1) AS found`
}

async function measure(ctx: AppContext, name: string): Promise<void> {
  const { id: publicationId } = await ownPublication(ctx, { urlKey: 'bench' })
  const clearCounts = () => ctx.db.run('DELETE FROM reader_counts')
  const all = () => countWarnings(ctx, { publicationId })
  await clearCounts()
  const first = await once(all)
  const cold = await median(async () => {
    await clearCounts()
    await all()
  })
  say(`\n| ${name} | ms |\n|---|---|`)
  say(`| all 14 counts, the first time | ${shown(first)} |`)
  say(`| all 14 counts, cold | ${shown(cold)} |`)
  say(`| all 14 counts, cached | ${shown(await median(all))} |`)
  say(
    `\n| ${name} | readers or groups | count, ms | bare SQL | first page | by name, or the largest first |\n|---|---|---|---|---|---|`,
  )
  const counts = await all()
  const days = listDays(dayOf(ctx.now(), ctx.settings.timeZone))
  for (const list of countedLists) {
    const { key } = list
    const bare = await median(() => ctx.db.query(bareCount(ctx, list), { publicationId, ...days }))
    const counted = await median(async () => {
      await clearCounts()
      await countWarnings(ctx, { publicationId, lists: [key] })
    })
    await all()
    const page = (sort?: string) =>
      isDuplicateList(list)
        ? listDuplicates(ctx, { publicationId, list: key, sort, size: 50 })
        : listWarning(ctx, { publicationId, list: key, sort, size: 50 })
    const own = await median(() => page())
    const other = await median(() => page(isDuplicateList(list) ? '-count' : 'name'))
    say(
      `| ${list.label} | ${(counts[key] ?? 0).toLocaleString('en-GB')} | ${[counted, bare, own, other].map(shown).join(' | ')} |`,
    )
  }
  const everybody = readerListKeys.at(-1)
  say(
    `| All readers | | | | ${shown(await median(() => listWarning(ctx, { publicationId, list: everybody, size: 50 })))} | ${shown(await median(() => listWarning(ctx, { publicationId, list: everybody, sort: 'name', size: 50 })))} |`,
  )
  const searches = {
    'last name': { lastName: 'kowal' },
    email: { email: 'chloe.smith1' },
    company: { companyName: 'fenland nurseries' },
    'full name': { fullName: 'zoe macleod' },
    reference: { uniqueReference: 'HL00100' },
    postcode: { postZip: 'PL12 3A' },
  }
  say(`\n| ${name}: search by | found | ms |\n|---|---|---|`)
  for (const [field, wanted] of Object.entries(searches)) {
    const search = () => searchReaders(ctx, { publicationId, ...wanted })
    say(`| ${field} | ${(await search()).total.toLocaleString('en-GB')} | ${shown(await median(search))} |`)
  }
  const [someone] = (await listWarning(ctx, { publicationId, list: 'all' })).rows
  say(`| one reader's page | 1 | ${shown(await median(() => getReader(ctx, { id: someone?.id ?? 0 })))} |`)
  for (const kind of ['full-names', 'addresses'] as const) {
    let fix = { id: 0, fixed: 0, leftAlone: 0 }
    const seconds =
      (await once(async () => {
        fix = await fixReaders(ctx, { publicationId, kind, isWaiting: true })
      })) / 1000
    // A fix that changed nobody cannot be undone.
    if (fix.fixed === 0) continue
    const undoSeconds = (await once(() => undoFix(ctx, { fixId: fix.id, isWaiting: true }))) / 1000
    say(
      `| fix ${kind} and undo it | ${fix.fixed.toLocaleString('en-GB')} | ${shown(seconds * 1000)} and ${shown(undoSeconds * 1000)} |`,
    )
  }
  let removal = { id: 0, removed: 0 }
  const removing = await once(async () => {
    removal = await removeReaders(ctx, { publicationId, list: 'all', isWaiting: true })
  })
  const restoring = await once(() => restoreReaders(ctx, { removalId: removal.id, isWaiting: true }))
  say(
    `| remove all readers and restore them | ${removal.removed.toLocaleString('en-GB')} | ${shown(removing)} and ${shown(restoring)} |`,
  )
}

async function benchOn(name: string, env: NodeJS.ProcessEnv, file: string): Promise<void> {
  const services = await makeServices(readEnv(env))
  try {
    await migrate(services.db)
    await addPublication(services, 'bench')
    const ctx = contextFor(services, { kind: 'operator' }, { entryPoint: 'test' })
    await importReaders(ctx, { urlKey: 'bench', file, mode: 'add' })
    // One email in fifty bounces.
    await services.db.run(
      `INSERT INTO address_marks (publisher_id, address_key, bounced_at, created_at, updated_at)
       SELECT DISTINCT p.publisher_id, r.key_email, r.created_at, r.created_at, r.created_at FROM readers r JOIN publications p ON p.id = r.publication_id
       WHERE r.key_email <> '' AND r.id % 50 = 0 ON CONFLICT DO NOTHING`,
    )
    await measure(ctx, name)
  } finally {
    await services.db.close()
  }
}

try {
  const file = join(folder, 'readers.csv')
  await writeReaderFile(file, Number(given.rows))
  say(`### Manage Data, ${Number(given.rows).toLocaleString('en-GB')} rows`)
  const common = { ...process.env, SEED: 'none', LOG_LEVEL: 'warn', APP_SECRET: 'bench-'.repeat(8), DATA_DIR: folder }
  if (given.databases.includes('sqlite')) await benchOn('SQLite', { ...common, DATABASE_URL: '' }, file)
  if (given.databases.includes('postgres'))
    await onPostgres('manage', (url) => benchOn('PostgreSQL', { ...common, DATABASE_URL: url }, file))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
