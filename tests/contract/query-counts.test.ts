import { beforeAll, expect, it } from 'vitest'
import { listAudit } from '#core/audit/list-audit.query.ts'
import type { AppContext } from '#core/context.ts'
import { listPublishers } from '#core/users/list-publishers.query.ts'
import { listUsers } from '#core/users/list-users.query.ts'
import { actorOf, makeUser } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

/** How many statements are sent to the database while the work runs. */
async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const { options } = services.db.sequelize as unknown as { options: { logging: unknown } }
  const before = options.logging
  let count = 0
  options.logging = () => count++
  try {
    await work()
  } finally {
    options.logging = before
  }
  return count
}

const lists: Record<string, (ctx: AppContext) => Promise<{ rows: unknown[] }>> = {
  users: (ctx) => listUsers(ctx, { size: 100 }),
  publishers: (ctx) => listPublishers(ctx, { size: 100 }),
  audit: (ctx) => listAudit(ctx, { size: 100 }),
}

it('no list makes a query per row, its permission checks included', async () => {
  const superuser = services.as(await actorOf(services, 'superuser'))
  const firstMeasurements = new Map<string, { rows: number; queries: number }>()
  const measure = async (name: string) => {
    let rows = 0
    const queries = await countStatements(async () => {
      rows = (await lists[name]?.(superuser))?.rows.length ?? 0
    })
    return { rows, queries }
  }
  for (const name of Object.keys(lists)) firstMeasurements.set(name, await measure(name))
  for (let n = 0; n < 30; n++) {
    const user = await makeUser(services, { userType: n % 2 ? 'publisher' : 'pubadmin' })
    await services.db.run(
      `INSERT INTO audit_log (happened_at, actor_kind, actor_id, door, action, subject_type, subject_id, facts)
       VALUES (:now, 'staff', :id, 'web', 'add-user', 'user', :id, '{}')`,
      { now: services.now(), id: user.id },
    )
  }
  for (const name of Object.keys(lists)) {
    const measurement = await measure(name)
    const firstMeasurement = firstMeasurements.get(name)
    expect(measurement.rows, name).toBeGreaterThan((firstMeasurement?.rows ?? 0) + 10)
    expect([name, measurement.queries]).toEqual([name, firstMeasurement?.queries])
    expect(measurement.queries, name).toBeGreaterThan(0)
  }
})
