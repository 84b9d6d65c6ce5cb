import { beforeEach, describe, expect, it } from 'vitest'
import { type Actor, visitor } from '#core/access/actor.ts'
import { actorOf } from '#tests/support/factories.ts'
import { makeShop, orderForm } from '#tests/support/shop.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { getOrder } from './get-order.query.ts'
import { placeOrder } from './place-order.ts'
import { planRefund, refundOrder } from './refund-order.ts'
import { getRefundPolicy, setRefundPolicy } from './refund-policy.ts'

const services = await openTestServices()
let publisher: Actor
let staff: Actor
let publicationId: number
let shop: Awaited<ReturnType<typeof makeShop>>
let id: number
const setPolicy = (wholeDays: string, afterwards: string, allowsMore: boolean) =>
  setRefundPolicy(services.as(publisher), { publicationId, wholeDays, afterwards, allowsMore: String(allowsMore) })
const refund = (scope: string, more: object = {}) =>
  refundOrder(services.as(staff), { id, scope, method: 'hand', ...more })

/** A year of print for £29.99 from 1 January 2026, looked at on 20 April by the publisher's staff. */
beforeEach(async () => {
  services.clock.setDay('2026-01-01')
  shop = await makeShop(services)
  publicationId = shop.id
  publisher = await actorOf(services, 'publisher', shop.publisherId)
  staff = await actorOf(services, 'pubadmin', shop.publisherId)
  id = (await placeOrder(services.as(visitor), orderForm(shop))).orderId
  services.clock.setDay('2026-04-20')
})

describe('the refund policy of a publication', () => {
  it('defaults to 14 days and then the unserved months, and refuses nothing', async () => {
    expect(await getRefundPolicy(services.as(staff), { publicationId })).toEqual({
      wholeDays: 14,
      afterwards: 'months',
      allowsMore: true,
      isSet: false,
    })
    expect(await planRefund(services.as(staff), { id })).toMatchObject({ scope: 'months' })
    services.clock.setDay('2026-01-15')
    expect(await planRefund(services.as(staff), { id })).toMatchObject({ scope: 'whole', amount: 2999 })
    services.clock.setDay('2026-04-20')
    expect(await refund('whole')).toMatchObject({ amount: 2999, state: 'succeeded' })
  })

  it('requires a reason for a larger refund', async () => {
    await setPolicy('30', 'months', true)
    expect(await getOrder(services.as(staff), { id })).toMatchObject({
      canRefund: {
        isPolicySet: true,
        proposal: { scope: 'months', rule: 'a refund of the unserved months after 30 days' },
      },
    })
    await expect(refund('whole')).rejects.toMatchObject({
      fields: { reason: 'Give the reason: it is more than the refund policy allows' },
    })
    expect(await refund('amount', { amount: '5.00' })).toMatchObject({ amount: 500 })
    expect(await refund('whole', { reason: 'Two issues never came' })).toMatchObject({ amount: 2499 })
  })

  it('limits staff if it allows no more, and never the publisher', async () => {
    await setPolicy('0', 'none', false)
    await expect(planRefund(services.as(staff), { id })).rejects.toMatchObject({
      fields: { scope: 'Choose what to refund: the refund policy proposes nothing' },
    })
    for (const call of [
      () => refund('months', { reason: 'Asked for it' }),
      () => refund('amount', { amount: '0.01', reason: 'A' }),
    ])
      await expect(call()).rejects.toMatchObject({
        kind: 'conflict',
        message: 'The refund policy allows no refund: at most £0.00',
      })
    const request = { id, scope: 'months', method: 'hand', reason: 'The law says so' }
    expect(await refundOrder(services.as(publisher), request)).toMatchObject({ state: 'succeeded' })
  })

  it('allows staff a full refund too while the law lets the buyer cancel', async () => {
    await setPolicy('0', 'none', false)
    services.clock.setDay('2026-01-15')
    expect(await refund('whole')).toMatchObject({ amount: 2999, state: 'succeeded' })
  })

  it('gives a business only what the publisher grants', async () => {
    await setPolicy('0', 'none', false)
    services.clock.setDay('2026-01-15')
    await services.db.run("UPDATE orders SET vat_number = 'GB123456789' WHERE id = :id", { id })
    await expect(refund('whole', { reason: 'Changed its mind' })).rejects.toMatchObject({
      message: 'The refund policy allows no refund: at most £0.00',
    })
  })

  it('refunds an automatic renewal after a discounted term, and not after one at the full price', async () => {
    await setPolicy('0', 'none', false)
    const [order] = await services.db.query<{ readerId: number }>(
      'SELECT reader_id AS "readerId" FROM orders WHERE id = :id',
      { id },
    )
    const renewed = (await placeOrder(services.as(visitor), orderForm(shop, { email: 'renews@example.test' }))).orderId
    await services.db.run(
      `UPDATE orders SET reader_id = :readerId, renewal_id = 1, ordered_on = '2027-07-01', term_months = 6 WHERE id = :renewed`,
      { readerId: order?.readerId ?? null, renewed },
    )
    services.clock.setDay('2027-07-15')
    const canRefund = async () => (await getOrder(services.as(staff), { id: renewed })).canRefund
    expect(await canRefund()).toMatchObject({ proposal: { scope: null } })
    await services.db.run('UPDATE orders SET discount = 500 WHERE id = :id', { id })
    expect(await canRefund()).toMatchObject({ proposal: { scope: 'whole', amount: 2999 } })
  })

  it('is set only by the publisher, for its own titles, with valid days', async () => {
    const policy = { publicationId, wholeDays: '7', afterwards: 'months', allowsMore: 'true' }
    await expect(setRefundPolicy(services.as(staff), policy)).rejects.toMatchObject({ kind: 'denied' })
    const other = await actorOf(services, 'publisher', (await makeShop(services)).publisherId)
    await expect(setRefundPolicy(services.as(other), policy)).rejects.toMatchObject({ kind: 'notFound' })
    await expect(getRefundPolicy(services.as(other), { publicationId })).rejects.toMatchObject({ kind: 'notFound' })
    for (const wholeDays of ['366', '-1', '', 'two'])
      await expect(setRefundPolicy(services.as(publisher), { ...policy, wholeDays })).rejects.toMatchObject({
        fields: { wholeDays: 'Enter a number of days from 0 to 365' },
      })
    await setRefundPolicy(services.as(publisher), policy)
    await setRefundPolicy(services.as(publisher), { ...policy, wholeDays: '21' })
    expect(await getRefundPolicy(services.as(staff), { publicationId })).toMatchObject({ wholeDays: 21, isSet: true })
  })
})
