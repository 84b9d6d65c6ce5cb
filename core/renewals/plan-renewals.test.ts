import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { keysRefused } from '#core/agreements/declines.rules.ts'
import { defaultRenewalSettings } from '#core/agreements/dunning.rules.ts'
import { storeRenewalSettings } from '#core/agreements/renewal-settings.rows.ts'
import { renewalFailedLate } from '#core/agreements/settle-renewal.ts'
import { chargeDueRenewals } from '#core/charging/charge-renewals.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { refundOrder } from '#core/orders/refund-order.ts'
import { announceRenewals } from '#tests/support/announce-renewals.ts'
import { mailSender, queuedEmails } from '#tests/support/emails.ts'
import { actorOf } from '#tests/support/factories.ts'
import { makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { noticeSql } from '../agreements/notice-days.query.ts'
import { noticeOf, type UpcomingCharge } from '../agreements/notice-days.rules.ts'
import { changeRenewalPrice, previewRenewalPrice, withdrawRenewalPrice } from './change-renewal-price.ts'
import { ownAgreements } from './own-agreements.query.ts'
import { planDay, planRenewals } from './plan-renewals.ts'
import { renewalPrices } from './renewal-prices.query.ts'
import { upcomingRenewals } from './upcoming-renewals.query.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

const system = () => services.as({ kind: 'system' })

async function plan(day: string) {
  services.clock.now = new Date(`${day}T05:00:00Z`)
  return planDay(system(), day)
}

/** Buys a year of print that renews, on 22/11/2026, with optional changes of its agreement. */
async function subscribe(agreement: Record<string, string | number | null> = {}) {
  services.clock.now = new Date('2026-11-22T10:00:00Z')
  const shop = await makeShop(services)
  expect(await placeOrder(services.as(visitor), orderForm(shop, { plan: '1PR25.00' }))).toMatchObject({ state: 'paid' })
  for (const [column, value] of Object.entries(agreement)) {
    await services.db.run(`UPDATE payment_agreements SET ${column} = :value WHERE publication_id = :id`, {
      value,
      id: shop.id,
    })
    if (column !== 'renews_on') continue
    await services.db.run(`UPDATE readers SET sub_end_on = :value WHERE publication_id = :id`, { value, id: shop.id })
  }
  return shop
}

const renewalsOf = (shop: { id: number }) => rowsOf(services, 'renewals', shop.id)

async function noticesOf(shop: { id: number }) {
  const ids = (await renewalsOf(shop)).map(({ id }) => id)
  return (await queuedEmails(services, 'renewal-notice')).filter(({ about }) => ids.includes(about.renewalId as number))
}

describe('the notice of a renewal', () => {
  it('is created 30 days before a yearly charge, once', async () => {
    const shop = await subscribe()
    await plan('2027-10-22')
    expect(await renewalsOf(shop)).toEqual([])
    await plan('2027-10-23')
    await plan('2027-10-23')
    await plan('2027-10-24')
    expect(await renewalsOf(shop)).toMatchObject([
      { state: 'planned', cycle_on: '2027-11-22', charge_on: '2027-11-22', noticed_on: '2027-10-23', amount: 2500 },
    ])
    expect(await noticesOf(shop)).toMatchObject([{ publisherId: shop.publisherId }])
  })

  it('goes to the buyer with the amount, the day and the card, under one Message-ID', async () => {
    const shop = await subscribe({ last_four: '4242' })
    await plan('2027-10-23')
    const [{ about } = { about: {} }] = await noticesOf(shop)
    expect(await mailSender('renewal-notice')(system(), about)).toBe(true)
    expect(await mailSender('renewal-notice')(system(), about)).toBe(false)
    const sent = await rowsOf(services, 'emails', shop.id)
    expect(sent.filter(({ template }) => template === 'renewal-notice')).toMatchObject([
      { state: 'sent', subject: expect.stringContaining('renews on 22/11/2027') },
    ])
  })

  it('is not sent when the reader has turned the renewal off', async () => {
    const shop = await subscribe()
    await plan('2027-10-23')
    const notices = await noticesOf(shop)
    expect(notices).toHaveLength(1)
    await services.db.run(`UPDATE payment_agreements SET state = 'ended' WHERE publication_id = :id`, { id: shop.id })
    expect(await mailSender('renewal-notice')(system(), notices[0]?.about)).toBe(false)
  })

  it('is in time after three missed days, and postpones the charge when it is late', async () => {
    const missed = await subscribe()
    await plan('2027-10-26')
    expect(await renewalsOf(missed)).toMatchObject([{ charge_on: '2027-11-22', noticed_on: '2027-10-26' }])
    const late = await subscribe()
    await plan('2027-11-20')
    expect(await renewalsOf(late)).toMatchObject([
      {
        cycle_on: '2027-11-22',
        noticed_on: '2027-11-20',
        charge_on: '2027-12-04',
        next_try_on: '2027-12-04',
        grace_until: '2027-12-25',
      },
    ])
  })

  it('does not lead to an earlier or a second charge when the clock is set back', async () => {
    const shop = await subscribe()
    await plan('2027-10-25')
    await plan('2027-10-01')
    await plan('2027-10-23')
    expect(await renewalsOf(shop)).toMatchObject([{ noticed_on: '2027-10-25', charge_on: '2027-11-22' }])
    expect(await noticesOf(shop)).toHaveLength(1)
  })

  it('is sent once when two workers plan at once', async () => {
    const shop = await subscribe()
    services.clock.now = new Date('2027-10-23T05:00:00Z')
    await Promise.all([planDay(system(), '2027-10-23'), planDay(system(), '2027-10-23')])
    expect(await renewalsOf(shop)).toHaveLength(1)
    expect(await noticesOf(shop)).toHaveLength(1)
  })

  it.each([
    ['29 February', '2028-02-29', '2028-01-30'],
    ['the 31st', '2027-08-31', '2027-08-01'],
    ['the day the clocks go forward', '2028-03-26', '2028-02-25'],
    ['the day the clocks go back', '2027-10-31', '2027-10-01'],
  ])('of a term that ends on %s is created 30 days before', async (_, renewsOn, noticedOn) => {
    const shop = await subscribe({ renews_on: renewsOn })
    await plan(noticedOn)
    expect(await renewalsOf(shop)).toMatchObject([{ charge_on: renewsOn, noticed_on: noticedOn }])
  })

  it('is created on the business day around midnight, where the clocks are an hour ahead', async () => {
    const shop = await subscribe({ renews_on: '2027-07-31' })
    services.clock.now = new Date('2027-06-30T22:30:00Z')
    await planRenewals(system(), {})
    expect(await renewalsOf(shop)).toEqual([])
    services.clock.now = new Date('2027-06-30T23:00:00Z')
    await planRenewals(system(), {})
    expect(await renewalsOf(shop)).toMatchObject([{ noticed_on: '2027-07-01' }])
  })

  it('cannot go to a reader without email: nothing is charged', async () => {
    const shop = await subscribe()
    await services.db.run(`UPDATE buyers SET email = '' WHERE publication_id = :id`, { id: shop.id })
    await plan('2027-10-23')
    expect(await renewalsOf(shop)).toMatchObject([{ state: 'waiting', next_try_on: null, noticed_on: null }])
    expect(await noticesOf(shop)).toEqual([])
  })

  it('is not sent for a term of one month, whose renewal is planned all the same', async () => {
    const shop = await subscribe({ term_months: 1, renews_on: '2026-12-22' })
    await plan('2026-12-15')
    expect(await renewalsOf(shop)).toMatchObject([{ state: 'planned', noticed_on: null, charge_on: '2026-12-22' }])
    expect(await noticesOf(shop)).toEqual([])
  })
})

it('planning one title changes nothing of another: neither its warnings nor its undelivered notices', async () => {
  const shop = await subscribe({ expires_on: '2027-10-31' })
  const otherShop = await subscribe({ expires_on: '2027-10-31' })
  services.clock.now = new Date('2027-10-23T05:00:00Z')
  for (const { id: publicationId } of [shop, otherShop]) await planDay(system(), '2027-10-23', { publicationId })
  await services.db.run(`UPDATE renewals SET told_on = NULL WHERE publication_id IN (:ids)`, {
    ids: [shop.id, otherShop.id],
  })
  await services.db.run(`DELETE FROM jobs WHERE dedupe_key LIKE 'card-expiring:%'`)
  await services.db.run(
    `UPDATE jobs SET state = 'failed', finished_at = :at WHERE dedupe_key LIKE 'renewal-notice:%'`,
    {
      at: services.clock.now,
    },
  )
  services.clock.now = new Date('2027-11-15T05:00:00Z')
  for (const scope of [{ publicationId: shop.id }, { publisherId: shop.publisherId }])
    await planDay(system(), '2027-11-15', scope)
  expect(await renewalsOf(otherShop)).toMatchObject([{ charge_on: '2027-11-22', told_on: null, reason: '' }])
  expect(await renewalsOf(shop)).toMatchObject([
    { charge_on: '2027-11-29', told_on: '2027-11-15', reason: 'The notice could not be delivered' },
  ])
  const warned = await queuedEmails(services, 'card-expiring')
  expect(warned.map(({ publisherId }) => publisherId)).toEqual([shop.publisherId])
})

describe('an agreement', () => {
  it('past its grace period lapses without a charge', async () => {
    const shop = await subscribe()
    await plan('2027-12-14')
    expect(await renewalsOf(shop)).toMatchObject([
      { state: 'lapsed', noticed_on: null, next_try_on: null, attempts: 0 },
    ])
    expect(await rowsOf(services, 'payment_agreements', shop.id)).toMatchObject([
      { state: 'ended', end_reason: 'lapsed' },
    ])
    expect(await noticesOf(shop)).toEqual([])
    const logged = await services.db.query(
      `SELECT action FROM audit_log WHERE publisher_id = :publisherId AND action LIKE 'renewal%'`,
      { publisherId: shop.publisherId },
    )
    expect(logged).toEqual([{ action: 'renewal-lapsed' }])
  })

  it('extended by its reader follows the new end', async () => {
    const shop = await subscribe()
    await services.db.run(`UPDATE readers SET sub_end_on = '2028-11-22' WHERE publication_id = :id`, { id: shop.id })
    await plan('2027-10-23')
    expect(await renewalsOf(shop)).toEqual([])
    expect(await rowsOf(services, 'payment_agreements', shop.id)).toMatchObject([{ renews_on: '2028-11-22' }])
  })

  describe('whose record got a later end by mistake', () => {
    const setEnd = (shop: { id: number }, endOn: string) =>
      services.db.run(`UPDATE readers SET sub_end_on = :endOn WHERE publication_id = :id`, { id: shop.id, endOn })
    const wrongEnd = '2037-11-22'

    it('returns to the corrected end, and its renewal is planned', async () => {
      const shop = await subscribe()
      await setEnd(shop, wrongEnd)
      await plan('2027-10-23')
      expect(await agreementOf(shop)).toMatchObject({ renews_on: wrongEnd, paid_end_on: '2027-11-22' })
      await setEnd(shop, '2027-11-22')
      await plan('2027-10-25')
      expect(await agreementOf(shop)).toMatchObject({ renews_on: '2027-11-22', paid_end_on: null })
      expect(await renewalsOf(shop)).toMatchObject([
        { state: 'planned', cycle_on: '2027-11-22', charge_on: '2027-11-22', noticed_on: '2027-10-25' },
      ])
      expect(await noticesOf(shop)).toHaveLength(1)
    })

    it.each([
      ['before its last paid day', '2027-06-30', '2027-11-22', null],
      ['after its last paid day', '2028-02-22', '2028-02-22', '2027-11-22'],
    ])('returns to a day %s no earlier than what was paid', async (_, corrected, renewsOn, paidEndOn) => {
      const shop = await subscribe()
      await setEnd(shop, wrongEnd)
      await plan('2027-10-23')
      await setEnd(shop, corrected)
      await plan('2027-10-25')
      expect(await agreementOf(shop)).toMatchObject({ renews_on: renewsOn, paid_end_on: paidEndOn })
    })

    /** The reader orders another year while the record has the wrong end. */
    async function orderDuringWrongEnd(code: string) {
      const shop = await subscribe()
      await setEnd(shop, wrongEnd)
      return orderPlan(shop, code)
    }

    async function orderPlan<Shop extends Awaited<ReturnType<typeof subscribe>>>(shop: Shop, code = '1PN29.99') {
      const [buyer] = await rowsOf(services, 'buyers', shop.id)
      const actor = { kind: 'buyer', buyerId: Number(buyer?.id), publicationId: shop.id } as const
      const form = orderForm(shop, { plan: code, email: String(buyer?.email), isSecondMeant: true })
      expect(await placeOrder(services.as(actor), form)).toMatchObject({ state: 'paid' })
      return shop
    }

    it.each([
      ['the agreement is kept', '1PN29.99'],
      ['the order has an agreement of its own', '1PR25.00'],
    ])('returns to the end paid by an order that was placed meanwhile, where %s', async (_, code) => {
      const shop = await orderDuringWrongEnd(code)
      expect(await agreementOf(shop)).toMatchObject({ renews_on: '2038-11-22', paid_end_on: '2028-11-22' })
      await setEnd(shop, '2028-11-22')
      await plan('2028-10-23')
      expect(await agreementOf(shop)).toMatchObject({ renews_on: '2028-11-22', paid_end_on: null })
      expect((await renewalsOf(shop)).at(-1)).toMatchObject({ state: 'planned', cycle_on: '2028-11-22' })
    })

    async function refundLast(shop: { id: number; publisherId: number }) {
      const staff = services.as(await actorOf(services, 'publisher', shop.publisherId))
      const { id } = (await rowsOf(services, 'orders', shop.id)).at(-1) ?? {}
      await refundOrder(staff, { id: Number(id), scope: 'whole', method: 'hand', reason: 'Ordered twice' })
    }

    it('is paid until the same day of the month as before, when an order placed meanwhile was refunded', async () => {
      const shop = await subscribe({ renews_on: '2028-02-29' })
      await services.db.run(`UPDATE readers SET sub_start_on = '2024-02-29' WHERE publication_id = :id`, {
        id: shop.id,
      })
      await setEnd(shop, '2038-02-28')
      await orderPlan(shop)
      expect(await agreementOf(shop)).toMatchObject({ renews_on: '2039-02-28', paid_end_on: '2029-02-28' })
      await refundLast(shop)
      expect(await agreementOf(shop)).toMatchObject({ renews_on: '2038-02-28', paid_end_on: '2028-02-29' })
    })

    it('is not charged for months paid by an order placed between the correction and the planning that follows it', async () => {
      const shop = await subscribe()
      await setEnd(shop, wrongEnd)
      await plan('2027-10-23')
      await setEnd(shop, '2027-11-22')
      await orderPlan(shop)
      expect(await agreementOf(shop)).toMatchObject({ renews_on: '2028-11-22', paid_end_on: null })
      // A later edit that shortens the record does not shorten what was paid.
      await setEnd(shop, '2028-01-22')
      await plan('2027-12-23')
      expect(await agreementOf(shop)).toMatchObject({ renews_on: '2028-11-22', paid_end_on: null })
      expect(await renewalsOf(shop)).toEqual([])
    })

    it.each([
      ['is still open', 'planned'],
      ['was cancelled', 'cancelled'],
    ] as const)(
      'renews after an ordered month that ends on the wrong end, if the renewal of that end %s',
      async (_, state) => {
        const shop = await subscribe()
        await services.db.run(
          `INSERT INTO publication_prices (publication_id, product, term_months, band, is_recurring, amount)
         SELECT publication_id, product, 1, band, is_recurring, 299 FROM publication_prices
         WHERE publication_id = :id AND product = 'print' AND term_months = 12 AND is_recurring = :no`,
          { id: shop.id, no: false },
        )
        await setEnd(shop, '2027-12-22')
        await plan('2027-11-22')
        expect(await renewalsOf(shop)).toMatchObject([{ state: 'planned', cycle_on: '2027-12-22' }])
        if (state === 'cancelled')
          await services.db.run(`UPDATE renewals SET state = 'cancelled' WHERE publication_id = :id`, { id: shop.id })
        await setEnd(shop, '2027-11-22')
        await orderPlan(shop, '2PN2.99')
        expect(await agreementOf(shop)).toMatchObject({ renews_on: '2027-12-22', paid_end_on: null })
        services.clock.now = new Date('2027-11-23T05:00:00Z')
        await announceRenewals(system(), '2027-11-23')
        expect(await renewalsOf(shop)).toMatchObject([{ state: 'planned', cycle_on: '2027-12-22' }])
        await charge(shop, '2027-12-22')
        expect(await renewalsOf(shop)).toMatchObject([{ state: 'paid' }])
        expect(await agreementOf(shop)).toMatchObject({ renews_on: '2028-12-22', paid_end_on: null })
      },
    )

    it('returns to the end paid before an order that was placed meanwhile and refunded', async () => {
      const shop = await orderDuringWrongEnd('1PN29.99')
      await refundLast(shop)
      expect(await agreementOf(shop)).toMatchObject({ renews_on: wrongEnd, paid_end_on: '2027-11-22' })
      await setEnd(shop, '2027-11-22')
      await plan('2027-10-23')
      expect(await agreementOf(shop)).toMatchObject({ renews_on: '2027-11-22', paid_end_on: null })
      expect(await renewalsOf(shop)).toMatchObject([{ state: 'planned', cycle_on: '2027-11-22' }])
    })

    /**
     * A renewal planned in time, whose record has a wrong end on the day of the charge; the end is corrected later.
     * A failed attempt is stored as charging stores it.
     */
    async function correctedAfterCharge(correctedOn: string, failed: 'declined' | 'keys-refused' | null = null) {
      const shop = await subscribe()
      await plan('2027-10-23')
      const { id } = shop
      if (failed !== null)
        await services.db.run(`UPDATE renewals SET attempts = 1, decline_code = :code WHERE publication_id = :id`, {
          code: failed === 'declined' ? 'insufficient_funds' : keysRefused,
          id,
        })
      if (failed === 'declined')
        await services.db.run(
          `UPDATE orders SET state = 'declined', renewal_id = (SELECT MAX(id) FROM renewals WHERE publication_id = :id) WHERE publication_id = :id`,
          { id },
        )
      await setEnd(shop, wrongEnd)
      await charge(shop, '2027-11-22')
      expect(await renewalsOf(shop)).toMatchObject([{ state: 'cancelled' }])
      expect(await agreementOf(shop)).toMatchObject({ renews_on: wrongEnd, paid_end_on: '2027-11-22' })
      await setEnd(shop, '2027-11-22')
      await plan(correctedOn)
      expect(await agreementOf(shop)).toMatchObject({ renews_on: '2027-11-22', paid_end_on: null })
      return shop
    }

    it.each([
      ['within the grace period', '2027-11-25', '2027-12-09', '2027-12-30'],
      ['after the grace period', '2027-12-20', '2028-01-03', '2028-01-24'],
    ])(
      'is announced and charged later where its charge was cancelled meanwhile, %s',
      async (_, correctedOn, chargeOn, graceUntil) => {
        const shop = await correctedAfterCharge(correctedOn)
        expect(await renewalsOf(shop)).toMatchObject([
          {
            state: 'planned',
            cycle_on: '2027-11-22',
            charge_on: chargeOn,
            noticed_on: correctedOn,
            grace_until: graceUntil,
          },
        ])
        expect(await noticesOf(shop)).toHaveLength(1)
      },
    )

    it.each([
      ['title was removed', 'publications SET removed_at', `'2027-12-15T00:00:00Z'`, 'NULL', 'id'],
      ['publisher was deactivated', 'users SET is_active', 'FALSE', 'TRUE', 'publisherId'],
      ['reader was deactivated', 'readers SET is_deleted', 'TRUE', 'FALSE', 'readerId'],
    ])('returns once it can be planned, where its %s meanwhile', async (_, column, gone, restored, idName) => {
      const shop = await subscribe()
      await plan('2027-10-23')
      await setEnd(shop, wrongEnd)
      await charge(shop, '2027-11-22')
      const [reader] = await rowsOf(services, 'readers', shop.id)
      const ids = { id: shop.id, publisherId: shop.publisherId, readerId: Number(reader?.id) }
      const set = (value: string) => services.db.run(`UPDATE ${column} = ${value} WHERE id = :${idName}`, ids)
      await set(gone)
      await setEnd(shop, '2027-11-22')
      await plan('2027-12-20')
      expect(await agreementOf(shop)).toMatchObject({ renews_on: wrongEnd, paid_end_on: '2027-11-22' })
      await set(restored)
      await plan('2027-12-21')
      expect((await renewalsOf(shop)).at(-1)).toMatchObject({ state: 'planned', charge_on: '2028-01-04' })
      expect(await agreementOf(shop)).toMatchObject({ state: 'active', renews_on: '2027-11-22' })
    })

    it('lapses where it is corrected later than the longest grace period', async () => {
      const shop = await correctedAfterCharge('2028-03-01')
      expect(await renewalsOf(shop)).toMatchObject([{ state: 'lapsed' }])
      expect(await agreementOf(shop)).toMatchObject({ state: 'ended', end_reason: 'lapsed' })
    })

    it.each([
      ['declined', '2027-11-25', { state: 'waiting', next_try_on: null, grace_until: '2027-12-16' }],
      ['declined', '2027-12-20', { state: 'waiting', next_try_on: null, grace_until: '2028-01-10' }],
      ['keys-refused', '2027-11-25', { state: 'retrying', next_try_on: '2027-11-25', decline_code: keysRefused }],
      ['keys-refused', '2027-12-20', { state: 'waiting', decline_code: null, grace_until: '2028-01-10' }],
    ] as const)(
      'whose charge was %s has a whole grace period when corrected on %s',
      async (failed, correctedOn, expected) => {
        const shop = await correctedAfterCharge(correctedOn, failed)
        expect(await renewalsOf(shop)).toMatchObject([{ attempts: 1, settled_at: null, ...expected }])
      },
    )

    /**
     * A record with a later end, 22/01/2028, whose renewal was cancelled on that day, as the record had an even later end by then.
     * Afterwards it has its first end again.
     */
    async function cancelledAtLaterEnd(attempts: number, plannedOn = '2028-01-25') {
      const shop = await subscribe()
      await setEnd(shop, '2028-01-22')
      await plan('2027-12-23')
      await services.db.run(`UPDATE renewals SET attempts = :attempts WHERE publication_id = :id`, {
        attempts,
        id: shop.id,
      })
      await setEnd(shop, wrongEnd)
      await charge(shop, '2028-01-22')
      expect(await renewalsOf(shop)).toMatchObject([{ state: 'cancelled', cycle_on: '2028-01-22' }])
      await setEnd(shop, '2027-11-22')
      await plan(plannedOn)
      return shop
    }

    it.each([
      ['was announced only', 0, { state: 'planned', noticed_on: '2028-02-09', charge_on: '2028-02-23' }],
      ['was charged', 1, { state: 'retrying', next_try_on: '2028-02-09', attempts: 1 }],
    ] as const)('renews if it moves back to an end whose cancelled renewal %s', async (_, attempts, expected) => {
      const shop = await cancelledAtLaterEnd(attempts)
      expect(await agreementOf(shop)).toMatchObject({ renews_on: '2027-11-22', paid_end_on: null })
      await setEnd(shop, '2028-01-22')
      await charge(shop, '2028-02-08')
      expect(await agreementOf(shop)).toMatchObject({ renews_on: '2028-01-22', paid_end_on: '2027-11-22' })
      await plan('2028-02-09')
      const later = (await renewalsOf(shop)).filter(({ cycle_on }) => cycle_on === '2028-01-22')
      expect(later).toMatchObject([expected])
    })

    it('plans a renewal that was only announced and then cancelled, although its grace period is over when the agreement moves back to its end', async () => {
      const shop = await cancelledAtLaterEnd(0, '2028-02-01')
      await setEnd(shop, '2028-01-22')
      await charge(shop, '2028-02-15')
      await plan('2028-02-16')
      expect(await agreementOf(shop)).toMatchObject({ state: 'active', renews_on: '2028-01-22' })
      const later = (await renewalsOf(shop)).filter(({ cycle_on }) => cycle_on === '2028-01-22')
      expect(later).toMatchObject([{ state: 'planned', noticed_on: '2028-02-16', charge_on: '2028-03-01' }])
    })

    it.each([0, 1])(
      'renews after a month that ends on a day whose renewal was cancelled after %i attempts',
      async (attempts) => {
        const announce = async (day: string) => {
          services.clock.now = new Date(`${day}T05:00:00Z`)
          await announceRenewals(system(), day)
        }
        const shop = await subscribe({ term_months: 1 })
        await services.db.transaction(() =>
          storeRenewalSettings(system(), shop.id, { ...defaultRenewalSettings, graceDays: 60 }),
        )
        await setEnd(shop, '2027-12-22')
        await plan('2027-12-20')
        await services.db.run(`UPDATE renewals SET attempts = :attempts WHERE publication_id = :id`, {
          attempts,
          id: shop.id,
        })
        await setEnd(shop, wrongEnd)
        await charge(shop, '2027-12-22')
        await setEnd(shop, '2027-11-22')
        await announce('2027-12-23')
        expect(await charge(shop, '2028-01-06')).toMatchObject({ paid: 1 })
        expect(await agreementOf(shop)).toMatchObject({ renews_on: '2027-12-22' })
        await announce('2028-01-07')
        expect(await charge(shop, '2028-01-21')).toMatchObject({ paid: 1 })
        expect((await renewalsOf(shop)).map(({ state, cycle_on }) => [state, cycle_on]).toSorted()).toEqual([
          ['paid', '2027-11-22'],
          ['paid', '2027-12-22'],
        ])
      },
    )
  })

  it.each([
    ['reader was deactivated', `UPDATE readers SET is_deleted = TRUE WHERE publication_id = :id`],
    ['title was removed', `UPDATE publications SET removed_at = '2027-01-01T00:00:00Z' WHERE id = :id`],
    ['publisher is deactivated', `UPDATE users SET is_active = FALSE WHERE id = :publisherId`],
  ])('is not planned when its %s', async (_, sql) => {
    const shop = await subscribe()
    await services.db.run(sql, { id: shop.id, publisherId: shop.publisherId })
    await plan('2027-10-23')
    expect(await renewalsOf(shop)).toEqual([])
  })
})

/** Decides on 01/06/2027 a new price for the year of print, for cycles from 01/11/2027 on; with optional changes. */
async function decidePrice(shop: { id: number; publisherId: number }, change: Record<string, string> = {}) {
  const now = services.clock.now
  services.clock.now = new Date('2027-06-01T10:00:00Z')
  const ctx = services.as(await actorOf(services, 'publisher', shop.publisherId))
  const input = {
    publicationId: shop.id,
    plan: 'print:12:UK',
    cohort: 'all',
    newPrice: '29.00',
    effectiveOn: '2027-11-01',
  }
  const { id } = await changeRenewalPrice(ctx, { ...input, ...change })
  services.clock.now = now
  return { ctx, id }
}

const agreementOf = async (shop: { id: number }) => (await rowsOf(services, 'payment_agreements', shop.id)).at(-1)

async function charge(shop: { id: number }, day: string) {
  services.clock.now = new Date(`${day}T05:00:00Z`)
  return chargeDueRenewals(system(), day, { publicationId: shop.id })
}

describe('a new price', () => {
  it('is announced with the old one, charged, and then agreed', async () => {
    const shop = await subscribe()
    const { ctx, id } = await decidePrice(shop)
    const listed = async () => (await renewalPrices(ctx, { publicationId: shop.id })).changes
    const upcoming = async () => (await upcomingRenewals(ctx, { publicationId: shop.id })).rows
    const money = { amount: 2900, currency: 'GBP' }
    const oldMoney = { amount: 2500, currency: 'GBP' }
    services.clock.now = new Date('2027-10-01T05:00:00Z')
    expect(await listed()).toMatchObject([{ id, reach: { agreements: 1, difference: 400 }, announced: 0, charged: 0 }])
    expect(await upcoming()).toMatchObject([{ state: 'agreed', money, oldMoney }])
    await plan('2027-10-23')
    expect(await renewalsOf(shop)).toMatchObject([{ amount: 2900, old_amount: 2500, noticed_on: '2027-10-23' }])
    expect(await listed()).toMatchObject([{ reach: { agreements: 0 }, announced: 1, charged: 0 }])
    expect(await upcoming()).toMatchObject([{ state: 'planned', money, oldMoney }])
    const [buyer] = await rowsOf(services, 'buyers', shop.id)
    const reader = services.as({ kind: 'buyer', buyerId: Number(buyer?.id), publicationId: shop.id })
    expect(await ownAgreements(reader, {})).toMatchObject([{ price: money, oldPrice: oldMoney }])
    const [{ about } = { about: {} }] = await noticesOf(shop)
    expect(await mailSender('renewal-notice')(system(), about)).toBe(true)
    const [notice] = (await services.mail.devMailbox?.list(1)) ?? []
    expect(notice?.text).toContain('The price changes from £25.00\u00A0GBP to £29.00\u00A0GBP.')
    expect(await agreementOf(shop)).toMatchObject({ price: 2500, price_change_id: null })
    expect(await charge(shop, '2027-11-22')).toMatchObject({ paid: 1 })
    expect(await agreementOf(shop)).toMatchObject({
      price: 2900,
      price_change_id: id,
      price_changed_on: '2027-11-22',
      renews_on: '2028-11-22',
    })
    expect(await listed()).toMatchObject([{ reach: { agreements: 0, unchanged: 0 }, announced: 0, charged: 1 }])
    const events = await rowsOf(services, 'reader_events', shop.id)
    expect(events.filter(({ kind }) => kind === 'renewal-price')).toMatchObject([
      { note: 'Each term costs £29.00 from 23/11/2027 (before: £25.00)' },
    ])
    await plan('2028-10-23')
    expect((await renewalsOf(shop)).at(-1)).toMatchObject({ amount: 2900, old_amount: null, cycle_on: '2028-11-22' })
  })

  it.each<[string, Record<string, string>[], number]>([
    ['before it takes effect', [{ effectiveOn: '2027-11-23' }], 2500],
    ['on the day it takes effect', [{ effectiveOn: '2027-11-22' }], 2900],
    ['for those who agreed before a day', [{ cohort: 'before', before: '2026-11-23' }], 2900],
    ['for those who pay a certain price', [{}, { cohort: 'price', oldPrice: '25.00', newPrice: '27.00' }], 2700],
    ['that takes effect last', [{}, { newPrice: '31.00', effectiveOn: '2027-11-02' }], 3100],
    ['decided last of one day', [{ newPrice: '31.00' }, {}], 2900],
  ])('%s', async (_, changes, amount) => {
    const shop = await subscribe()
    for (const change of changes) await decidePrice(shop, change)
    await plan('2027-10-23')
    expect(await renewalsOf(shop)).toMatchObject([{ amount }])
  })

  it('does not apply to excluded agreements or another plan', async () => {
    const shop = await subscribe()
    const noneAffected = { kind: 'conflict' }
    await expect(decidePrice(shop, { cohort: 'before', before: '2026-11-22' })).rejects.toMatchObject(noneAffected)
    await expect(decidePrice(shop, { cohort: 'price', oldPrice: '24.00' })).rejects.toMatchObject(noneAffected)
    await expect(decidePrice(shop, { plan: 'digital:12:UK' })).rejects.toMatchObject(noneAffected)
    await expect(decidePrice(shop, { newPrice: '25.00' })).rejects.toMatchObject(noneAffected)
  })

  it('postpones the charge of a monthly plan, which has no other notice, until the minimum notice has passed', async () => {
    const monthly = { term_months: 1, renews_on: '2027-11-22' }
    const shop = await subscribe(monthly)
    await decidePrice(shop, { plan: 'print:1:UK' })
    await plan('2027-10-22')
    expect(await renewalsOf(shop)).toEqual([])
    await plan('2027-11-16')
    expect(await renewalsOf(shop)).toMatchObject([
      { amount: 2900, noticed_on: '2027-11-16', charge_on: '2027-11-30', cycle_on: '2027-11-22' },
    ])
    expect(await charge(shop, '2027-11-29')).toMatchObject({ charged: 0 })
  })

  it('that is lower is announced, and postpones nothing', async () => {
    const shop = await subscribe({ term_months: 1, renews_on: '2027-11-22' })
    await decidePrice(shop, { plan: 'print:1:UK', newPrice: '20.00' })
    await services.db.run(`UPDATE readers SET country = 'FR' WHERE publication_id = :id`, { id: shop.id })
    await plan('2027-11-21')
    expect(await renewalsOf(shop)).toMatchObject([{ amount: 2000, noticed_on: '2027-11-21', charge_on: '2027-11-22' }])
    expect(await noticesOf(shop)).toHaveLength(1)
  })

  it('leaves announced renewals unchanged, and applies to the next cycle', async () => {
    const shop = await subscribe({ renews_on: '2027-11-22' })
    const firstChange = await decidePrice(shop)
    await plan('2027-10-23')
    await decidePrice(shop, { newPrice: '35.00' })
    expect(await withdrawRenewalPrice(firstChange.ctx, { id: firstChange.id })).toEqual({ wasOpen: true })
    expect(await withdrawRenewalPrice(firstChange.ctx, { id: firstChange.id })).toEqual({ wasOpen: false })
    await announceRenewals(system(), '2027-10-24')
    expect(await renewalsOf(shop)).toMatchObject([{ amount: 2900 }])
    expect(await charge(shop, '2027-11-22')).toMatchObject({ paid: 1 })
    await plan('2028-10-23')
    expect((await renewalsOf(shop)).at(-1)).toMatchObject({ amount: 3500, old_amount: 2900 })
  })

  it('withdrawn before its notice changes nothing', async () => {
    const shop = await subscribe()
    const { ctx, id } = await decidePrice(shop)
    await withdrawRenewalPrice(ctx, { id })
    await plan('2027-10-23')
    expect(await renewalsOf(shop)).toMatchObject([{ amount: 2500, old_amount: null }])
  })

  it('is reversed with a payment that fails late', async () => {
    const shop = await subscribe()
    await decidePrice(shop)
    await plan('2027-10-23')
    await charge(shop, '2027-11-22')
    const [renewal] = await renewalsOf(shop)
    const attempt = { renewalId: Number(renewal?.id), orderId: Number(renewal?.order_id) }
    const decline = { code: null, reason: 'No funds', isFinal: false }
    await services.db.transaction(() => renewalFailedLate(system(), attempt, decline))
    expect(await agreementOf(shop)).toMatchObject({ price: 2500, price_change_id: null, renews_on: '2027-11-22' })
  })

  it('previews whom it affects, the total, and when', async () => {
    const shop = await subscribe()
    services.clock.now = new Date('2027-06-01T10:00:00Z')
    const ctx = services.as(await actorOf(services, 'publisher', shop.publisherId))
    const input = {
      publicationId: shop.id,
      plan: 'print:12:UK',
      cohort: 'all',
      newPrice: '29',
      effectiveOn: '2027-12-01',
    }
    expect(await previewRenewalPrice(ctx, input)).toMatchObject({
      agreements: 1,
      prices: [{ price: 2500, agreements: 1 }],
      difference: 400,
      unchanged: 0,
      currency: 'GBP',
      firstChargeOn: '2028-11-22',
      firstNoticeOn: '2028-10-23',
    })
    const refused = (change: object) => expect(previewRenewalPrice(ctx, { ...input, ...change })).rejects
    await refused({ effectiveOn: '2027-06-30' }).toMatchObject({ fields: { effectiveOn: expect.any(String) } })
    await refused({ cohort: 'before' }).toMatchObject({ fields: { before: expect.any(String) } })
    const blank = { plan: 'print', cohort: 'price', newPrice: '', effectiveOn: '' }
    await refused(blank).toMatchObject({ fields: { plan: 'Choose a plan' } })
    const otherShop = await makeShop(services)
    const theirs = services.as(await actorOf(services, 'publisher', otherShop.publisherId))
    await expect(changeRenewalPrice(theirs, input)).rejects.toMatchObject({ kind: 'notFound' })
    const { id } = await decidePrice(shop)
    await expect(withdrawRenewalPrice(theirs, { id })).rejects.toMatchObject({ kind: 'notFound' })
  })
})

it('the days of a notice are the same in SQL', async () => {
  const countries = ['GB', 'US', 'FR', '']
  const terms = [1, 3, 6, 12] as const
  const contracts = ['2026-01-31', '2026-03-05', null]
  const cycles = ['2026-03-05', '2026-07-31', '2026-09-05', '2027-01-31', '2028-02-29']
  const flags = [true, false]
  const prices = ['same', 'higher', 'lower'] as const
  const charges: UpcomingCharge[] = countries.flatMap((country) =>
    terms.flatMap((termMonths) =>
      contracts.flatMap((contractOn) =>
        cycles.flatMap((cycleOn) =>
          flags.flatMap((isDebit) =>
            prices.map((price) => ({ country, termMonths, contractOn, cycleOn, isDebit, price })),
          ),
        ),
      ),
    ),
  )
  const { db } = services
  const day = (value: string | null) => (value === null ? 'CAST(NULL AS DATE)' : asDate(`'${value}'`))
  const asDate = (value: string) => (db.dialect === 'postgres' ? `CAST(${value} AS DATE)` : value)
  const queries = charges.map((charge) => {
    const sql = {
      country: `'${charge.country}'`,
      termMonths: String(charge.termMonths),
      isDebit: charge.isDebit ? '1 = 1' : '1 = 0',
      price: `'${charge.price}'`,
      contractOn: day(charge.contractOn),
      cycleOn: day(charge.cycleOn),
    }
    return `SELECT ${noticeSql(db, sql, 'usual')} AS usual, ${noticeSql(db, sql, 'min')} AS "min"`
  })
  for (const [index, sql] of queries.entries()) {
    const [row] = await db.query(sql)
    const charge = charges[index] as UpcomingCharge
    expect(row, JSON.stringify(charge)).toEqual(noticeOf(charge) ?? { usual: -1, min: -1 })
  }
})
