import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { settleOrder } from '#core/orders/settle-order.ts'
import { demoCards } from '#core/payment-methods/demo-cards.rules.ts'
import { recordEndedSubscriptions } from '#core/readers/record-ended-subscriptions.ts'
import { planDay } from '#core/renewals/plan-renewals.ts'
import { addWebhook } from '#core/webhooks/change-webhooks.ts'
import { announceRenewals } from '#tests/support/announce-renewals.ts'
import { actorOf, system } from '#tests/support/factories.ts'
import { makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { chargeDueRenewals } from './charge-renewals.ts'
import { lapseRenewals } from './lapse-renewals.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

/** A year of print that renews, bought on 22/11/2026 with this card, of a publisher with a webhook. */
async function makeSubscription(cardNumber: string, events = ['subscription.cancelled', 'subscription.ended']) {
  services.clock.set('2026-11-22T10:00:00Z')
  const shop = await makeShop(services)
  const owner = services.as(await actorOf(services, 'publisher', shop.publisherId))
  const { id: webhookId } = await addWebhook(owner, { url: 'https://receiver.example/hook', events })
  const form = orderForm(shop, { plan: '1PR25.00', payment: { details: { cardNumber } } })
  expect(await placeOrder(services.as(visitor), form)).toMatchObject({ state: 'paid' })
  const [reader] = await rowsOf(services, 'readers', shop.id)
  return { shop, webhookId, about: { publicationId: shop.id, readerId: Number(reader?.id) } }
}

/** The events queued for a webhook. */
async function queuedEvents(webhookId: number): Promise<unknown[]> {
  const rows = await services.db.query<{ body: string }>(
    `SELECT body FROM webhook_deliveries WHERE endpoint_id = :webhookId ORDER BY id`,
    { webhookId },
  )
  return rows.map(({ body }) => {
    const { type, data } = JSON.parse(body)
    return { type, data }
  })
}

async function runDay(day: string, publicationId: number): Promise<void> {
  services.clock.set(`${day}T05:00:00Z`)
  const ctx = services.as(system)
  await announceRenewals(ctx, day)
  await chargeDueRenewals(ctx, day, { publicationId })
  await lapseRenewals(ctx, day, { publicationId })
  await recordEndedSubscriptions(ctx, {})
}

describe('webhooks are sent', () => {
  it('once when a subscription ends, and when its renewal ends unpaid after grace', async () => {
    const { shop, webhookId, about } = await makeSubscription(demoCards.lostLater)
    for (const day of ['2027-10-23', '2027-11-22', '2027-11-23', '2027-12-13']) await runDay(day, shop.id)
    const ended = { type: 'subscription.ended', data: about }
    expect(await queuedEvents(webhookId)).toEqual([ended])
    await runDay('2027-12-14', shop.id)
    await runDay('2027-12-15', shop.id)
    const cancelled = { type: 'subscription.cancelled', data: { ...about, reason: 'lapsed' } }
    expect(await queuedEvents(webhookId)).toEqual([ended, cancelled])
  })

  it('when a renewal lapses that was first checked after its grace period', async () => {
    const { webhookId, about } = await makeSubscription(demoCards.paid)
    services.clock.set('2027-12-14T05:00:00Z')
    await planDay(services.as(system), '2027-12-14')
    await planDay(services.as(system), '2027-12-14')
    expect(await queuedEvents(webhookId)).toEqual([
      { type: 'subscription.cancelled', data: { ...about, reason: 'lapsed' } },
    ])
  })

  it('each time that a dispute ends a subscription, and each time that it is won', async () => {
    const { shop, webhookId, about } = await makeSubscription(demoCards.paid, [
      'subscription.renewed',
      'subscription.ended',
    ])
    const [order] = await rowsOf(services, 'orders', shop.id)
    const orderId = Number(order?.id)
    const dispute = async (state: 'lost' | 'won', day: string) => {
      services.clock.set(`${day}T10:00:00Z`)
      const paid = { state: 'paid', reference: 'pi_1', money: { amount: 2500, currency: 'GBP' } } as const
      const disputes = [{ reference: 'dp_1', amount: 2500, state, reason: '', fee: null }]
      await settleOrder(services.as(system), { orderId, result: { ...paid, disputes } })
    }
    const ended = { type: 'subscription.ended', data: about }
    const restored = { type: 'subscription.renewed', data: { ...about, orderId } }
    await dispute('lost', '2027-01-10')
    await runDay('2027-01-11', shop.id)
    expect(await queuedEvents(webhookId)).toEqual([ended])
    await dispute('won', '2027-01-20')
    await dispute('won', '2027-01-20')
    expect(await queuedEvents(webhookId)).toEqual([ended, restored])
    await dispute('lost', '2027-02-10')
    await runDay('2027-02-11', shop.id)
    await dispute('won', '2027-02-20')
    expect(await queuedEvents(webhookId)).toEqual([ended, restored, ended, restored])
  })

  it('when a subscription ends whose renewal was accepted on its last day and failed', async () => {
    const { shop, webhookId, about } = await makeSubscription(demoCards.paid)
    for (const day of ['2027-10-23', '2027-11-22', '2027-11-25']) await runDay(day, shop.id)
    expect(await queuedEvents(webhookId)).toEqual([])
    const [, order] = await rowsOf(services, 'orders', shop.id)
    const result = { state: 'failed', reference: 'x', reason: 'The account has insufficient funds' } as const
    services.clock.set('2027-11-26T04:00:00Z')
    expect(await settleOrder(services.as(system), { orderId: Number(order?.id), result })).toBe('reversed')
    await recordEndedSubscriptions(services.as(system), {})
    expect(await queuedEvents(webhookId)).toEqual([{ type: 'subscription.ended', data: about }])
  })
})
