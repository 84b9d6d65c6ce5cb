import { expect, it } from 'vitest'
import { openTestServices } from '#tests/support/test-services.ts'
import { openRenewalStates } from './renewals.rows.ts'

class RolledBack extends Error {}

it('only its own index answers which renewals of an agreement are open', async () => {
  // With statistics from before a busy day all indexes of open renewals look empty to the planner, and it may scan any that it can use.
  const { db } = await openTestServices()
  const plan: string[] = []
  const explained = db.transaction(async () => {
    await db.run(`DROP INDEX renewals_open`)
    // The remaining index may answer it too, at a cost that grows with the table: by that cost the test tells it from the right one.
    await db.run(`ALTER TABLE renewals DROP CONSTRAINT renewals_agreement_id_cycle_on_key`)
    await db.query(`SELECT set_config('enable_seqscan', 'off', true)`)
    const rows = await db.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT agreement_id FROM renewals WHERE agreement_id = 1 AND state IN (:open)`,
      { open: [...openRenewalStates] },
    )
    plan.push(...rows.map((row) => row['QUERY PLAN']))
    throw new RolledBack()
  })
  await expect(explained).rejects.toThrow(RolledBack)
  expect(plan.join('\n')).not.toMatch(/renewals_(?!publisher)/)
})
