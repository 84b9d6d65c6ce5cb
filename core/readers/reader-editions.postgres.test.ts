import { expect, it } from 'vitest'
import { deferred } from '#tests/support/deferred.ts'
import { makeShop } from '#tests/support/shop.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { readersChanged, readersVersion } from './reader-editions.rows.ts'

it('two transactions that change readers of one title do not wait for each other', async () => {
  const services = await openTestServices()
  const { db } = services
  const { id } = await makeShop(services)
  const before = await readersVersion(db, id)
  const released = deferred()
  let firstTransaction = Promise.resolve()
  await new Promise<void>((started) => {
    firstTransaction = db.transaction(async () => {
      await readersChanged(db, id)
      started()
      await released.promise
    })
  })
  try {
    await db.transaction(async () => {
      await db.run(`SET LOCAL lock_timeout = '5s'`)
      await readersChanged(db, id)
    })
  } finally {
    released.resolve()
  }
  await firstTransaction
  expect(await readersVersion(db, id)).toBe(before + 2)
})
