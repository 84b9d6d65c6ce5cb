import { expect, it } from 'vitest'
import { Buyers } from '#core/buyers/buyers.rows.ts'
import { Orders } from '#core/orders/orders.rows.ts'
import { addOldPublication, addOldRow } from '#tests/support/old-rows.ts'
import { openMigratedServices } from '#tests/support/test-services.ts'

it('orders and buyers of a release without languages stay unchanged, and have no language', async () => {
  const services = await openMigratedServices('039-languages', async (db) => {
    const publication_id = await addOldPublication(db)
    const [publication] = await db.query<{ publisher_id: number }>(`SELECT publisher_id FROM publications`)
    const buyer_id = await addOldRow(db, 'buyers', {
      publication_id,
      email: 'ann@example.org',
      email_key: 'ann@example.org',
    })
    const owner = { publisher_id: publication?.publisher_id ?? 0, publication_id, buyer_id, state: 'paid' }
    await addOldRow(db, 'orders', {
      ...owner,
      order_number: 'OD-1',
      idempotency_key: 'k',
      country: 'DE',
      billing: '{}',
    })
  })
  expect(await Buyers.find(services, { emailKey: 'ann@example.org' })).toMatchObject({ language: null })
  expect(await Orders.find(services, { orderNumber: 'OD-1' })).toMatchObject({ language: null, country: 'DE' })
})
