import type { Database } from '#core/database.ts'

type Values = Record<string, string | number | boolean | Date | null>

/**
 * Inserts a row into a table of any release and returns its id: a missing required value is blank, zero, false, an empty list or a fixed
 * time, by the type of its column.
 */
export async function addOldRow(db: Database, table: string, values: Values): Promise<number> {
  const required = await requiredColumns(db, table)
  const row: Values = { ...Object.fromEntries(required.map(({ name, type }) => [name, blankOf(type)])), ...values }
  const names = Object.keys(row)
  const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((name) => `:${name}`).join(', ')}) RETURNING *`
  const [inserted] = await db.transaction(() => db.query<{ id?: number }>(sql, row))
  return Number(inserted?.id)
}

function requiredColumns(db: Database, table: string): Promise<{ name: string; type: string }[]> {
  return db.dialect === 'postgres'
    ? db.query(
        `SELECT column_name AS name, data_type AS type FROM information_schema.columns
         WHERE table_schema = current_schema() AND table_name = :table AND is_nullable = 'NO' AND column_default IS NULL
           AND is_identity = 'NO'`,
        { table },
      )
    : db.query(`SELECT name, type FROM pragma_table_info(:table) WHERE "notnull" AND dflt_value IS NULL AND NOT pk`, {
        table,
      })
}

function blankOf(type: string): Values[string] {
  if (/^date$/i.test(type)) return '2026-01-01'
  if (/time/i.test(type)) return new Date('2026-11-20T10:00:00Z')
  if (/json/i.test(type)) return '[]'
  if (/bool/i.test(type)) return false
  return /char|text/i.test(type) ? '' : 0
}

/** A publisher with a publication, for any release. Returns the publication's id. */
export async function addOldPublication(db: Database): Promise<number> {
  const key = `old-${++publicationCount}`
  const publisher = await addOldRow(db, 'users', {
    user_type: 'publisher',
    email: `${key}@example.org`,
    email_key: key,
  })
  await addOldRow(db, 'accounts', { user_id: publisher })
  return addOldRow(db, 'publications', {
    publisher_id: publisher,
    publication_name: key,
    url_key: key,
    url_key_lower: key,
  })
}

let publicationCount = 0
