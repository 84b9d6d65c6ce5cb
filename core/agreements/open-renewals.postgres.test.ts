import { expect, it } from 'vitest'
import { openTestServices } from '#tests/support/test-services.ts'
import { openRenewalStates } from './renewal-states.rules.ts'

class RolledBack extends Error {}

it('PostgreSQL finds the open renewals of an agreement using only their own index', async () => {
  // With statistics from before a busy day all indexes of open renewals look empty to the planner, and it may scan any of them.
  const { db } = await openTestServices()
  const plan: string[] = []
  const explained = db.transaction(async () => {
    await db.run(`DROP INDEX renewals_open`)
    // The planner could use the index of agreement and cycle instead. It may use `renewals_publisher`, whose cost grows with the table.
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
