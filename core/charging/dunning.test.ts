import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { addDays, addMonths, dayOf } from '#core/kernel/calendar.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { settleOrder } from '#core/orders/settle-order.ts'
import { demoCards } from '#core/payment-methods/demo-cards.rules.ts'
import { answerCharge } from '#core/payment-methods/demo-charges.rows.ts'
import { turnRenewalOff } from '#core/payments/turn-renewal-off.ts'
import { announceRenewals } from '#tests/support/announce-renewals.ts'
import { mailSender, queuedEmails } from '#tests/support/emails.ts'
import { makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { chargeDueRenewals } from './charge-renewals.ts'
import { lapseRenewals } from './lapse-renewals.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

/** A year of print that renews, bought on a day of 2026 with this card. */
async function makeSubscription(cardNumber: string = demoCards.declinedLater, day = '2026-11-22') {
  services.clock.set(`${day}T10:00:00Z`)
  const shop = await makeShop(services)
  const form = orderForm(shop, { plan: '1PR25.00', payment: { details: { cardNumber } } })
  expect(await placeOrder(services.as(visitor), form)).toMatchObject({ state: 'paid' })
  // Its notice is sent in time.
  const noticeOn = addDays(addMonths(day, 12), -30)
  services.clock.set(`${noticeOn}T05:00:00Z`)
  await announceRenewals(system(), noticeOn)
  return shop
}

type Shop = Awaited<ReturnType<typeof makeSubscription>>

const system = () => services.as({ kind: 'system' })

async function runDay(day: string, { id }: Shop, time = '05:00') {
  services.clock.set(`${day}T${time}:00Z`)
  const on = dayOf(services.clock.now, 'Europe/London')
  await announceRenewals(system(), on)
  const charged = await chargeDueRenewals(system(), on, { publicationId: id })
  return { ...charged, ...(await lapseRenewals(system(), on, { publicationId: id })) }
}

const changeCard = ({ id }: Shop, card: string) =>
  services.db.run(`UPDATE payment_agreements SET method_reference = :method WHERE publication_id = :id`, {
    method: `demo_card_${card}`,
    id,
  })

const daysFrom = (first: string, count: number) =>
  Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(`${first}T00:00:00Z`) + index * 86_400_000).toISOString().slice(0, 10),
  )

describe('a renewal that is declined', () => {
  it('is retried 1, 3, 7 and 14 days later, then waits, and lapses after its grace period', async () => {
    const shop = await makeSubscription()
    const triedOn: string[] = []
    const lapsedOn: string[] = []
    for (const day of daysFrom('2027-11-20', 30)) {
      const { charged, lapsed } = await runDay(day, shop)
      if (charged > 0) triedOn.push(day)
      if (lapsed > 0) lapsedOn.push(day)
    }
    expect(triedOn).toEqual(['2027-11-22', '2027-11-23', '2027-11-25', '2027-11-29', '2027-12-06'])
    expect(lapsedOn).toEqual(['2027-12-14'])
    expect(await rowsOf(services, 'renewals', shop.id)).toMatchObject([{ state: 'lapsed', attempts: 5 }])
    expect(await rowsOf(services, 'payment_agreements', shop.id)).toMatchObject([
      { state: 'ended', end_reason: 'lapsed', renews_on: '2027-11-22' },
    ])
    expect(await rowsOf(services, 'reader_events', shop.id)).toMatchObject([
      { kind: 'added' },
      { kind: 'renewal-off', note: expect.stringContaining('Lapsed') },
    ])
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toHaveLength(1)
  })

  it('and then turned off is not retried', async () => {
    const shop = await makeSubscription()
    await runDay('2027-11-22', shop)
    await services.db.run(
      `UPDATE payment_agreements SET state = 'ended', end_reason = 'reader' WHERE publication_id = :id`,
      { id: shop.id },
    )
    expect(await runDay('2027-11-23', shop)).toMatchObject({ charged: 0 })
    expect(await rowsOf(services, 'renewals', shop.id)).toMatchObject([{ state: 'cancelled', attempts: 1 }])
  })

  it('and then turned off is not asked for again by an email that was waiting', async () => {
    const shop = await makeSubscription()
    await runDay('2027-11-22', shop)
    const renewalId = Number((await rowsOf(services, 'renewals', shop.id))[0]?.id)
    const countAfterSending = async (kind: 'first' | 'last') => {
      await mailSender('renewal-failed')(services.as({ kind: 'system' }), { renewalId, kind })
      return (await services.mail.devMailbox?.list(100))?.filter(({ subject }) => /renewal/i.test(subject)).length ?? 0
    }
    const before = await countAfterSending('first')
    expect(before).toBeGreaterThan(0)
    await services.db.run(`UPDATE payment_agreements SET state = 'ended' WHERE publication_id = :id`, { id: shop.id })
    expect(await countAfterSending('last')).toBe(before)
  })

  it('twice and then paid by another card is charged for one cycle, by the new card', async () => {
    const shop = await makeSubscription()
    await runDay('2027-11-22', shop)
    await runDay('2027-11-23', shop)
    await changeCard(shop, demoCards.paid)
    expect(await runDay('2027-11-25', shop)).toMatchObject({ charged: 1, paid: 1 })
    expect(await runDay('2027-11-29', shop)).toMatchObject({ charged: 0 })
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toHaveLength(2)
    const [, , , paid] = await rowsOf(services, 'orders', shop.id)
    const [charge] = await services.db.query(`SELECT card FROM demo_charges WHERE idempotency_key = :key`, {
      key: String(paid?.idempotency_key),
    })
    expect(charge).toEqual({ card: demoCards.paid })
    expect(await rowsOf(services, 'payment_agreements', shop.id)).toMatchObject([{ renews_on: '2028-11-22' }])
  })

  it.each([
    // In Great Britain clocks go forward on 28/03/2027: from then on 23:00 UTC is the next day in London.
    ['forward', '2026-03-27', ['2027-03-27', '2027-03-28', '2027-03-29'], [1, 0, 1, 0, 0, 1]],
    // They go back on 31/10/2027: before that, 23:00 UTC is the next day in London.
    ['back', '2026-10-30', ['2027-10-30', '2027-10-31', '2027-11-01', '2027-11-02'], [1, 1, 0, 0, 0, 0, 1, 0]],
  ])('is tried once a day around the night the clocks go %s, whatever the hour', async (_, bought, days, tries) => {
    const shop = await makeSubscription(demoCards.declinedLater, bought)
    const charged: number[] = []
    for (const day of days) {
      for (const time of ['22:00', '23:00']) charged.push((await runDay(day, shop, time)).charged)
    }
    expect(charged).toEqual(tries)
  })

  it('is not tried more often when the clock is set back', async () => {
    const shop = await makeSubscription()
    await runDay('2027-11-22', shop)
    await runDay('2027-11-23', shop)
    expect(await runDay('2027-11-22', shop)).toMatchObject({ charged: 0, lapsed: 0 })
    expect(await runDay('2027-11-24', shop)).toMatchObject({ charged: 0 })
    expect(await rowsOf(services, 'renewals', shop.id)).toMatchObject([{ attempts: 2, next_try_on: '2027-11-25' }])
  })
})

describe('the end of grace', () => {
  it('is handled once, even with two workers', async () => {
    const shop = await makeSubscription(demoCards.lostLater)
    await runDay('2027-11-22', shop)
    services.clock.set('2027-12-14T05:00:00Z')
    const run = async () => (await lapseRenewals(system(), '2027-12-14', { publicationId: shop.id })).lapsed
    expect((await Promise.all([run(), run()])).toSorted()).toEqual([0, 1])
    const events = await rowsOf(services, 'reader_events', shop.id)
    expect(events.filter(({ kind }) => kind === 'renewal-off')).toHaveLength(1)
  })

  it('cancels a payment awaiting confirmation, and keeps one made at that moment', async () => {
    const unpaid = await makeSubscription(demoCards.confirmedLater)
    const paid = await makeSubscription(demoCards.confirmedLater)
    for (const shop of [unpaid, paid]) {
      expect(await runDay('2027-11-22', shop)).toMatchObject({ charged: 1, paid: 0 })
      expect(await rowsOf(services, 'renewals', shop.id)).toMatchObject([{ state: 'waiting' }])
    }
    const [, openOrder] = await rowsOf(services, 'orders', paid.id)
    await answerCharge(system(), String(openOrder?.idempotency_key), { state: 'paid' })
    expect(await runDay('2027-12-14', unpaid)).toMatchObject({ lapsed: 1 })
    expect((await rowsOf(services, 'orders', unpaid.id)).map(({ state }) => state)).toEqual(['paid', 'cancelled'])
    expect(await runDay('2027-12-14', paid)).toMatchObject({ lapsed: 0 })
    expect(await rowsOf(services, 'renewals', paid.id)).toMatchObject([{ state: 'paid' }])
    expect(await rowsOf(services, 'payment_agreements', paid.id)).toMatchObject([
      { state: 'active', renews_on: '2028-11-22' },
    ])
  })

  it('does not apply to a reader who bought again meanwhile', async () => {
    const shop = await makeSubscription(demoCards.lostLater)
    await runDay('2027-11-22', shop)
    await services.db.run(`UPDATE readers SET sub_end_on = '2028-11-22' WHERE publication_id = :id`, { id: shop.id })
    expect(await runDay('2027-12-14', shop)).toMatchObject({ lapsed: 0 })
    expect(await rowsOf(services, 'renewals', shop.id)).toMatchObject([{ state: 'cancelled' }])
    expect(await rowsOf(services, 'payment_agreements', shop.id)).toMatchObject([
      { state: 'active', renews_on: '2028-11-22' },
    ])
  })
})

describe('a direct debit that fails days after it was accepted', () => {
  const failure = { state: 'failed', reference: 'x', reason: 'The account has insufficient funds' } as const

  /** Charged on 22/11/2027, and reported as failed four days later. */
  async function makeFailedDebit(
    result: Parameters<typeof settleOrder>[1]['result'] = failure,
    { subType = 'print', isTurnedOff = false } = {},
  ) {
    const shop = await makeSubscription(demoCards.paid)
    await services.db.run(`UPDATE readers SET sub_type = :record WHERE publication_id = :id`, {
      record: subType,
      id: shop.id,
    })
    await runDay('2027-11-22', shop)
    await services.db.run(`UPDATE payment_agreements SET provider = 'stripe-bacs' WHERE publication_id = :id`, {
      id: shop.id,
    })
    const [, order] = await rowsOf(services, 'orders', shop.id)
    services.clock.set('2027-11-26T08:00:00Z')
    if (isTurnedOff) {
      const [agreement] = await rowsOf(services, 'payment_agreements', shop.id)
      const reader = { kind: 'buyer', buyerId: Number(agreement?.buyer_id), publicationId: shop.id } as const
      await turnRenewalOff(services.as(reader), { agreementId: agreement?.id })
    }
    expect(await settleOrder(system(), { orderId: Number(order?.id), result })).toBe('reversed')
    return { shop, orderId: Number(order?.id) }
  }

  it('reopens the renewal: the term is reversed, and it is presented once more after its notice', async () => {
    const { shop, orderId } = await makeFailedDebit()
    expect(await rowsOf(services, 'renewals', shop.id)).toMatchObject([
      { state: 'retrying', next_try_on: '2027-12-07', settled_at: null },
    ])
    expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([{ sub_end_on: '2027-11-22' }])
    expect(await rowsOf(services, 'payment_agreements', shop.id)).toMatchObject([
      { state: 'active', renews_on: '2027-11-22' },
    ])
    // A repeated response changes nothing.
    await settleOrder(system(), { orderId, result: failure })
    expect(await rowsOf(services, 'renewals', shop.id)).toMatchObject([{ state: 'retrying', attempts: 1 }])
    await services.db.run(`UPDATE payment_agreements SET provider = 'demo' WHERE publication_id = :id`, { id: shop.id })
    expect(await runDay('2027-12-07', shop)).toMatchObject({ paid: 1 })
    expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([{ sub_end_on: '2028-11-22' }])
  })

  it('is announced with a link to the account while it is retried: there is no card to change and nothing to pay', async () => {
    const { shop } = await makeFailedDebit()
    const [renewal] = await rowsOf(services, 'renewals', shop.id)
    expect(await mailSender('renewal-failed')(system(), { renewalId: Number(renewal?.id), kind: 'first' })).toBe(true)
    const [mail] = (await services.mail.devMailbox?.list(1)) ?? []
    expect(mail?.text).toMatch(new RegExp(`Open your account: \\S+/${shop.urlKey}/account\\s`))
    expect(mail?.text).not.toContain('/renew/')
  })

  it('and fails again is not presented a third time, however long the grace period is: it waits for the reader', async () => {
    const { shop } = await makeFailedDebit()
    const setAgreement = (provider: string) =>
      services.db.run(`UPDATE payment_agreements SET provider = :provider WHERE publication_id = :id`, {
        provider,
        id: shop.id,
      })
    await services.db.run(`UPDATE renewals SET grace_until = '2028-01-31' WHERE publication_id = :id`, { id: shop.id })
    await setAgreement('demo')
    expect(await runDay('2027-12-07', shop)).toMatchObject({ paid: 1 })
    await setAgreement('stripe-bacs')
    const second = (await rowsOf(services, 'orders', shop.id)).at(-1)
    services.clock.set('2027-12-10T08:00:00Z')
    expect(await settleOrder(system(), { orderId: Number(second?.id), result: failure })).toBe('reversed')
    expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([{ sub_end_on: '2027-11-22' }])
    expect(await rowsOf(services, 'renewals', shop.id)).toMatchObject([
      { state: 'waiting', next_try_on: null, attempts: 2 },
    ])
    expect(await runDay('2027-12-21', shop)).toMatchObject({ charged: 0 })
  })

  it('also reverses the term of a record that was upgraded to a bundle meanwhile', async () => {
    const { shop } = await makeFailedDebit(failure, { subType: 'bundle' })
    expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([{ sub_type: 'bundle', sub_end_on: '2027-11-22' }])
    await services.db.run(`UPDATE payment_agreements SET provider = 'demo' WHERE publication_id = :id`, { id: shop.id })
    expect(await runDay('2027-12-07', shop)).toMatchObject({ paid: 1 })
  })

  it('after the renewal was turned off ends the subscription, and the buyer is told so', async () => {
    const { shop, orderId } = await makeFailedDebit(failure, { isTurnedOff: true })
    expect(await rowsOf(services, 'renewals', shop.id)).toMatchObject([{ state: 'cancelled' }])
    expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([{ sub_end_on: '2027-11-22' }])
    const told = async (id: number) =>
      (await queuedEmails(services, 'payment-failed')).filter(({ about }) => about.orderId === id)
    expect((await told(orderId)).map(({ about }) => about.to)).toEqual(['buyer', 'publication'])
    // One that is retried is reported to the buyer with the day of the next attempt instead.
    const retried = await makeFailedDebit()
    expect((await told(retried.orderId)).map(({ about }) => about.to)).toEqual(['publication'])
  })

  it('from a closed account waits for the reader, and lapses', async () => {
    const closed = await makeFailedDebit({ ...failure, code: 'bank_account_closed', isFinal: true })
    expect(await rowsOf(services, 'renewals', closed.shop.id)).toMatchObject([{ state: 'waiting', next_try_on: null }])
    expect(await runDay('2027-12-14', closed.shop)).toMatchObject({ charged: 0, lapsed: 1 })
  })
})
