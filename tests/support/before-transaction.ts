import type { Running } from '#core/platform/make-services.ts'

/**
 * Does the work just before the next transaction begins, like another process that saves something after a request has read a record and before it
 * writes it. The work may open transactions itself.
 */
export function beforeNextTransaction({ db }: Running, work: () => Promise<unknown>): void {
  const { transaction } = db
  db.transaction = async (write) => {
    db.transaction = transaction
    await work()
    return transaction.call(db, write) as ReturnType<typeof write>
  }
}
