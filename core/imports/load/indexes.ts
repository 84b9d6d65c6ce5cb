import type { Database } from '#core/database.ts'

/**
 * The indexes that a large import drops and builds again at its end, as the newest migrations have them: name and what it is on.
 * Deactivated readers stand apart in each, so that what counts active ones is answered from the index alone.
 */
const readerKeyIndexes: Readonly<Record<string, string>> = {
  readers_name: `readers (publication_id, key_name, key_post_code, is_deleted) WHERE key_name <> ''`,
  readers_surname: `readers (publication_id, key_surname, key_post_code, is_deleted) WHERE key_surname <> ''`,
  readers_post_code: `readers (publication_id, key_post_code, key_address, is_deleted) WHERE key_post_code <> ''`,
  readers_email: `readers (publication_id, key_email, is_deleted) WHERE key_email <> ''`,
  readers_company: `readers (publication_id, key_company, id) WHERE key_company <> ''`,
  readers_no_full_name: `readers (publication_id, is_deleted, id) WHERE full_name = ''`,
  readers_no_names: `readers (publication_id, is_deleted, id) WHERE first_name = '' OR last_name = ''`,
  readers_queried_post_code: `readers (publication_id, post_code_state, is_deleted, id) WHERE post_code_state <> 'ok'`,
  readers_queried_address: `readers (publication_id, is_deleted, id) WHERE address_state <> 'ok'`,
  readers_end: `readers (publication_id, sub_end_on, is_deleted, sub_type)`,
}

const bigFile = 50_000

async function presentIndexes(db: Database): Promise<Set<string>> {
  const rows = await db.query<{ name: string }>(
    db.dialect === 'sqlite'
      ? `SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'readers'`
      : `SELECT indexname AS name FROM pg_indexes WHERE schemaname = current_schema() AND tablename = 'readers'`,
  )
  return new Set(rows.map(({ name }) => name))
}

/** About how many readers there are in all, without counting them. */
async function tableSize(db: Database): Promise<number> {
  const [row] = await db.query<{ size: number | null }>(
    db.dialect === 'sqlite'
      ? 'SELECT max(id) AS size FROM readers'
      : `SELECT CASE WHEN reltuples < 0 THEN (SELECT count(*) FROM readers) ELSE reltuples END AS size FROM pg_class WHERE oid = 'readers'::regclass`,
  )
  return Number(row?.size ?? 0)
}

/**
 * Drops the readers' key indexes when a load is big against the table: building them at the end costs a third of keeping them up
 * row by row. Returns whether it did.
 */
export async function dropReaderIndexes(db: Database, lines: number): Promise<boolean> {
  if (lines < bigFile) return false
  const size = await tableSize(db)
  if (db.dialect === 'sqlite' ? size * 0.3 > lines : size > lines) return false
  await db.transaction(async () => {
    for (const name of Object.keys(readerKeyIndexes)) await db.run(`DROP INDEX IF EXISTS ${name}`)
  })
  return true
}

/** Builds the key indexes that are missing: after a big load, and at start-up after one that was killed. Returns their names. */
export async function ensureReaderIndexes(db: Database): Promise<string[]> {
  const present = await presentIndexes(db)
  const missing = Object.entries(readerKeyIndexes).filter(([name]) => !present.has(name))
  if (missing.length === 0) return []
  const texts = missing.map(([name, on]) => `CREATE INDEX IF NOT EXISTS ${name} ON ${on}`)
  if (db.dialect === 'sqlite') await buildOnSqlite(db, texts)
  else await buildOnPostgres(db, texts)
  return missing.map(([name]) => name)
}

/** One turn per index: other writers wait for one build at most. */
async function buildOnSqlite(db: Database, texts: string[]): Promise<void> {
  const handle = await db.bulk.sqlite('PRAGMA cache_size=-16000;')
  try {
    for (const text of texts) await db.bulk.writeTurn(() => handle.run(text))
  } finally {
    await handle.close()
  }
}

async function buildOnPostgres(db: Database, texts: string[]): Promise<void> {
  const client = await db.bulk.postgres()
  try {
    await client.query(`SET maintenance_work_mem = '128MB'`)
    for (const text of texts) await client.query(text)
  } finally {
    await client.query('RESET maintenance_work_mem').catch(() => {})
    await client.giveBack()
  }
}

/** Tells the planner about what a load brought; on PostgreSQL also readies index-only scans after a big one. */
export async function refreshReaderStatistics(db: Database, isBig: boolean): Promise<void> {
  if (db.dialect === 'sqlite') {
    const handle = await db.bulk.sqlite()
    try {
      await db.bulk.writeTurn(async () => {
        await handle.run('PRAGMA analysis_limit=1000')
        await handle.run('ANALYZE readers')
      })
    } finally {
      await handle.close()
    }
    return
  }
  const client = await db.bulk.postgres()
  try {
    await client.query(isBig ? 'VACUUM (ANALYZE) readers' : 'ANALYZE readers')
  } finally {
    await client.giveBack()
  }
}
