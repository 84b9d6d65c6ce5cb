import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { Jobs } from '#core/jobs/jobs.rows.ts'
import { answerDemoBank } from '#core/orders/answer-demo-bank.ts'
import { confirmOrder } from '#core/orders/confirm-order.ts'
import { getOrder } from '#core/orders/get-order.query.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { refundOrder } from '#core/orders/refund-order.ts'
import { demoCards } from '#core/payment-methods/demo-cards.rules.ts'
import { finishCardUpdate } from '#core/payments/finish-card-update.ts'
import { turnRenewalOff } from '#core/payments/turn-renewal-off.ts'
import { renewKey } from '#core/renewals/renew-link.ts'
import { announceRenewals } from '#tests/support/announce-renewals.ts'
import { mailSender, queuedEmails } from '#tests/support/emails.ts'
import { actorOf } from '#tests/support/factories.ts'
import { makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { chargeDueRenewals } from './charge-renewals.ts'
import { lapseRenewals } from './lapse-renewals.ts'
import { confirmByLink, giveCardByLink, renewalByLink, startCardByLink } from './renew-by-link.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

const system = () => services.as({ kind: 'system' })
const asVisitor = () => services.as(visitor)

/** A year of print that renews, bought on 22/11/2026 in German. */
async function makeSubscription(cardNumber: string) {
  services.clock.now = new Date('2026-11-22T10:00:00Z')
  const shop = await makeShop(services)
  const form = orderForm(shop, { plan: '1PR25.00', language: 'de', payment: { details: { cardNumber } } })
  expect(await placeOrder(asVisitor(), form)).toMatchObject({ state: 'paid' })
  // Its notice is sent in time.
  services.clock.now = new Date('2027-10-23T05:00:00Z')
  await announceRenewals(system(), '2027-10-23')
  return shop
}

type Shop = Awaited<ReturnType<typeof makeSubscription>>

async function runDay(day: string, { id: publicationId }: Shop): Promise<void> {
  services.clock.now = new Date(`${day}T05:00:00Z`)
  await announceRenewals(system(), day)
  await chargeDueRenewals(system(), day, { publicationId })
  await lapseRenewals(system(), day, { publicationId })
}

/** Sends the enqueued emails of a shop's readers; returns all emails about renewals sent so far. */
async function sendEmails({ id, publisherId }: Shop): Promise<{ template: string; subject: string }[]> {
  for (const { mail, about, publisherId: ownerId } of await queuedEmails(services)) {
    if (ownerId !== publisherId || !/^(renewal-failed|renewal-lapsed|card-)/.test(mail)) continue
    await mailSender(mail as 'renewal-failed')(system(), about)
  }
  const rows = await rowsOf(services, 'emails', id)
  return rows
    .map(({ template, subject }) => ({ template: String(template), subject: String(subject) }))
    .filter(({ template }) => /^(renewal-failed|renewal-lapsed|card-)/.test(template))
}

async function keyOf({ id }: Shop): Promise<string> {
  const [renewal] = await rowsOf(services, 'renewals', id)
  const link = { renewalId: Number(renewal?.id), until: String(renewal?.grace_until) }
  return renewKey(services.settings.appSecret, link)
}

/** Whether the receipts of a shop's orders overtake other emails, oldest first. */
async function receiptsAreUrgent({ publisherId }: Shop): Promise<boolean[]> {
  const jobs = await Jobs.rows(
    services,
    `SELECT ${Jobs.columns()} FROM jobs WHERE publisher_id = :publisherId ORDER BY id`,
    { publisherId },
  )
  return jobs.flatMap(({ payload, isUrgent }) =>
    (payload as { mail: string }).mail === 'order-receipt' ? [isUrgent] : [],
  )
}

/** The end of the reader's record, as an import or an edit sets it. */
const setEnd = ({ id }: Shop, endOn: string) =>
  services.db.run(`UPDATE readers SET sub_end_on = :endOn WHERE publication_id = :id`, { id, endOn })

/** Declined, both emails sent, and cancelled at the end of its grace period because the record has a wrong end by then. */
async function cancelAtWrongEnd(): Promise<Shop> {
  const shop = await makeSubscription(demoCards.lostLater)
  for (const day of ['2027-11-22', '2027-12-10']) {
    await runDay(day, shop)
    await sendEmails(shop)
  }
  await setEnd(shop, '2037-11-22')
  await runDay('2027-12-14', shop)
  expect(await rowsOf(services, 'renewals', shop.id)).toMatchObject([{ state: 'cancelled', attempts: 1 }])
  return shop
}

describe('an emailed link', () => {
  it('shows the renewal without a log-in, and charges another card at once, for one cycle', async () => {
    const shop = await makeSubscription(demoCards.declinedLater)
    await runDay('2027-11-22', shop)
    const key = await keyOf(shop)
    expect(await renewalByLink(asVisitor(), { key })).toMatchObject({
      state: 'due',
      money: { amount: 2500, currency: 'GBP' },
      card: { provider: 'demo' },
      graceUntil: '2027-12-13',
    })
    services.clock.now = new Date('2027-11-22T12:00:00Z')
    expect(await giveCardByLink(asVisitor(), { key, reference: demoCards.insufficientFunds })).toBe('declined')
    expect(await giveCardByLink(asVisitor(), { key, reference: '4242 4242 4242 4242' })).toBe('paid')
    // A second press changes nothing.
    expect(await giveCardByLink(asVisitor(), { key, reference: '4242 4242 4242 4242' })).toBe('paid')
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toHaveLength(2)
    expect(await rowsOf(services, 'renewals', shop.id)).toMatchObject([{ state: 'paid', attempts: 3 }])
    expect(await renewalByLink(asVisitor(), { key })).toMatchObject({ state: 'paid' })
    await runDay('2027-11-23', shop)
    expect(await rowsOf(services, 'orders', shop.id)).toHaveLength(4)
    expect(await receiptsAreUrgent(shop)).toEqual([true, true])
  })

  it('is not needed for a card that is charged automatically: nobody waits for that receipt', async () => {
    const shop = await makeSubscription(demoCards.paid)
    await runDay('2027-11-22', shop)
    expect(await rowsOf(services, 'renewals', shop.id)).toMatchObject([{ state: 'paid' }])
    expect(await receiptsAreUrgent(shop)).toEqual([true, false])
  })

  it('that was tampered with, comes from another installation or has expired opens nothing', async () => {
    const shop = await makeSubscription(demoCards.lostLater)
    await runDay('2027-11-22', shop)
    const key = await keyOf(shop)
    const [id, until, mac] = key.split('.')
    const keys = ['', 'x', `${id}.${until}`, `zz.${until}.${mac}`, `${id}.20291231.${mac}`, `${key}x`]
    for (const wrongKey of keys) {
      for (const call of [renewalByLink, startCardByLink, confirmByLink])
        await expect(call(asVisitor(), { key: wrongKey })).rejects.toMatchObject({ kind: 'notFound' })
      await expect(giveCardByLink(asVisitor(), { key: wrongKey, reference: '4242' })).rejects.toMatchObject({
        kind: 'notFound',
      })
    }
    services.clock.now = new Date('2027-12-14T10:00:00Z')
    await expect(renewalByLink(asVisitor(), { key })).rejects.toMatchObject({ kind: 'notFound' })
  })

  it('continues a payment that the bank wants confirmed', async () => {
    const shop = await makeSubscription(demoCards.confirmedLater)
    await runDay('2027-11-22', shop)
    const key = await keyOf(shop)
    expect(await renewalByLink(asVisitor(), { key })).toMatchObject({ state: 'due', needsConfirmation: true })
    const step = await confirmByLink(asVisitor(), { key })
    if (step?.kind !== 'go') throw new Error('The bank has no page')
    const bankParams = Object.fromEntries(new URL(step.url).searchParams)
    await answerDemoBank(asVisitor(), { ...bankParams, answer: 'approve' })
    await confirmOrder(asVisitor(), bankParams)
    expect(await renewalByLink(asVisitor(), { key })).toMatchObject({ state: 'paid' })
  })

  it('confirms a payment while the record has a wrong end: the agreement is paid for one term only', async () => {
    const shop = await makeSubscription(demoCards.confirmedLater)
    await runDay('2027-11-22', shop)
    const agreement = async () => (await rowsOf(services, 'payment_agreements', shop.id)).at(-1)
    await setEnd(shop, '2037-11-22')
    const step = await confirmByLink(asVisitor(), { key: await keyOf(shop) })
    if (step?.kind !== 'go') throw new Error('The bank has no page')
    const bankParams = Object.fromEntries(new URL(step.url).searchParams)
    await answerDemoBank(asVisitor(), { ...bankParams, answer: 'approve' })
    await confirmOrder(asVisitor(), bankParams)
    expect(await agreement()).toMatchObject({ renews_on: '2038-11-22', paid_end_on: '2028-11-22' })
    await setEnd(shop, '2028-11-22')
    await runDay('2028-10-23', shop)
    expect(await agreement()).toMatchObject({ renews_on: '2028-11-22', paid_end_on: null })
    expect((await rowsOf(services, 'renewals', shop.id)).at(-1)).toMatchObject({
      state: 'planned',
      cycle_on: '2028-11-22',
    })
  })

  it('cancels a payment awaiting confirmation when another card is entered', async () => {
    const shop = await makeSubscription(demoCards.confirmedLater)
    await runDay('2027-11-22', shop)
    // Its bank asks too: that is no decline.
    expect(await giveCardByLink(asVisitor(), { key: await keyOf(shop), reference: demoCards.confirmedLater })).toBe(
      'unconfirmed',
    )
    expect(await giveCardByLink(asVisitor(), { key: await keyOf(shop), reference: demoCards.paid })).toBe('paid')
    expect((await rowsOf(services, 'orders', shop.id)).map(({ state }) => state)).toEqual([
      'paid',
      'cancelled',
      'cancelled',
      'paid',
    ])
  })

  it('stores another card for a future day', async () => {
    const shop = await makeSubscription(demoCards.paid)
    await services.db.run(`UPDATE payment_agreements SET expires_on = '2027-10-31' WHERE publication_id = :id`, {
      id: shop.id,
    })
    await runDay('2027-10-25', shop)
    await runDay('2027-10-26', shop)
    expect((await sendEmails(shop)).map(({ template }) => template)).toEqual(['card-expiring'])
    expect(await giveCardByLink(asVisitor(), { key: await keyOf(shop), reference: demoCards.paid })).toBe('saved')
    expect(await rowsOf(services, 'renewals', shop.id)).toMatchObject([{ state: 'planned', attempts: 0 }])
  })
})

describe('another card entered while its renewal ends', () => {
  /** A visitor whose bank takes so long to store a card that something else happens meanwhile. */
  const whileStored = (meanwhile: () => Promise<unknown>) => {
    const ctx = asVisitor()
    const { demo } = ctx.payments
    if (!demo?.cardUpdate) throw new Error('The demo bank stores no cards')
    const { begin, finish } = demo.cardUpdate
    const cardUpdate = {
      begin,
      async finish(entered: Parameters<typeof finish>[0]) {
        const card = await finish(entered)
        await meanwhile()
        return card
      },
    }
    return { ...ctx, payments: { ...ctx.payments, demo: { ...demo, cardUpdate } } }
  }

  it('is stored and not declined if the title is removed, and charged once it is restored', async () => {
    const shop = await makeSubscription(demoCards.declinedLater)
    await runDay('2027-11-22', shop)
    const key = await keyOf(shop)
    const setRemoved = (removedAt: Date | null) =>
      services.db.run(`UPDATE publications SET removed_at = :removedAt WHERE id = :id`, { removedAt, id: shop.id })
    const ctx = whileStored(() => setRemoved(services.clock.now))
    expect(await giveCardByLink(ctx, { key, reference: demoCards.paid })).toBe('saved')
    expect(await rowsOf(services, 'renewals', shop.id)).toMatchObject([{ state: 'retrying', attempts: 1 }])
    await expect(renewalByLink(asVisitor(), { key })).rejects.toMatchObject({ kind: 'notFound' })
    await setRemoved(null)
    await runDay('2027-11-23', shop)
    expect(await renewalByLink(asVisitor(), { key })).toMatchObject({ state: 'paid' })
  })

  it('is not reported as changed if the reader was removed', async () => {
    const shop = await makeSubscription(demoCards.declinedLater)
    await runDay('2027-11-22', shop)
    const key = await keyOf(shop)
    const ctx = whileStored(() =>
      services.db.run(`UPDATE readers SET is_deleted = :yes WHERE publication_id = :id`, { yes: true, id: shop.id }),
    )
    expect(await giveCardByLink(ctx, { key, reference: demoCards.paid })).toBe('over')
    expect(await renewalByLink(asVisitor(), { key })).toMatchObject({ state: 'over' })
  })

  it('is answered that it has ended if the renewal was turned off in another tab', async () => {
    const shop = await makeSubscription(demoCards.declinedLater)
    await runDay('2027-11-22', shop)
    const key = await keyOf(shop)
    const [agreement] = await rowsOf(services, 'payment_agreements', shop.id)
    const buyer = { kind: 'buyer', buyerId: Number(agreement?.buyer_id), publicationId: shop.id } as const
    await turnRenewalOff(services.as(buyer), { agreementId: Number(agreement?.id) })
    expect(await giveCardByLink(asVisitor(), { key, reference: demoCards.paid })).toBe('over')
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toHaveLength(1)
    expect(await renewalByLink(asVisitor(), { key })).toMatchObject({ state: 'over' })
  })
})

describe('the page behind a link that has nothing left to pay', () => {
  it('says that the payment was returned, once the paid renewal is refunded', async () => {
    const shop = await makeSubscription(demoCards.declinedLater)
    await runDay('2027-11-22', shop)
    const key = await keyOf(shop)
    expect(await giveCardByLink(asVisitor(), { key, reference: demoCards.paid })).toBe('paid')
    const { id } = (await rowsOf(services, 'orders', shop.id)).at(-1) ?? {}
    const staff = services.as(await actorOf(services, 'publisher', shop.publisherId))
    expect(await refundOrder(staff, { id: Number(id), scope: 'whole' })).toMatchObject({ state: 'succeeded' })
    expect(await renewalByLink(asVisitor(), { key })).toMatchObject({ state: 'returned' })
  })

  it('says that the subscription continues, once the reader has ordered again or the record ends later', async () => {
    const shop = await makeSubscription(demoCards.declinedLater)
    await runDay('2027-11-22', shop)
    const key = await keyOf(shop)
    const [agreement] = await rowsOf(services, 'payment_agreements', shop.id)
    const buyer = { kind: 'buyer', buyerId: Number(agreement?.buyer_id), publicationId: shop.id } as const
    const [{ email } = {}] = await rowsOf(services, 'orders', shop.id)
    expect(await placeOrder(services.as(buyer), orderForm(shop, { email, plan: '1PR25.00' }))).toMatchObject({
      state: 'paid',
    })
    expect(await rowsOf(services, 'renewals', shop.id)).toMatchObject([{ state: 'cancelled' }])
    expect(await renewalByLink(asVisitor(), { key })).toMatchObject({ state: 'continued' })
    const extended = await cancelAtWrongEnd()
    services.clock.now = new Date('2027-12-13T12:00:00Z')
    expect(await renewalByLink(asVisitor(), { key: await keyOf(extended) })).toMatchObject({ state: 'continued' })
  })
})

describe('readers are notified', () => {
  it('of the first failure, before the end of grace, and at the end, each once and on different days', async () => {
    const shop = await makeSubscription(demoCards.declinedLater)
    const notified: [string, number][] = []
    for (let day = 20; day < 50; day++) {
      const on = new Date(Date.UTC(2027, 10, day)).toISOString().slice(0, 10)
      await runDay(on, shop)
      const count = (await sendEmails(shop)).length
      if (count > (notified.at(-1)?.[1] ?? 0)) notified.push([on, count])
    }
    expect(notified).toEqual([
      ['2027-11-22', 1],
      ['2027-12-10', 2],
      ['2027-12-14', 3],
    ])
    expect(await sendEmails(shop)).toMatchObject([
      { template: 'renewal-failed', subject: expect.stringContaining('Ihre Verlängerung konnte nicht bezahlt werden') },
      { template: 'renewal-failed', subject: expect.stringContaining('13') },
      { template: 'renewal-lapsed', subject: expect.stringContaining('Ihr Abonnement ist beendet') },
    ])
  })

  it('of the end, but not on the day of another email and not if they bought again', async () => {
    const shop = await makeSubscription(demoCards.lostLater)
    await runDay('2027-12-13', shop)
    // As if the clock had been set back across midnight in London after the notice.
    await services.db.run(`UPDATE renewals SET told_on = '2027-12-14' WHERE publication_id = :id`, { id: shop.id })
    await runDay('2027-12-14', shop)
    expect(await rowsOf(services, 'renewals', shop.id)).toMatchObject([{ state: 'waiting' }])
    await runDay('2027-12-15', shop)
    expect(await rowsOf(services, 'renewals', shop.id)).toMatchObject([{ state: 'lapsed' }])
    await services.db.run(`UPDATE readers SET sub_end_on = '2028-12-01' WHERE publication_id = :id`, { id: shop.id })
    expect((await sendEmails(shop)).map(({ template }) => template)).toEqual([])
  })

  it('again when the renewal returns after a wrong end was corrected, with a link that works', async () => {
    const shop = await cancelAtWrongEnd()
    const key = await keyOf(shop)
    expect(await sendEmails(shop)).toHaveLength(2)
    await setEnd(shop, '2027-11-22')
    await runDay('2027-12-16', shop)
    expect(await rowsOf(services, 'renewals', shop.id)).toMatchObject([
      { state: 'waiting', grace_until: '2028-01-06', told_on: '2027-12-16' },
    ])
    expect(await sendEmails(shop)).toHaveLength(3)
    await expect(renewalByLink(asVisitor(), { key })).rejects.toMatchObject({ kind: 'notFound' })
    const [latestEmail] = (await services.mail.devMailbox?.list(1)) ?? []
    expect(latestEmail?.text).toContain(await keyOf(shop))
    for (const day of ['2027-12-17', '2028-01-03', '2028-01-04']) await runDay(day, shop)
    expect(await sendEmails(shop)).toMatchObject([
      { template: 'renewal-failed' },
      { subject: expect.stringContaining('13') },
      { subject: expect.stringContaining('Ihre Verlängerung konnte nicht bezahlt werden') },
      { subject: expect.stringContaining('06') },
    ])
    expect(await giveCardByLink(asVisitor(), { key: await keyOf(shop), reference: demoCards.paid })).toBe('paid')
    const staff = services.as(await actorOf(services, 'publisher', shop.publisherId))
    const { id } = (await rowsOf(services, 'orders', shop.id)).at(-1) ?? {}
    const { timeline } = await getOrder(staff, { id: Number(id) })
    expect(timeline.map(({ what }) => what).filter((what) => what.includes('otice'))).toEqual([
      'Unpaid renewal notice sent',
      'Last notice before the subscription’s end sent',
      'Unpaid renewal notice sent',
      'Last notice before the subscription’s end sent',
    ])
  })
})

describe('another card entered while its renewal is cancelled because of a wrong end', () => {
  const giveCard = async (shop: Shop, reference: string) => {
    const [agreement] = await rowsOf(services, 'payment_agreements', shop.id)
    const buyer = { kind: 'buyer', buyerId: Number(agreement?.buyer_id), publicationId: shop.id } as const
    await finishCardUpdate(services.as(buyer), { agreementId: Number(agreement?.id), reference })
  }

  it('by a link is stored, and nothing was declined', async () => {
    const shop = await cancelAtWrongEnd()
    const key = await keyOf(shop)
    services.clock.now = new Date('2027-12-13T12:00:00Z')
    expect(await giveCardByLink(asVisitor(), { key, reference: demoCards.paid })).toBe('saved')
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toHaveLength(1)
  })

  it('is charged once the end is corrected', async () => {
    const shop = await cancelAtWrongEnd()
    await giveCard(shop, demoCards.paid)
    await setEnd(shop, '2027-11-22')
    services.clock.now = new Date('2027-12-16T05:00:00Z')
    await announceRenewals(system(), '2027-12-16')
    expect(await rowsOf(services, 'renewals', shop.id)).toMatchObject([
      { state: 'retrying', next_try_on: '2027-12-16', grace_until: '2028-01-06', told_on: null },
    ])
    await runDay('2027-12-16', shop)
    expect(await rowsOf(services, 'renewals', shop.id)).toMatchObject([{ state: 'paid' }])
    // The reader has nothing to do, so no email is sent again.
    expect(await sendEmails(shop)).toHaveLength(2)
  })

  it('that is declined once the end is corrected is announced again, and retried on the following days', async () => {
    const shop = await cancelAtWrongEnd()
    await giveCard(shop, demoCards.declinedLater)
    await setEnd(shop, '2027-11-22')
    const triedOn: [string, string | null][] = []
    for (let day = 16; day < 32; day++) {
      const on = `2027-12-${day}`
      const { length: before } = await rowsOf(services, 'orders', shop.id)
      await runDay(on, shop)
      const [renewal] = await rowsOf(services, 'renewals', shop.id)
      if ((await rowsOf(services, 'orders', shop.id)).length > before) triedOn.push([on, String(renewal?.told_on)])
    }
    expect(triedOn.map(([on]) => on)).toEqual(['2027-12-16', '2027-12-17', '2027-12-19', '2027-12-23', '2027-12-30'])
    expect(new Set(triedOn.map(([, toldOn]) => toldOn))).toEqual(new Set(['2027-12-16']))
    expect(await sendEmails(shop)).toMatchObject([
      { template: 'renewal-failed' },
      { subject: expect.stringContaining('13') },
      { subject: expect.stringContaining('Ihre Verlängerung konnte nicht bezahlt werden') },
    ])
  })

  it('that its bank wants confirmed once the end is corrected is announced again', async () => {
    const shop = await cancelAtWrongEnd()
    await giveCard(shop, demoCards.confirmedLater)
    await setEnd(shop, '2027-11-22')
    await runDay('2027-12-16', shop)
    expect(await rowsOf(services, 'renewals', shop.id)).toMatchObject([{ state: 'waiting', told_on: '2027-12-16' }])
    expect(await sendEmails(shop)).toHaveLength(3)
  })

  it('is charged once the end is corrected, also if the renewal was still open when the card was entered', async () => {
    const shop = await makeSubscription(demoCards.lostLater)
    await runDay('2027-11-22', shop)
    await setEnd(shop, '2037-11-22')
    services.clock.now = new Date('2027-11-24T12:00:00Z')
    expect(await giveCardByLink(asVisitor(), { key: await keyOf(shop), reference: demoCards.paid })).toBe('saved')
    expect(await rowsOf(services, 'renewals', shop.id)).toMatchObject([{ state: 'cancelled', attempts: 1 }])
    await setEnd(shop, '2027-11-22')
    await runDay('2027-11-25', shop)
    expect(await rowsOf(services, 'renewals', shop.id)).toMatchObject([{ state: 'paid' }])
  })
})
