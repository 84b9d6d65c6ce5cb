import { beforeAll, expect, it } from 'vitest'
import { type Actor, visitor } from '#core/access/actor.ts'
import { actorOf } from '#tests/support/factories.ts'
import { makeShop, orderForm } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { placeOrder } from '../orders/place-order.ts'
import { exportOrders } from './export-orders.ts'

let services: TestServices
let publisher: Actor
let pubadmin: Actor
let publisherId = 0
let publicationId = 0

beforeAll(async () => {
  services = await openTestServices()
  services.clock.now = new Date('2026-01-31T10:00:00Z')
  const shop = await makeShop(services, { publicationName: 'Harbour, Light', digitalIsFree: true })
  const otherShop = await makeShop(services)
  publisherId = shop.publisherId
  publicationId = shop.id
  publisher = await actorOf(services, 'publisher', shop.publisherId)
  pubadmin = await actorOf(services, 'pubadmin', shop.publisherId)
  const place = (form: Record<string, unknown>) => placeOrder(services.as(visitor), form)
  await place(orderForm(shop, { lastName: '=SUM(A1)', firstName: 'Zoë "Z"' }))
  await place(orderForm(shop, { lastName: 'Free', plan: 'FDN' }))
  await place(orderForm(otherShop, { lastName: 'Foreign' }))
  await place(orderForm(shop, { payment: { details: { cardNumber: '4000000000000002' } } })).catch(() => {})
  services.clock.now = new Date('2026-05-31T10:00:00Z')
})

async function fileOf(actor: Actor): Promise<{ fileName: string; text: string; pieces: number }> {
  const { fileName, chunks } = await exportOrders(services.as(actor), {})
  const pieces: string[] = []
  for await (const piece of chunks) pieces.push(piece)
  return { fileName, text: pieces.join(''), pieces: pieces.length }
}

const auditEntries = () =>
  services.db.query<{ publisher_id: number; facts: unknown }>(
    `SELECT publisher_id, facts FROM audit_log WHERE action = 'export-orders'`,
  )

it('the file of orders has the ledger’s columns, newest first, safe for spreadsheets, and is logged', async () => {
  const { fileName, text } = await fileOf(publisher)
  expect(fileName).toBe('All_Orders_3152026.csv')
  expect(text.startsWith('\ufeffOrder date,Order number,Title,First name,Last name,Publication,Product name,')).toBe(
    true,
  )
  const [header, free, paid, end] = text.slice(1).split('\r\n')
  expect(header?.split(',')).toEqual([
    'Order date',
    'Order number',
    'Title',
    'First name',
    'Last name',
    'Publication',
    'Product name',
    'Payment type',
    'Amount',
    'Currency',
    'Start date',
    'End date',
    'Gift',
    'Fulfilled',
    'Liability',
    'Refunded',
    'Net',
    'Entered late',
  ])
  expect(free).toMatch(/^31\/01\/2026,OD-\w+,Mrs,Ann,Free,"Harbour, Light",[^,]+(,[^,]+)?,Free,0\.00,GBP,.*,No,,,,,$/)
  expect(paid).toMatch(
    /^31\/01\/2026,OD-\w+,Mrs,"Zoë ""Z""",'=SUM\(A1\),"Harbour, Light",.*,29\.99,GBP,31\/01\/2026,.*,No,9\.96,20\.03,0\.00,29\.99,$/,
  )
  expect(end).toBe('')
  expect(text).not.toContain('Foreign')
  expect(await auditEntries()).toEqual([{ publisher_id: publisherId, facts: expect.anything() }])
})

it('the file of orders is for publishers and their administrators', async () => {
  expect((await fileOf(pubadmin)).text).toContain('Zoë')
  for (const userType of ['admin', 'mailer', 'reseller', 'superuser'] as const)
    await expect(exportOrders(services.as(await actorOf(services, userType)), {})).rejects.toMatchObject({
      kind: 'denied',
    })
  await expect(exportOrders(services.as(visitor), {})).rejects.toMatchObject({ kind: 'unauthenticated' })
})

it('the file of orders comes in chunks, with every order once, even with many on one day', async () => {
  const orderCount = 2406
  for (let n = 0; n < orderCount; n += 401) {
    const rows = Array.from({ length: 401 }, (_, index) => {
      const number = `X${String(n + index).padStart(7, '0')}`
      const day = `2025-12-${String(1 + ((n + index) % 2)).padStart(2, '0')}`
      return `(:publisherId, :publicationId, '${number}', 'paid', 'subscription', '${number}', :now, '${day}', 'Print', 'UK', 'GB', 'GBP', 100, 100, 'Card', '{}', :now, :now)`
    })
    await services.db.run(
      `INSERT INTO orders (publisher_id, publication_id, order_number, state, kind, idempotency_key, placed_at, ordered_on, product_name, band,
         country, currency, product_price, amount, payment_type, billing, created_at, updated_at) VALUES ${rows.join(',')}`,
      { publisherId, publicationId, now: services.now() },
    )
  }
  const { text, pieces } = await fileOf(publisher)
  const numbers = text
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(',')[1])
  expect(numbers).toHaveLength(orderCount + 2)
  expect(new Set(numbers).size).toBe(orderCount + 2)
  expect(pieces).toBe(3)
})
