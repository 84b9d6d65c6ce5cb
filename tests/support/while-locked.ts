import { expect } from 'vitest'
import type { TestServices } from './test-services.ts'

/**
 * Runs work on PostgreSQL while another transaction has locked a row by the statement `first`: once the work waits for that row, the other transaction
 * executes `second`, which needs a row that the work must not have locked yet. In opposite orders the two would deadlock. Returns the error of
 * `second`, or null, and the result of the work, or its error.
 */
export async function whileLocked<Result>(
  services: TestServices,
  { first, second }: { first: string; second: string },
  work: () => Promise<Result>,
): Promise<[string | null, Result | string]> {
  const other = await services.db.bulk.postgres()
  await other.query('BEGIN')
  await other.query(first)
  const running = work().catch(String)
  await untilBlocked(services, 1)
  const problem = await other.query(second).then(() => null, String)
  await other.query(problem === null ? 'COMMIT' : 'ROLLBACK')
  await other.release()
  return [problem, await running]
}

/** Waits until this many connections to PostgreSQL wait for a row that another connection has locked. */
export async function untilBlocked({ db }: TestServices, connections: number): Promise<void> {
  const blocked = async () => {
    const rows = await db.query(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    return rows.length
  }
  await expect.poll(blocked, { timeout: 60_000, interval: 5 }).toBe(connections)
}
