import type { Database } from '#core/database.ts'

interface Trigger {
  /** The statement that fires it: `UPDATE OF state ON tasks`. */
  after: string
  /** A condition on `NEW` and `OLD`. */
  when: string
  /** One statement, for the row that was written. */
  sql: string
}

/** Executes SQL after each write that meets a condition, in its transaction. Returns a function that removes the trigger. */
export async function addTrigger(db: Database, { after, when, sql }: Trigger): Promise<() => Promise<void>> {
  if (db.dialect === 'sqlite') {
    await db.run(`CREATE TRIGGER after_write AFTER ${after} WHEN (${when}) BEGIN ${sql}; END`)
    return async () => {
      await db.run('DROP TRIGGER after_write')
    }
  }
  await db.run(`CREATE FUNCTION after_write() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${sql}; RETURN NULL; END $$`)
  await db.run(`CREATE TRIGGER after_write AFTER ${after} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION after_write()`)
  return async () => {
    await db.run('DROP FUNCTION after_write CASCADE')
  }
}
