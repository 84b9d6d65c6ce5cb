import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { changeCard, PaymentAgreements } from '#core/agreements/payment-agreements.rows.ts'
import { chargeAgainOn } from '#core/agreements/renewals.rows.ts'
import { dayOf } from '#core/kernel/calendar.ts'
import { getOrder } from '#core/orders/get-order.query.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { demoCards } from '#core/payment-methods/demo-cards.rules.ts'
import { failedRenewals } from '#core/renewals/failed-renewals.query.ts'
import { mailCardLink } from '#core/renewals/mail-card-link.ts'
import { readerRenewal } from '#core/renewals/reader-renewal.query.ts'
import { getRenewalSettings, resetRenewalSettings, setRenewalSettings } from '#core/renewals/renewal-settings.ts'
import { exportRenewalYield, renewalYield } from '#core/renewals/renewal-yield.query.ts'
import { stopRenewal } from '#core/renewals/stop-renewal.ts'
import { upcomingRenewals } from '#core/renewals/upcoming-renewals.query.ts'
import { announceRenewals } from '#tests/support/announce-renewals.ts'
import { mailSender, queuedEmails } from '#tests/support/emails.ts'
import { actorOf } from '#tests/support/factories.ts'
import { makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { textOf } from '#tests/support/text-of.ts'
import { chargeDueRenewals } from './charge-renewals.ts'
import { lapseRenewals } from './lapse-renewals.ts'
import { retryRenewal } from './retry-renewal.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

const system = () => services.as({ kind: 'system' })

/** A title whose readers each have a year of print that renews, bought on 22/11/2026 with these cards; and its staff. */
async function makeTitle(...cards: string[]) {
  services.clock.set('2026-11-22T10:00:00Z')
  const shop = await makeShop(services)
  for (const cardNumber of cards) {
    const form = orderForm(shop, { plan: '1PR25.00', payment: { details: { cardNumber } } })
    expect(await placeOrder(services.as(visitor), form)).toMatchObject({ state: 'paid' })
  }
  return { shop, staff: await actorOf(services, 'pubadmin', shop.publisherId) }
}

async function runDay(day: string, { id }: { id: number }) {
  // Its notice is sent in time.
  services.clock.set('2027-10-23T05:00:00Z')
  await announceRenewals(system(), '2027-10-23')
  services.clock.set(`${day}T05:00:00Z`)
  await announceRenewals(system(), day)
  await chargeDueRenewals(system(), day, { publicationId: id })
  await lapseRenewals(system(), day, { publicationId: id })
}

/** The reader of a title enters another card. */
const enterCard = ({ id: publicationId }: { id: number }, card: string) =>
  services.db.transaction(async () => {
    const ctx = system()
    const agreement = await PaymentAgreements.find(ctx, { publicationId, state: 'active' })
    if (!agreement) throw new Error('No agreement is active')
    await changeCard(ctx, agreement.id, { method: `demo_card_${card}`, lastFour: card.slice(-4), expiresOn: null })
    await chargeAgainOn(ctx, agreement.id, dayOf(ctx.now(), ctx.settings.timeZone))
  })

const onlyFailed = async (staff: Parameters<TestServices['as']>[0]) => {
  const [row, ...more] = (await failedRenewals(services.as(staff), {})).rows
  expect(more).toEqual([])
  if (!row) throw new Error('Nothing has failed')
  return row
}

describe('coming renewals', () => {
  it('are those of the next 60 days, with their totals, and of the user’s own publisher only', async () => {
    const { shop, staff } = await makeTitle(demoCards.paid, demoCards.paid)
    const otherTitle = await makeTitle(demoCards.paid)
    services.clock.set('2027-09-22T10:00:00Z')
    expect(await upcomingRenewals(services.as(staff), {})).toMatchObject({ total: 0, sums: [], until: '2027-11-21' })
    services.clock.set('2027-10-22T10:00:00Z')
    const upcoming = await upcomingRenewals(services.as(staff), { page: 1, size: 10 })
    expect(upcoming).toMatchObject({
      total: 2,
      sums: [{ month: '2027-11', currency: 'GBP', renewals: 2, amount: 5000 }],
    })
    expect(upcoming.rows[0]).toMatchObject({
      name: "Ann O'Brien",
      on: '2027-11-22',
      money: { amount: 2500, currency: 'GBP' },
      state: 'agreed',
    })
    await announceRenewals(system(), '2027-10-23')
    expect((await upcomingRenewals(services.as(staff), {})).rows).toMatchObject([
      { state: 'planned' },
      { state: 'planned' },
    ])
    expect(await upcomingRenewals(services.as(staff), { publicationId: otherTitle.shop.id })).toMatchObject({
      total: 0,
    })
    expect(await upcomingRenewals(services.as(staff), { publicationId: shop.id })).toMatchObject({ total: 2 })
  })

  it('are in the order and the month of their charge, even when a late notice has postponed it', async () => {
    const { shop, staff } = await makeTitle(demoCards.paid, demoCards.paid)
    services.clock.set('2027-10-23T05:00:00Z')
    await announceRenewals(system(), '2027-10-23')
    const [first, second] = (await rowsOf(services, 'payment_agreements', shop.id)).map(({ id }) => Number(id))
    const postpone = (on: string) =>
      services.db.run(`UPDATE renewals SET charge_on = :on, next_try_on = :on WHERE agreement_id = :id`, {
        on,
        id: first ?? 0,
      })
    await postpone('2027-12-04')
    const sum = { currency: 'GBP', renewals: 1, amount: 2500 }
    const upcoming = await upcomingRenewals(services.as(staff), {})
    expect(upcoming).toMatchObject({
      total: 2,
      sums: [
        { month: '2027-11', ...sum },
        { month: '2027-12', ...sum },
      ],
    })
    expect(upcoming.rows.map(({ agreementId, on }) => [agreementId, on])).toEqual([
      [second, '2027-11-22'],
      [first, '2027-12-04'],
    ])
    await postpone('2028-01-15')
    const afterPostponing = await upcomingRenewals(services.as(staff), {})
    expect(afterPostponing).toMatchObject({ total: 1, sums: [{ month: '2027-11', ...sum }] })
    expect(afterPostponing.rows.map(({ agreementId }) => agreementId)).toEqual([second])
  })

  it('are each on exactly one page, planned or not, whichever day the page ends on', async () => {
    const { shop, staff } = await makeTitle(...Array.from({ length: 23 }, () => demoCards.paid))
    const agreed = (await rowsOf(services, 'payment_agreements', shop.id)).map((row) => Number(row.id))
    const days = agreed.map((_, index) => (index < 12 ? '2027-12-01' : index < 15 ? '2027-11-25' : '2027-11-22'))
    for (const [index, id] of agreed.entries()) {
      const values = { id, on: days[index] ?? '' }
      await services.db.run(
        `UPDATE readers SET sub_end_on = :on WHERE id = (SELECT reader_id FROM payment_agreements WHERE id = :id)`,
        values,
      )
      await services.db.run(`UPDATE payment_agreements SET renews_on = :on WHERE id = :id`, values)
    }
    services.clock.set('2027-10-24T05:00:00Z')
    await announceRenewals(system(), '2027-10-24')
    const [declined, ...rest] = [...agreed.slice(15), ...agreed.slice(12, 15), ...agreed.slice(0, 12)]
    const decline = `UPDATE renewals SET state = 'retrying' WHERE agreement_id = :id`
    expect(await services.db.run(decline, { id: declined ?? 0 })).toBe(1)
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => upcomingRenewals(services.as(staff), { page, size: 10 })),
    )
    expect(pages.flatMap(({ rows }) => rows.map(({ agreementId }) => agreementId))).toEqual(rest)
    expect(pages[0]?.rows.map(({ state }) => state)).toContain('planned')
    expect(pages[2]).toMatchObject({
      rows: [{ state: 'agreed', on: '2027-12-01' }, { state: 'agreed' }],
      total: 22,
      pages: 3,
      sums: [
        { month: '2027-11', renewals: 10, amount: 25_000 },
        { month: '2027-12', renewals: 12, amount: 30_000 },
      ],
    })
  })
})

describe('a failed renewal', () => {
  it('shows why and what comes next, is charged by staff with a new card, and counts as paid', async () => {
    const { shop, staff } = await makeTitle(demoCards.declinedLater)
    const stranger = await makeTitle(demoCards.paid)
    await runDay('2027-11-22', shop)
    const failed = await onlyFailed(staff)
    expect(failed).toMatchObject({
      state: 'retrying',
      reason: 'Not enough money in the account',
      nextTryOn: '2027-11-23',
      graceUntil: '2027-12-13',
      attempts: 1,
    })
    expect(await failedRenewals(services.as(stranger.staff), {})).toMatchObject({ total: 0, rows: [] })
    expect(await upcomingRenewals(services.as(staff), {})).toMatchObject({ total: 0 })
    await expect(retryRenewal(services.as(stranger.staff), { id: failed.id })).rejects.toMatchObject({
      kind: 'notFound',
    })
    await expect(retryRenewal(services.as(visitor), { id: failed.id })).rejects.toMatchObject({
      kind: 'unauthenticated',
    })
    expect(await retryRenewal(services.as(staff), { id: failed.id })).toMatchObject({
      state: 'retrying',
      reason: 'Not enough money in the account',
      nextTryOn: '2027-11-23',
    })
    await enterCard(shop, demoCards.paid)
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
    const text = await textOf(chunks)
    expect(text).toContain('2027-11,GBP,0,0.00,1,25.00,0,0.00,0,0.00,100')
    expect(await renewalYield(services.as(stranger.staff), { publicationId: shop.id })).toEqual([])
  })

  it('with a lost card is charged once with another card, not again with the same', async () => {
    const { shop, staff } = await makeTitle(demoCards.lostLater)
    await runDay('2027-11-22', shop)
    const { id } = await onlyFailed(staff)
    await expect(retryRenewal(services.as(staff), { id })).rejects.toMatchObject({ kind: 'conflict' })
    services.clock.set('2027-11-24T10:00:00Z')
    await enterCard(shop, demoCards.paid)
    expect(await retryRenewal(services.as(staff), { id })).toMatchObject({ state: 'paid' })
  })

  it('waiting for the reader’s bank is not charged a second time', async () => {
    const { shop, staff } = await makeTitle(demoCards.confirmedLater)
    await runDay('2027-11-22', shop)
    const { id } = await onlyFailed(staff)
    const logged = await services.db.query(`SELECT subject_type FROM audit_log WHERE action = 'renewal-to-confirm'`)
    expect(logged).toEqual([{ subject_type: 'order' }])
    await expect(retryRenewal(services.as(staff), { id })).rejects.toMatchObject({ kind: 'conflict' })
    expect(await rowsOf(services, 'orders', shop.id)).toHaveLength(2)
  })

  it('is not charged while the reader could not be notified', async () => {
    const { shop, staff } = await makeTitle(demoCards.paid)
    await services.db.run(`UPDATE buyers SET email = '' WHERE publication_id = :id`, { id: shop.id })
    await runDay('2027-11-22', shop)
    const { id, state } = await onlyFailed(staff)
    expect(state).toBe('waiting')
    await expect(retryRenewal(services.as(staff), { id })).rejects.toMatchObject({
      kind: 'conflict',
      message: 'The reader has no email address for the notice',
    })
    expect(await rowsOf(services, 'orders', shop.id)).toHaveLength(1)
  })

  it('is still shown after it lapsed', async () => {
    const { shop, staff } = await makeTitle(demoCards.lostLater)
    await runDay('2027-11-22', shop)
    await runDay('2027-12-14', shop)
    expect(await onlyFailed(staff)).toMatchObject({ state: 'lapsed' })
    expect(await renewalYield(services.as(staff), {})).toMatchObject([{ paidShare: 0, lapsed: { renewals: 1 } }])
  })
})

describe('the settings of renewals', () => {
  const defaults = { graceDays: 21, retryDays: [1, 3, 7, 14], isSet: false }

  it('set when a card is retried, even for a planned renewal, whose last day stays the same', async () => {
    const { shop, staff } = await makeTitle(demoCards.declinedLater)
    const stranger = await makeTitle(demoCards.paid)
    const publicationId = shop.id
    expect(await getRenewalSettings(services.as(staff), { publicationId })).toEqual(defaults)
    services.clock.set('2027-10-23T05:00:00Z')
    await announceRenewals(system(), '2027-10-23')
    await setRenewalSettings(services.as(staff), { publicationId, graceDays: ' 40 ', retryDays: '2 5,  30' })
    expect(await getRenewalSettings(services.as(staff), { publicationId })).toEqual({
      graceDays: 40,
      retryDays: [2, 5, 30],
      isSet: true,
    })
    await runDay('2027-11-22', shop)
    expect(await onlyFailed(staff)).toMatchObject({ nextTryOn: '2027-11-24', graceUntil: '2027-12-13' })
    await runDay('2027-11-24', shop)
    await runDay('2027-11-27', shop)
    expect(await onlyFailed(staff)).toMatchObject({ state: 'waiting', nextTryOn: null })

    // The other title kept its defaults.
    expect(await getRenewalSettings(services.as(stranger.staff), { publicationId: stranger.shop.id })).toEqual(defaults)
    await resetRenewalSettings(services.as(staff), { publicationId })
    await resetRenewalSettings(services.as(staff), { publicationId })
    expect(await getRenewalSettings(services.as(staff), { publicationId })).toEqual(defaults)
    const logged = await services.db.query(
      `SELECT 1 FROM audit_log WHERE action = 'set-renewal-settings' AND subject_id = :publicationId`,
      { publicationId },
    )
    expect(logged).toHaveLength(2)
  })

  it('apply to renewals planned after the change', async () => {
    const { shop, staff } = await makeTitle(demoCards.declinedLater)
    await setRenewalSettings(services.as(staff), { publicationId: shop.id, graceDays: '0', retryDays: '' })
    await runDay('2027-11-22', shop)
    expect(await onlyFailed(staff)).toMatchObject({ state: 'waiting', graceUntil: '2027-11-22' })
    await runDay('2027-11-23', shop)
    expect(await onlyFailed(staff)).toMatchObject({ state: 'lapsed', attempts: 1 })
  })

  it('stay within card network rules, and are hidden from other publishers', async () => {
    const { shop, staff } = await makeTitle()
    const stranger = await makeTitle()
    const publicationId = shop.id
    const set = (graceDays: string, retryDays: string, by = staff) =>
      setRenewalSettings(services.as(by), { publicationId, graceDays, retryDays })
    for (const graceDays of ['91', '-1', '', 'ten'])
      await expect(set(graceDays, '1, x')).rejects.toMatchObject({
        fields: { graceDays: 'Enter a number of days from 0 to 90', retryDays: expect.stringContaining('with commas') },
      })
    for (const [retryDays, message] of [
      ['0', 'each later than the one before'],
      ['3, 3', 'each later than the one before'],
      ['3, 2', 'each later than the one before'],
      ['1, 15', 'no day after 14'],
      ['1,2,3,4,5,6,7,8,9,10,11,12', '11 days at most'],
    ] as const)
      await expect(set('14', retryDays)).rejects.toMatchObject({
        fields: { retryDays: expect.stringContaining(message) },
      })
    await set('14', '1,2,3,4,5,6,7,8,9,10,14')
    for (const call of [
      () => set('14', '1', stranger.staff),
      () => getRenewalSettings(services.as(stranger.staff), { publicationId }),
      () => resetRenewalSettings(services.as(stranger.staff), { publicationId }),
    ])
      await expect(call()).rejects.toMatchObject({ kind: 'notFound' })
    await expect(set('14', '1', visitor as never)).rejects.toMatchObject({ kind: 'unauthenticated' })
  })
})

describe('a renewal that staff stop', () => {
  it('is no longer charged; agreement, open renewal, history and email record it once', async () => {
    const { shop, staff } = await makeTitle(demoCards.declinedLater)
    const stranger = await makeTitle(demoCards.paid)
    await runDay('2027-11-22', shop)
    const { agreementId } = await onlyFailed(staff)
    await expect(stopRenewal(services.as(stranger.staff), { agreementId })).rejects.toMatchObject({ kind: 'notFound' })
    expect(await stopRenewal(services.as(staff), { agreementId })).toEqual({ wasOn: true })
    expect(await stopRenewal(services.as(staff), { agreementId })).toEqual({ wasOn: false })
    expect(await rowsOf(services, 'payment_agreements', shop.id)).toMatchObject([
      { state: 'ended', end_reason: 'staff' },
    ])
    expect(await rowsOf(services, 'renewals', shop.id)).toMatchObject([
      { state: 'cancelled', reason: 'Staff turned the automatic renewal off' },
    ])
    expect((await rowsOf(services, 'reader_events', shop.id)).at(-1)).toMatchObject({ kind: 'renewal-off' })
    await runDay('2027-11-23', shop)
    expect(await rowsOf(services, 'orders', shop.id)).toHaveLength(2)
    expect(await queuedEmails(services, 'buyer-notice')).toHaveLength(1)
  })
})

describe('the renewal on a reader’s page', () => {
  const readerOf = async ({ id }: { id: number }) => Number((await rowsOf(services, 'readers', id))[0]?.id)

  it('shows the agreement, then the decline, then that it is off, with past cycles; to its own publisher only', async () => {
    const { shop, staff } = await makeTitle(demoCards.declinedLater)
    const stranger = await makeTitle(demoCards.paid)
    const readerId = await readerOf(shop)
    const shownRenewal = () => readerRenewal(services.as(staff), { readerId })
    expect(await shownRenewal()).toMatchObject({
      isOn: true,
      money: { amount: 2500, currency: 'GBP' },
      chargeOn: '2027-11-22',
      agreedOn: '2026-11-22',
      canChangeCard: true,
      ended: null,
      open: null,
      past: [],
    })
    await runDay('2027-11-22', shop)
    const declined = await shownRenewal()
    expect(declined).toMatchObject({
      chargeOn: '2027-11-23',
      open: { state: 'retrying', reason: 'Not enough money in the account', attempts: 1, noticedOn: '2027-10-23' },
      past: [],
    })
    expect(declined?.open?.order?.orderNumber).toMatch(/^OD-/)
    await stopRenewal(services.as(staff), { agreementId: declined?.agreementId })
    expect(await shownRenewal()).toMatchObject({
      isOn: false,
      chargeOn: null,
      ended: { on: '2027-11-22', why: 'Staff turned the automatic renewal off' },
      open: null,
      past: [{ state: 'cancelled', cycleOn: '2027-11-22', reason: 'Staff turned the automatic renewal off' }],
    })
    expect(await readerRenewal(services.as(stranger.staff), { readerId })).toBeNull()
    const admin = await actorOf(services, 'admin', shop.publisherId)
    await expect(readerRenewal(services.as(admin), { readerId })).rejects.toMatchObject({ kind: 'denied' })
  })

  it('has a button that emails the link for another card, of the account or of the declined renewal, three times a day', async () => {
    const { shop, staff } = await makeTitle(demoCards.lostLater)
    const stranger = await makeTitle(demoCards.paid)
    const { agreementId = 0 } = (await readerRenewal(services.as(staff), { readerId: await readerOf(shop) })) ?? {}
    const mailLink = (key: string, sender = staff) => mailCardLink(services.as(sender), { agreementId, key })
    const lastText = async () => (await services.mail.devMailbox?.list(1))?.[0]?.text ?? ''
    const send = mailSender('card-link')

    const { to } = await mailLink('first-press')
    expect(await queuedEmails(services, 'card-link')).toMatchObject([{ about: { agreementId, key: 'first-press' } }])
    expect(await send(system(), { agreementId, key: 'first-press' })).toBe(true)
    expect(await send(system(), { agreementId, key: 'first-press' })).toBe(false)
    expect(await lastText()).toContain(`/account\n`)
    expect(await lastText()).toContain('The next charge is on 22/11/2027.')

    await runDay('2027-11-22', shop)
    expect(await mailLink('second-press')).toEqual({ to })
    expect(await send(system(), { agreementId, key: 'second-press' })).toBe(true)
    expect(await lastText()).toMatch(/Pay or change the card: \S+\/renew\/\S+/)
    const [, attempt] = await rowsOf(services, 'orders', shop.id)
    expect((await rowsOf(services, 'emails', shop.id)).at(-1)).toMatchObject({ to_address: to, order_id: attempt?.id })

    await mailLink('third-press')
    await mailLink('fourth-press')
    await expect(mailLink('one-too-many')).rejects.toMatchObject({ kind: 'tooMany' })
    await expect(mailLink('not-theirs-at-all', stranger.staff)).rejects.toMatchObject({ kind: 'notFound' })
    const logged = await services.db.query(`SELECT id FROM audit_log WHERE action = 'mail-card-link'`)
    expect(logged).toHaveLength(4)
    await stopRenewal(services.as(staff), { agreementId })
    expect(await send(system(), { agreementId, key: 'fourth-press' })).toBe(false)
    await expect(mailLink('after-the-end')).rejects.toMatchObject({ kind: 'conflict' })
  })
})

it('the email with a link for another card names no past day for the next attempt', async () => {
  const { shop, staff } = await makeTitle(demoCards.declinedLater)
  await runDay('2027-11-22', shop)
  const agreementId = Number((await rowsOf(services, 'payment_agreements', shop.id))[0]?.id)
  const textOf = async (key: string) => {
    await mailCardLink(services.as(staff), { agreementId, key })
    await mailSender('card-link')(system(), { agreementId, key })
    return (await services.mail.devMailbox?.list(1))?.[0]?.text ?? ''
  }
  expect(await textOf('before-the-try')).toContain('We will try again on 23/11/2027.')
  services.clock.set('2027-11-25T09:00:00Z')
  expect(await textOf('after-its-day')).toContain('We will try again on 25/11/2027.')
})

it('the orders of a renewal link to each other and list its steps in order', async () => {
  const { shop, staff } = await makeTitle(demoCards.declinedLater)
  await runDay('2027-11-22', shop)
  const { id: renewalId } = await onlyFailed(staff)
  await mailSender('renewal-failed')(system(), { renewalId, kind: 'first' })
  services.clock.set('2027-11-22T09:00:00Z')
  await retryRenewal(services.as(staff), { id: renewalId })
  services.clock.set('2027-11-22T10:00:00Z')
  await enterCard(shop, demoCards.paid)
  services.clock.set('2027-11-23T05:00:00Z')
  await chargeDueRenewals(system(), '2027-11-23', { publicationId: shop.id })

  const [firstOrder, declined, declinedAgain, paid] = (await rowsOf(services, 'orders', shop.id)).map(({ id }) =>
    Number(id),
  )
  const shownOrder = (id: number | undefined) => getOrder(services.as(staff), { id })
  const steps = async (id: number | undefined) =>
    (await shownOrder(id)).timeline.map(({ what, detail, order }) =>
      [what, detail, order?.id].filter(Boolean).join(' | '),
    )
  const reason = 'Not enough money in the account'
  expect(await steps(paid)).toEqual([
    'Renewal planned | For the term after 22/11/2027, to be charged on 22/11/2027',
    `Attempt 1 to charge the renewal | ${declined}`,
    `Attempt 1 declined | ${reason}`,
    expect.stringMatching(/^Unpaid renewal notice sent \| to \S+$/),
    expect.stringMatching(/^Retried manually \| Ada Tester/),
    `Attempt 2 to charge the renewal | ${declinedAgain}`,
    `Attempt 2 declined | ${reason}`,
    'Attempt 3 to charge the renewal',
    'Paid | £25.00, Demo card',
  ])
  expect(await steps(firstOrder)).toContain(`Renewed | After 22/11/2027 | ${paid}`)
  const { renewal } = await shownOrder(declined)
  expect(renewal).toMatchObject({
    isOn: true,
    chargeOn: '2028-11-22',
    first: { id: firstOrder },
    cycles: [{ state: 'paid', order: { id: paid } }],
  })
  await stopRenewal(services.as(staff), { agreementId: (await rowsOf(services, 'payment_agreements', shop.id))[0]?.id })
  expect((await steps(firstOrder)).at(-1)).toBe('Automatic renewal ended | Staff turned the automatic renewal off')
  expect((await shownOrder(firstOrder)).renewal).toMatchObject({ isOn: false, chargeOn: null })
  // An order that renews nothing does not mention it.
  await placeOrder(services.as(visitor), orderForm(shop))
  expect((await shownOrder(Number((await rowsOf(services, 'orders', shop.id)).at(-1)?.id))).renewal).toBeNull()
})
