import { expect, it } from 'vitest'
import { makeShop } from '#tests/support/shop.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { readersChanged, readersVersion } from './reader-editions.rows.ts'

it('of one title: two transactions that change readers do not wait for each other', async () => {
  const services = await openTestServices()
  const { db } = services
  const { id } = await makeShop(services)
  const before = await readersVersion(db, id)
  let goOn = () => {}
  const waits = new Promise<void>((resolve) => (goOn = resolve))
  let first = Promise.resolve()
  await new Promise<void>((told) => {
    first = db.transaction(async () => {
      await readersChanged(db, id)
      told()
      await waits
    })
  })
  try {
    await db.transaction(async () => {
      await db.run(`SET LOCAL lock_timeout = '5s'`)
      await readersChanged(db, id)
    })
  } finally {
    goOn()
  }
  await first
  expect(await readersVersion(db, id)).toBe(before + 2)
})
