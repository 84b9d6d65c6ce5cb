import pg from 'pg'
import type { Running } from '#core/platform/make-services.ts'
import { databaseUrlOn } from '#tests/support/database-url.ts'

/** Creates one publisher with one publication of this handle in an empty, migrated database. */
export async function addPublication({ db, now }: Running, urlKey: string): Promise<void> {
  await db.transaction(async () => {
    const [user] = await db.query<{ id: number }>(
      `INSERT INTO users (user_type, email, email_key, created_at, updated_at)
       VALUES ('publisher', 'bench@example.test', 'bench@example.test', :now, :now) RETURNING id`,
      { now: now() },
    )
    await db.run(`INSERT INTO accounts (user_id, created_at, updated_at) VALUES (:userId, :now, :now)`, {
      userId: user?.id ?? 0,
      now: now(),
    })
    await db.run(
      `INSERT INTO publications (publisher_id, publication_name, url_key, url_key_lower, created_at, updated_at)
       VALUES (:publisherId, 'Harbour Light', :urlKey, :urlKey, :now, :now)`,
      { publisherId: user?.id ?? 0, urlKey, now: now() },
    )
  })
}

/** The PostgreSQL server that the benchmarks use. */
export const postgresServer = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** Runs a benchmark on its own PostgreSQL database, which is dropped afterwards or kept for the next run; prints a message if there is no server. */
export async function onPostgres(bench: string, work: (url: string) => Promise<void>, isKept = false): Promise<void> {
  const name = `masthead_bench_${bench}_${isKept ? 'kept' : process.pid}`
  const client = new pg.Client({ connectionString: postgresServer })
  const isReachable = await client.connect().then(
    () => true,
    () => false,
  )
  if (!isReachable) {
    process.stdout.write('\nNo PostgreSQL server was found: skipped\n')
    return
  }
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
    if (!rowCount) await client.query(`CREATE DATABASE ${name}`)
    await work(databaseUrlOn(postgresServer, name))
  } finally {
    if (!isKept) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    await client.end()
  }
}
