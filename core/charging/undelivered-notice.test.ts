import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { tryReaderAddress } from '#core/bounces/try-address-again.ts'
import { recordReport } from '#core/emails/record-report.ts'
import { resendMail } from '#core/emails/resend-mail.ts'
import { jobs } from '#core/jobs/catalog.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { failedRenewals } from '#core/renewals/failed-renewals.query.ts'
import { planDay } from '#core/renewals/plan-renewals.ts'
import { actorOf } from '#tests/support/factories.ts'
import { makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { type MailServer, startMailServer } from '#tests/support/smtp-server.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { runWorker } from '#tests/support/worker.ts'
import { chargeDueRenewals } from './charge-renewals.ts'

let services: TestServices
let mail: MailServer
beforeAll(async () => {
  mail = await startMailServer()
  services = await openTestServices({ MAIL_URL: mail.url })
})

const system = () => services.as({ kind: 'system' })

/**
 * Runs every attempt to send an email, each when it is due, which takes two days by the clock. After a temporary refusal the next attempt
 * is at least five minutes later.
 */
async function runAllAttempts(): Promise<void> {
  const { attempts, backoffSeconds, maxBackoffSeconds } = jobs['send-mail']
  for (let attempt = 0; attempt < attempts; attempt++)
    await runWorker(services, Math.min(Math.max(backoffSeconds * 2 ** attempt, 5 * 60), maxBackoffSeconds))
}

/** A year of print that renews on 22/11/2027, and whose notice the mail server refused in every attempt. */
async function shopWithUndeliveredNotice() {
  const shop = await shopWithSale()
  mail.refuse(true)
  services.clock.set('2027-10-23T05:00:00Z')
  await planDay(system(), '2027-10-23')
  await runAllAttempts()
  return shop
}

/** Like `shopWithUndeliveredNotice`, but the mail server accepted the notice. */
async function shopWithSentNotice() {
  const shop = await shopWithSale()
  await shop.day('2027-10-23')
  return shop
}

async function shopWithSale() {
  mail.refuse(false)
  services.clock.set('2026-11-22T10:00:00Z')
  const shop = await makeShop(services)
  const form = orderForm(shop, { plan: '1PR25.00' })
  expect(await placeOrder(services.as(visitor), form)).toMatchObject({ state: 'paid' })
  await runWorker(services)
  const staff = services.as(await actorOf(services, 'pubadmin', shop.publisherId))
  return {
    ...shop,
    staff,
    email: String(form.email),
    renewal: async () => (await rowsOf(services, 'renewals', shop.id))[0],
    failed: async () => (await failedRenewals(staff, {})).rows,
    charge: (day: string) => chargeDueRenewals(system(), day, { publicationId: shop.id }),
    /** A day as the worker runs it: plan, emails, charges. */
    async day(day: string) {
      services.clock.set(`${day}T05:00:00Z`)
      await planDay(system(), day)
      await runWorker(services)
    },
  }
}

describe('a renewal whose notice could not be delivered', () => {
  it('is shown to staff, and charged only after the notice is sent and its minimum days have passed, on the day that it states', async () => {
    const { email, renewal, failed, charge, day } = await shopWithUndeliveredNotice()
    await day('2027-10-26')
    expect(await failed()).toMatchObject([{ state: 'planned', reason: 'The notice could not be delivered' }])
    expect(await renewal()).toMatchObject({ state: 'planned', charge_on: '2027-11-22' })
    // Also if nothing was planned in between.
    services.clock.set('2027-11-22T05:00:00Z')
    await runAllAttempts()
    expect(await charge('2027-11-22')).toMatchObject({ charged: 0 })
    expect(await renewal()).toMatchObject({ attempts: 0 })
    mail.refuse(false)
    await day('2027-11-25')
    expect(await renewal()).toMatchObject({ state: 'planned', charge_on: '2027-12-09', grace_until: '2027-12-13' })
    const notices = mail.received.filter(
      ({ to, messageId }) => [to].flat()[0]?.text === email && messageId?.includes('notice'),
    )
    expect(notices).toHaveLength(1)
    expect(notices[0]?.subject).toContain('09/12/2027')
    await day('2027-12-08')
    expect(await failed()).toEqual([])
    expect(await renewal()).toMatchObject({ state: 'planned', reason: '', attempts: 0 })
    expect(await charge('2027-12-09')).toMatchObject({ charged: 1, paid: 1 })
  })

  it('lapses at the end of grace when the notice is never sent, without a charge', async () => {
    const { id, renewal, day } = await shopWithUndeliveredNotice()
    for (const date of ['2027-11-22', '2027-11-28', '2027-12-06', '2027-12-14']) await day(date)
    expect(await renewal()).toMatchObject({ state: 'lapsed', attempts: 0, order_id: null })
    expect(await rowsOf(services, 'orders', id)).toHaveLength(1)
  })

  it('that bounced is not charged, and is sent again once its address is corrected', async () => {
    const { id, email, renewal, failed, charge, day, staff } = await shopWithSentNotice()
    const [notice] = await services.db.query<{ message_id: string }>(
      `SELECT message_id FROM emails WHERE publication_id = :id AND template = 'renewal-notice' AND state = 'sent'`,
      { id },
    )
    const report = { key: `report:${id}`, kind: 'hard' as const, at: null, status: '5.1.1', answer: '550 5.1.1 Gone' }
    const named = { recipient: email, mail: { addresses: [], messageIds: [notice?.message_id ?? ''] } }
    expect(await services.db.transaction(() => recordReport(system(), { ...report, ...named }))).toBe(true)
    expect(await charge('2027-11-22')).toMatchObject({ charged: 0 })
    await day('2027-10-25')
    expect(await failed()).toMatchObject([{ state: 'planned', reason: 'The notice could not be delivered' }])
    const states = () =>
      services.db.query(`SELECT state FROM emails WHERE publication_id = :id AND template = 'renewal-notice'`, { id })
    expect(await states()).toEqual([{ state: 'suppressed' }])
    await day('2027-11-23')
    expect(await charge('2027-12-07')).toMatchObject({ charged: 0 })
    const [reader] = await rowsOf(services, 'readers', id)
    expect(await tryReaderAddress(staff, { id: Number(reader?.id) })).toEqual({ changed: true })
    await day('2027-11-24')
    expect(await states()).toEqual([{ state: 'sent' }])
    expect(await renewal()).toMatchObject({ state: 'planned', charge_on: '2027-12-08' })
    await day('2027-12-07')
    expect(await failed()).toEqual([])
    expect(await charge('2027-12-08')).toMatchObject({ charged: 1, paid: 1 })
  })

  it.each(['original', 'copy'] as const)(
    'whose %s bounced counts as delivered by the other copy, and is charged on its day',
    async (bounced) => {
      const { id, email, renewal, failed, charge, day, staff } = await shopWithSentNotice()
      const notices = () =>
        services.db.query<{ id: number; message_id: string; state: string }>(
          `SELECT id, message_id, state FROM emails WHERE publication_id = :id AND template = 'renewal-notice' ORDER BY id`,
          { id },
        )
      const bounce = async (messageId = '') => {
        const report = { key: `report:${id}`, kind: 'hard' as const, at: null, status: '5.1.1', answer: '550 Gone' }
        const named = { recipient: email, mail: { addresses: [], messageIds: [messageId] } }
        expect(await services.db.transaction(() => recordReport(system(), { ...report, ...named }))).toBe(true)
      }
      const [original] = await notices()
      await resendMail(staff, { id: Number(original?.id), key: `again-${id}-${bounced}` })
      await runWorker(services)
      await bounce((await notices())[bounced === 'original' ? 0 : 1]?.message_id)
      // From here on a notice that is not delivered would postpone the charge.
      await day('2027-11-12')
      expect((await notices()).map(({ state }) => state).sort()).toEqual(['bounced', 'sent'])
      expect(await failed()).toEqual([])
      expect(await renewal()).toMatchObject({ state: 'planned', reason: '', charge_on: '2027-11-22' })
      expect(await charge('2027-11-22')).toMatchObject({ charged: 1, paid: 1 })
    },
  )

  it('that was sent late is charged when its minimum days have passed', async () => {
    mail.refuse(false)
    services.clock.set('2026-11-22T10:00:00Z')
    const shop = await makeShop(services)
    expect(await placeOrder(services.as(visitor), orderForm(shop, { plan: '1PR25.00' }))).toMatchObject({
      state: 'paid',
    })
    services.clock.set('2027-10-23T05:00:00Z')
    await planDay(system(), '2027-10-23')
    // No worker ran for a month.
    services.clock.set('2027-11-22T05:00:00Z')
    // The worker may charge before it sends the notice.
    expect(await chargeDueRenewals(system(), '2027-11-22', { publicationId: shop.id })).toMatchObject({ charged: 0 })
    await runWorker(services)
    await runWorker(services, 360)
    expect(await rowsOf(services, 'renewals', shop.id)).toMatchObject([
      { state: 'planned', charge_on: '2027-12-06', grace_until: '2027-12-27' },
    ])
    expect(await chargeDueRenewals(system(), '2027-12-06', { publicationId: shop.id })).toMatchObject({
      charged: 1,
      paid: 1,
    })
  })
})
