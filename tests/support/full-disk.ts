import type { Running } from '#core/platform/make-services.ts'

/**
 * Simulates a full disk for readers, or rows of another table, that match a condition over `NEW` (a line of an import, for example): each engine
 * refuses to write them with its own error code for that. Returns a function that makes room again.
 */
export async function fillDisk(
  { db }: Pick<Running, 'db'>,
  when: string,
  { event = 'INSERT', table = 'readers' } = {},
): Promise<() => Promise<void>> {
  if (db.dialect === 'sqlite') {
    // A table whose last id is used cannot grow: SQLite reports that as a full disk.
    await db.run('CREATE TABLE IF NOT EXISTS full_disk (id INTEGER PRIMARY KEY AUTOINCREMENT)')
    await db.run('INSERT OR IGNORE INTO full_disk (id) VALUES (9223372036854775807)')
    await db.run(
      `CREATE TRIGGER disk_is_full AFTER ${event} ON ${table} WHEN ${when} BEGIN INSERT INTO full_disk (id) VALUES (NULL); END`,
    )
    return async () => {
      await db.run('DROP TRIGGER disk_is_full')
    }
  }
  await db.run(
    `CREATE OR REPLACE FUNCTION disk_is_full() RETURNS trigger LANGUAGE plpgsql AS
       'BEGIN RAISE EXCEPTION USING ERRCODE = ''53100'', MESSAGE = ''could not extend file: No space left on device''; END'`,
  )
  await db.run(
    `CREATE TRIGGER disk_is_full AFTER ${event} ON ${table} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION disk_is_full()`,
  )
  return async () => {
    await db.run(`DROP TRIGGER disk_is_full ON ${table}`)
  }
}
