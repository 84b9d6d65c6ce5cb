import { setTimeout } from 'node:timers/promises'
import type { Database } from '#core/database.ts'
import type { PostgresConnection } from '#core/ports/bulk.ts'

/**
 * The indexes that a large load drops and builds again at its end, as the newest migrations define them: name and definition. Indexes of few
 * readers, such as those without a name, cost a load almost nothing and remain. All but the company index contain `is_deleted`, so that counts of active
 * readers are answered from the index alone.
 */
const readerKeyIndexes: Readonly<Record<string, string>> = {
  readers_name: `readers (publication_id, key_name, key_post_code, is_deleted) WHERE key_name <> ''`,
  readers_surname: `readers (publication_id, key_surname, key_post_code, is_deleted) WHERE key_surname <> ''`,
  readers_post_code: `readers (publication_id, key_post_code, key_address, is_deleted) WHERE key_post_code <> ''`,
  readers_email: `readers (publication_id, key_email, is_deleted) WHERE key_email <> ''`,
  readers_company: `readers (publication_id, key_company, id) WHERE key_company <> ''`,
  readers_end: `readers (publication_id, sub_end_on, is_deleted, sub_type, sub_currency, sub_paid, id)`,
  readers_terms: `readers (publication_id, sub_type, sub_start_on, sub_end_on, is_deleted)`,
}
const indexNames = Object.keys(readerKeyIndexes)

/** The cost of building the indexes per reader of the table, where updating them costs 1 per reader that is written. */
const buildCost = { sqlite: 0.3, postgres: 0.15 }

/** The existing indexes; on PostgreSQL without the invalid ones that a killed build or drop has left. */
async function presentIndexes(db: Database): Promise<Set<string>> {
  const rows = await db.query<{ name: string }>(
    db.dialect === 'sqlite'
      ? `SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'readers'`
      : `SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
         WHERE i.indrelid = 'readers'::regclass AND i.indisvalid AND i.indisready`,
  )
  return new Set(rows.map(({ name }) => name))
}

/** An estimate of the number of all readers, without counting them. */
async function tableSize(db: Database): Promise<number> {
  const [row] = await db.query<{ size: number | null }>(
    db.dialect === 'sqlite'
      ? 'SELECT max(id) AS size FROM readers'
      : `SELECT CASE WHEN reltuples < 0 THEN (SELECT count(*) FROM readers) ELSE reltuples END AS size FROM pg_class WHERE oid = 'readers'::regclass`,
  )
  return Number(row?.size ?? 0)
}

async function countReaders(db: Database, publicationId: number): Promise<number> {
  const [row] = await db.query<{ number: number }>(
    'SELECT count(*) AS number FROM readers WHERE publication_id = :publicationId',
    { publicationId },
  )
  return Number(row?.number)
}

/**
 * Drops the readers' key indexes when building them again costs less than updating them for this many readers written. On PostgreSQL, where others
 * read meanwhile, only for a publication that has most of the table: all reader lists are slow until the indexes exist again. Returns whether it did.
 */
export async function dropReaderIndexes(db: Database, publicationId: number, writes: number): Promise<boolean> {
  if (writes < db.bulk.sizes.big) return false
  const size = await tableSize(db)
  if (size * buildCost[db.dialect] > writes) return false
  if (db.dialect === 'sqlite') {
    await db.transaction(async () => {
      for (const name of indexNames) await db.run(`DROP INDEX IF EXISTS ${name}`)
    })
    return true
  }
  if (size > 0 && (await countReaders(db, publicationId)) + writes < (size + writes) / 2) return false
  await withIndexLock(db, async (client) => {
    for (const name of indexNames) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`)
  })
  return true
}

/** Builds the missing key indexes: after a big load, and at start-up after one that was killed. Returns their names. */
export async function ensureReaderIndexes(db: Database): Promise<string[]> {
  if (db.dialect === 'sqlite') {
    const missing = await missingIndexes(db)
    if (missing.length > 0) await buildOnSqlite(db, missing.map(indexText))
    return missing
  }
  if ((await missingIndexes(db)).length === 0) return []
  return withIndexLock(db, async (client) => {
    // Checked again: another process may have built them meanwhile.
    const missing = await missingIndexes(db)
    await client.query(`SET maintenance_work_mem = '128MB'`)
    for (const name of missing) {
      await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`)
      await client.query(indexText(name).replace('INDEX', 'INDEX CONCURRENTLY'))
    }
    await client.query('RESET maintenance_work_mem')
    return missing
  })
}

/** The key indexes that are missing, unless an import or its undo that is under way builds them at its end. */
export async function missingReaderIndexes({ db }: { db: Database }): Promise<string[]> {
  const missing = await missingIndexes(db)
  if (missing.length === 0) return []
  const [running] = await db.query(
    `SELECT id FROM tasks WHERE kind IN ('import-readers', 'undo-import') AND state = 'running' LIMIT 1`,
  )
  return running ? [] : missing
}

async function missingIndexes(db: Database): Promise<string[]> {
  const present = await presentIndexes(db)
  return indexNames.filter((name) => !present.has(name))
}

function indexText(name: string): string {
  return `CREATE INDEX IF NOT EXISTS ${name} ON ${readerKeyIndexes[name]}`
}

/** One transaction per index: other writers wait for one build at most. */
async function buildOnSqlite(db: Database, texts: string[]): Promise<void> {
  const handle = await db.bulk.sqlite('PRAGMA cache_size=-16000;')
  try {
    for (const text of texts) await db.bulk.withWriteLock(() => handle.run(text))
  } finally {
    await handle.close()
  }
}

/** The id of the advisory lock. */
const indexLock = 7_236_115
const lockPollMs = 200

/**
 * PostgreSQL: builds and drops without a lock that writers would wait for, one process at a time, since two concurrent builds would deadlock. The lock
 * is polled for: a build would also wait for a process that waits for the lock inside a statement.
 */
async function withIndexLock<Result>(
  db: Database,
  work: (client: PostgresConnection) => Promise<Result>,
): Promise<Result> {
  const client = await db.bulk.postgres()
  let isUsable = false
  try {
    const tryLock = `SELECT pg_try_advisory_lock(${indexLock}) AS "isOurs"`
    while (!(await client.query<{ isOurs: boolean }>(tryLock)).rows[0]?.isOurs) await setTimeout(lockPollMs)
    const result = await work(client)
    await client.query(`SELECT pg_advisory_unlock(${indexLock})`)
    isUsable = true
    return result
  } finally {
    // A connection that failed is closed, which releases its lock.
    await client.release(isUsable)
  }
}

/** The other tables that a load writes. */
const relatedTables = ['reader_events', 'reader_backups', 'upload_rejects']

/**
 * Finishes a load that wrote this many rows: builds the missing key indexes and updates the planner's statistics. On PostgreSQL a big load is
 * followed by a vacuum, so that index-only scans work. It comes before the build, so that the new indexes need no cleaning.
 */
export async function finishLoad(db: Database, writes: number): Promise<void> {
  if (db.dialect === 'sqlite') {
    await ensureReaderIndexes(db)
    if (writes > 0) await analyseOnSqlite(db)
    return
  }
  if (writes > 0)
    await withIndexLock(db, async (client) => {
      if (writes < db.bulk.sizes.big) return client.query('ANALYZE readers')
      await client.query('VACUUM (ANALYZE) readers')
      return client.query(`ANALYZE ${relatedTables.join(', ')}`)
    })
  await ensureReaderIndexes(db)
}

async function analyseOnSqlite(db: Database): Promise<void> {
  const handle = await db.bulk.sqlite()
  try {
    await db.bulk.withWriteLock(async () => {
      await handle.run('PRAGMA analysis_limit=1000')
      await handle.run('ANALYZE readers')
    })
  } finally {
    await handle.close()
  }
}
