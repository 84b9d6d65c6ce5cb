import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { demoCards } from '#core/payment-methods/demo-cards.rules.ts'
import { comingRenewals } from '#core/renewals/coming-renewals.query.ts'
import { failedRenewals } from '#core/renewals/failed-renewals.query.ts'
import { planDay } from '#core/renewals/plan-renewals.ts'
import { exportRenewalYield, renewalYield } from '#core/renewals/renewal-yield.query.ts'
import { stopRenewal } from '#core/renewals/stop-renewal.ts'
import { actorOf } from '#tests/support/factories.ts'
import { leftMails } from '#tests/support/mails.ts'
import { makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { chargeDay } from './charge-renewals.ts'
import { lapseDay } from './lapse-renewals.ts'
import { retryRenewal } from './retry-renewal.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

const at = (moment: string) => {
  services.clock.now = new Date(moment)
}
const system = () => services.as({ kind: 'system' })

/** A title whose readers each have a year of print that renews, bought on 22/11/2026 with these cards; and its staff. */
async function titleOf(...cards: string[]) {
  at('2026-11-22T10:00:00Z')
  const shop = await makeShop(services)
  for (const cardNumber of cards) {
    const form = orderForm(shop, { plan: '1PR25.00', payment: { details: { cardNumber } } })
    expect(await placeOrder(services.as(visitor), form)).toMatchObject({ state: 'paid' })
  }
  return { shop, staff: await actorOf(services, 'pubadmin', shop.publisherId) }
}

async function runDay(day: string, { id }: { id: number }) {
  // Its notice goes in time.
  at('2027-10-23T05:00:00Z')
  await planDay(system(), '2027-10-23')
  at(`${day}T05:00:00Z`)
  await planDay(system(), day)
  await chargeDay(system(), day, { publicationId: id })
  await lapseDay(system(), day, { publicationId: id })
}

const nextCard = ({ id }: { id: number }, card: string) =>
  services.db.run(
    `UPDATE payment_agreements SET method_reference = :method, updated_at = :now WHERE publication_id = :id`,
    {
      method: `demo_card_${card}`,
      id,
      now: services.clock.now,
    },
  )

const onlyFailed = async (staff: Parameters<TestServices['as']>[0]) => {
  const [row, ...more] = (await failedRenewals(services.as(staff), {})).rows
  expect(more).toEqual([])
  if (!row) throw new Error('Nothing has failed')
  return row
}

describe('coming renewals', () => {
  it('are those of 60 days, with what they come to, of the own publisher alone', async () => {
    const { shop, staff } = await titleOf(demoCards.paid, demoCards.paid)
    const other = await titleOf(demoCards.paid)
    at('2027-09-22T10:00:00Z')
    expect(await comingRenewals(services.as(staff), {})).toMatchObject({ total: 0, sums: [], until: '2027-11-21' })
    at('2027-10-22T10:00:00Z')
    const seen = await comingRenewals(services.as(staff), { page: 1, size: 10 })
    expect(seen).toMatchObject({
      total: 2,
      sums: [{ month: '2027-11', currency: 'GBP', renewals: 2, amount: 5000 }],
    })
    expect(seen.rows[0]).toMatchObject({
      name: "Ann O'Brien",
      on: '2027-11-22',
      money: { amount: 2500, currency: 'GBP' },
      state: 'agreed',
    })
    await planDay(system(), '2027-10-23')
    expect((await comingRenewals(services.as(staff), {})).rows).toMatchObject([
      { state: 'planned' },
      { state: 'planned' },
    ])
    expect(await comingRenewals(services.as(staff), { publicationId: other.shop.id })).toMatchObject({ total: 0 })
    expect(await comingRenewals(services.as(staff), { publicationId: shop.id })).toMatchObject({ total: 2 })
  })
})

describe('a failed renewal', () => {
  it('says why and what comes next, is charged by staff with a new card, and counts as paid', async () => {
    const { shop, staff } = await titleOf(demoCards.declinedLater)
    const stranger = await titleOf(demoCards.paid)
    await runDay('2027-11-22', shop)
    const failed = await onlyFailed(staff)
    expect(failed).toMatchObject({
      state: 'retrying',
      reason: 'Not enough money on the account',
      nextTryOn: '2027-11-23',
      graceUntil: '2027-12-13',
      attempts: 1,
    })
    expect(await failedRenewals(services.as(stranger.staff), {})).toMatchObject({ total: 0, rows: [] })
    expect(await comingRenewals(services.as(staff), {})).toMatchObject({ total: 0 })
    await expect(retryRenewal(services.as(stranger.staff), { id: failed.id })).rejects.toMatchObject({
      kind: 'notFound',
    })
    await expect(retryRenewal(services.as(visitor), { id: failed.id })).rejects.toMatchObject({ kind: 'signedOut' })
    expect(await retryRenewal(services.as(staff), { id: failed.id })).toMatchObject({
      state: 'retrying',
      reason: 'Not enough money on the account',
      nextTryOn: '2027-11-23',
    })
    await nextCard(shop, demoCards.paid)
    expect(await retryRenewal(services.as(staff), { id: failed.id })).toEqual({
      state: 'paid',
      reason: '',
      nextTryOn: null,
    })
    await expect(retryRenewal(services.as(staff), { id: failed.id })).rejects.toMatchObject({ kind: 'conflict' })
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toHaveLength(2)
    expect(await renewalYield(services.as(staff), {})).toMatchObject([
      { month: '2027-11', currency: 'GBP', paidShare: 100, paid: { renewals: 1, amount: 2500 } },
    ])
    const { chunks } = await exportRenewalYield(services.as(staff), {})
    let text = ''
    for await (const chunk of chunks) text += chunk
    expect(text).toContain('2027-11,GBP,0,0.00,1,25.00,0,0.00,0,0.00,100')
    expect(await renewalYield(services.as(stranger.staff), { publicationId: shop.id })).toEqual([])
  })

  it('by a lost card is not charged again with it, and once with another', async () => {
    const { shop, staff } = await titleOf(demoCards.lostLater)
    await runDay('2027-11-22', shop)
    const { id } = await onlyFailed(staff)
    await expect(retryRenewal(services.as(staff), { id })).rejects.toMatchObject({ kind: 'conflict' })
    at('2027-11-24T10:00:00Z')
    await nextCard(shop, demoCards.paid)
    expect(await retryRenewal(services.as(staff), { id })).toMatchObject({ state: 'paid' })
  })

  it('that waits for the reader’s bank is not charged a second time', async () => {
    const { shop, staff } = await titleOf(demoCards.confirmedLater)
    await runDay('2027-11-22', shop)
    const { id } = await onlyFailed(staff)
    await expect(retryRenewal(services.as(staff), { id })).rejects.toMatchObject({ kind: 'conflict' })
    expect(await rowsOf(services, 'orders', shop.id)).toHaveLength(2)
  })

  it('is shown after it lapsed', async () => {
    const { shop, staff } = await titleOf(demoCards.lostLater)
    await runDay('2027-11-22', shop)
    await runDay('2027-12-14', shop)
    expect(await onlyFailed(staff)).toMatchObject({ state: 'lapsed' })
    expect(await renewalYield(services.as(staff), {})).toMatchObject([{ paidShare: 0, lapsed: { renewals: 1 } }])
  })
})

describe('a renewal that staff stop', () => {
  it('is charged no more: agreement, open renewal, history and mail say so, once', async () => {
    const { shop, staff } = await titleOf(demoCards.declinedLater)
    const stranger = await titleOf(demoCards.paid)
    await runDay('2027-11-22', shop)
    const { agreementId } = await onlyFailed(staff)
    await expect(stopRenewal(services.as(stranger.staff), { agreementId })).rejects.toMatchObject({ kind: 'notFound' })
    expect(await stopRenewal(services.as(staff), { agreementId })).toEqual({ wasOn: true })
    expect(await stopRenewal(services.as(staff), { agreementId })).toEqual({ wasOn: false })
    expect(await rowsOf(services, 'payment_agreements', shop.id)).toMatchObject([
      { state: 'ended', end_reason: 'staff' },
    ])
    expect(await rowsOf(services, 'renewals', shop.id)).toMatchObject([
      { state: 'cancelled', reason: 'Stopped by staff' },
    ])
    expect((await rowsOf(services, 'reader_events', shop.id)).at(-1)).toMatchObject({ kind: 'renewal-off' })
    await runDay('2027-11-23', shop)
    expect(await rowsOf(services, 'orders', shop.id)).toHaveLength(2)
    expect(await leftMails(services, 'buyer-notice')).toHaveLength(1)
  })
})
