import { AppError } from '#core/kernel/errors.ts'
import type { Running } from '#core/platform/make-services.ts'

/** The next transaction that adds a row to `table` commits, but its caller gets the error of a connection that was lost meanwhile. */
export function loseNextCommit({ db }: Running, table: string): void {
  const { transaction } = db
  const count = async () => {
    const [row] = await db.query<{ rows: number }>(`SELECT COUNT(*) AS rows FROM ${table}`)
    return Number(row?.rows)
  }
  db.transaction = async (work) => {
    if (db.isInTransaction()) return transaction.call(db, work) as ReturnType<typeof work>
    const before = await count()
    const result = await (transaction.call(db, work) as ReturnType<typeof work>)
    if ((await count()) === before) return result
    db.transaction = transaction
    throw new AppError('unavailable', 'The database is not responding')
  }
}
