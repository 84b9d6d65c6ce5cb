import { expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { addDays } from '#core/kernel/calendar.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { operator } from '#tests/support/factories.ts'
import { makeSeriesShop, paidOrder } from '#tests/support/series.ts'
import { orderForm } from '#tests/support/shop.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { simulateRenewals } from './simulate-renewals.ts'

const today = '2027-01-04'
const days = [3, 40, 90, 150, 203, 331]

it('gives the same result for the same readers, whatever their database ids', async () => {
  const services = await openTestServices()
  const simulate = async () => {
    services.clock.now = new Date('2026-03-01T10:00:00Z')
    const shop = await makeSeriesShop(services)
    for (const [index, day] of days.entries()) {
      const subEndOn = addDays(today, day)
      const readerId = await shop.reader(subEndOn, { uniqueReference: `H-${index}`, email: `h-${index}@example.test` })
      await paidOrder(services, { ...shop, publicationId: shop.id, readerId }, { on: '2026-01-04' })
      const form = orderForm(shop, { plan: '1PR25.00', email: `r-${index}@example.test` })
      await placeOrder(services.as(visitor), form)
      await services.db.run(
        `UPDATE readers SET unique_reference = :reference WHERE publication_id = :id AND email = :email`,
        { reference: `R-${index}`, id: shop.id, email: `r-${index}@example.test` },
      )
    }
    services.clock.now = new Date(`${today}T09:00:00Z`)
    const input = { publicationId: shop.id, years: 1, declines: 40, declinesAgain: 60, responseRate: 30, seed: 3 }
    const { efforts, months, ended } = await simulateRenewals(services.as(operator), input)
    return { efforts, months, ended }
  }
  const firstResult = await simulate()
  expect(firstResult.efforts.some(({ renewed }) => renewed > 0)).toBe(true)
  expect(firstResult.months.some(({ declined }) => declined > 0)).toBe(true)
  expect(await simulate()).toEqual(firstResult)
})

it('reads a copy of the title that names nobody at the publisher', async () => {
  const services = await openTestServices()
  const { id: publicationId, publisherId } = await makeSeriesShop(services)
  const personalColumns = {
    accounts: [
      'main_contact',
      'full_name',
      'address_one',
      'address_two',
      'address_three',
      'address_four',
      'post_zip',
      'telephone',
      'mobile',
      'email_address',
      'single_email_address',
      'plan_subscription_reference',
    ],
    publications: ['email_address', 'order_email_address', 'cc_email', 'reader_platform_key'],
  }
  const ids = { accounts: `user_id = ${publisherId}`, publications: `id = ${publicationId}` }
  for (const table of ['accounts', 'publications'] as const)
    await services.db.run(
      `UPDATE ${table} SET ${personalColumns[table].map((column) => `${column} = 'Zaphod'`).join(', ')} WHERE ${ids[table]}`,
    )
  const copy = await services.openTitleCopy(publicationId, { now: services.now })
  try {
    for (const table of ['accounts', 'publications'] as const) {
      const rows = await copy.services.db.query(`SELECT * FROM ${table}`)
      expect(rows).toHaveLength(1)
      expect(JSON.stringify(rows)).not.toContain('Zaphod')
    }
  } finally {
    await copy.close()
  }
})
