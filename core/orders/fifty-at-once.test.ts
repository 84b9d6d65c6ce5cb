import { expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { isAppError } from '#core/kernel/errors.ts'
import { english } from '#core/kernel/phrases.ts'
import { makeBackIssue } from '#tests/support/factories.ts'
import { issueForm, makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { soldOutMessage } from '../back-issues/issue-problems.rules.ts'
import { placeBackIssueOrder } from './place-back-issue-order.ts'
import { placeOrder } from './place-order.ts'

const services = await openTestServices()
const fifty = Array.from({ length: 50 }, (_, n) => n)

it('fifty buyers at once: every order has its buyer, reader, ledger row and emails, and none twice', async () => {
  const shop = await makeShop(services)
  const placed = await Promise.all(fifty.map(() => placeOrder(services.as(visitor), orderForm(shop))))
  expect(placed.every(({ state }) => state === 'paid')).toBe(true)
  expect(new Set(placed.map(({ orderNumber }) => orderNumber)).size).toBe(50)
  for (const table of ['orders', 'buyers', 'readers', 'ledger_entries', 'reader_events']) {
    expect(await rowsOf(services, table, shop.id), table).toHaveLength(50)
  }
  const emails = await services.db.query(`SELECT id FROM jobs WHERE dedupe_key IN (:keys)`, {
    keys: placed.flatMap(({ orderId }) => [`receipt:${orderId}`, `order-notice:${orderId}`]),
  })
  expect(emails).toHaveLength(100)
})

it('the last copy of a back issue with fifty buyers: one gets it, the others are notified, and nothing stays reserved', async () => {
  const shop = await makeShop(services, { sellsBackIssues: true })
  const { id } = await makeBackIssue(services, shop.id, { volume: 'Winter 2025', stock: 1 })
  const answers = await Promise.allSettled(
    fifty.map(() => placeBackIssueOrder(services.as(visitor), issueForm(shop, [id]))),
  )
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []))
  expect(refused).toHaveLength(49)
  for (const reason of refused) {
    expect(isAppError(reason) && reason.fields?.backIssues).toBe(english(soldOutMessage('Winter 2025')))
  }
  expect(await rowsOf(services, 'orders', shop.id)).toMatchObject([{ state: 'paid' }])
  expect(await rowsOf(services, 'back_issues', shop.id)).toMatchObject([{ stock: 0 }])
})
