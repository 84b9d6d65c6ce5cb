import { beforeAll, describe, expect, it } from 'vitest'
import { AddressMarks } from '#core/bounces/address-marks.rows.ts'
import { sendMail } from '#core/emails/send-mail.ts'
import { setReminders } from '#core/readers/set-reminders.ts'
import { queuedEmails } from '#tests/support/emails.ts'
import { actorOf, makeBuyer, operator, system } from '#tests/support/factories.ts'
import { makeSeriesShop, paidOrder } from '#tests/support/series.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { runWorker } from '#tests/support/worker.ts'
import {
  getBlanketOffer,
  listBlanketOffers,
  previewBlanketOffer,
  previewOfferedReaders,
  removeBlanketOffer,
  saveBlanketOffer,
} from './blanket-offers.ts'
import { effortOfReader } from './effort-of-reader.query.ts'
import { recordRenewedAfter } from './reader-efforts.rows.ts'
import { sendBlanketOffer, stopBlanketOffer } from './send-blanket-offer.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

type Shop = Awaited<ReturnType<typeof makeSeriesShop>>

const today = '2027-06-15'
const asOperator = () => services.as(operator)

/** A shop on that day; `bought` makes a reader who bought there. */
async function shopToday() {
  services.clock.now = new Date(`${today}T12:00:00Z`)
  const shop = await makeSeriesShop(services)
  const bought = async (subEndOn: string, fields: Parameters<Shop['reader']>[1] = {}, on = '2025-01-01') => {
    const readerId = await shop.reader(subEndOn, fields)
    await paidOrder(services, { ...shop, publicationId: shop.id, readerId }, { on })
    return readerId
  }
  return { ...shop, bought }
}

const winBack = (shop: Shop, more: Record<string, unknown> = {}) => ({
  publicationId: shop.id,
  id: null,
  name: 'Summer',
  status: 'ended',
  validUntil: '15/07/2027',
  offerPercent: '20',
  ...more,
})

const saveDraft = async (shop: Shop, more: Record<string, unknown> = {}) =>
  (await saveBlanketOffer(asOperator(), winBack(shop, more))).id

/** Sends what is queued for the readers of a shop, as the worker does; returns the addresses. */
async function sendQueued({ id }: Shop): Promise<string[]> {
  const effortRows = await services.db.query<{ id: number }>(
    `SELECT id FROM reader_efforts WHERE publication_id = :id`,
    { id },
  )
  const ids = new Set(effortRows.map((row) => row.id))
  for (const { mail, about } of await queuedEmails(services))
    if (ids.has(about.effortId as number)) await sendMail(services.as(system), { mail, about })
  const emails = await services.db.query<{ to: string }>(
    `SELECT to_address AS "to" FROM emails WHERE publication_id = :id AND template = 'renewal-offer' AND state = 'sent' ORDER BY id`,
    { id },
  )
  return emails.map(({ to }) => to)
}

const emailOf = async (readerId: number) =>
  (await services.db.query<{ email: string }>(`SELECT email FROM readers WHERE id = :readerId`, { readerId }))[0]?.email

describe('the readers of an offer', () => {
  it('are chosen by status, end, product and country', async () => {
    const shop = await shopToday()
    await shop.bought('2027-03-31')
    await shop.bought('2027-04-30', { subType: 'digital' })
    await shop.bought('2026-01-31', { country: 'DE' })
    await shop.bought('2027-12-31', { country: '' })
    const readers = async (more: Record<string, unknown>) =>
      (await previewBlanketOffer(asOperator(), winBack(shop, more))).readers
    expect(await readers({ status: 'any' })).toBe(4)
    expect(await readers({ status: 'ended' })).toBe(3)
    expect(await readers({ status: 'running' })).toBe(1)
    expect(await readers({ endsFrom: '01/02/2026', endsUntil: '31/03/2027' })).toBe(1)
    expect(await readers({ product: 'digital' })).toBe(1)
    expect(await readers({ country: 'de' })).toBe(1)
    // Readers without a country count as living in the publisher's.
    expect(await readers({ status: 'any', country: 'GB' })).toBe(3)
  })

  it('are left out with the reason: marketing rules, or a renewal since', async () => {
    const shop = await shopToday()
    const ended = '2027-03-31'
    await shop.bought(ended)
    await shop.bought(ended, { pubOffers: true })
    const stopped = await shop.bought(ended)
    await setReminders(asOperator(), { id: stopped, isStopped: true })
    const bounced = await shop.bought(ended)
    await AddressMarks.insert(services, {
      publisherId: shop.publisherId,
      addressKey: String(await emailOf(bounced)),
      bouncedAt: services.clock.now,
    })
    await shop.bought(ended, { email: '' })
    await shop.bought(ended, { isDeleted: true })
    await shop.reader(ended)
    await shop.bought('2022-06-14')
    await shop.bought('2022-06-15')
    // Bought again under another record, which began after the end or has run in parallel for years.
    await shop.bought(ended, { email: 'again@example.test' })
    await shop.bought('2028-04-30', { email: 'again@example.test', subStartOn: '2027-05-01' }, '2027-05-01')
    await shop.bought('2024-03-31', { email: 'reads@example.test' })
    await shop.bought('2028-01-31', { email: 'reads@example.test', subStartOn: '2020-01-01' })
    const { readers, excluded } = await previewBlanketOffer(asOperator(), winBack(shop))
    expect(Object.fromEntries(excluded.map((group) => [group.reason, group.readers]))).toEqual({
      inactive: 1,
      stopped: 1,
      refuses: 1,
      'never-bought': 1,
      'no-email': 1,
      bounced: 1,
      'long-ago': 1,
      bought: 2,
    })
    expect(readers).toBe(2)
    const id = await saveDraft(shop)
    const list = await previewOfferedReaders(asOperator(), { id, size: 10 })
    expect(list).toMatchObject({
      total: 11,
      rows: [{ exclusion: null }, { exclusion: null }, {}, {}, {}, {}, {}, {}, {}, {}],
    })
    expect(list.rows[2]?.exclusion).not.toBeNull()
  })

  it('get no second offer within a month, from a list or the series, whichever record it is for', async () => {
    const shop = await shopToday()
    const email = 'ann@example.test'
    const reader = await shop.bought('2027-03-31', { email })
    await sendBlanketOffer(asOperator(), { id: await saveDraft(shop), isWaiting: true })
    expect(await shop.effortsOf(reader)).toEqual(['76 due'])
    await shop.bought('2026-03-31', { email, subType: 'digital' })
    const reasons = async (on: string) => {
      services.clock.now = new Date(`${on}T12:00:00Z`)
      const { readers, excluded } = await previewBlanketOffer(asOperator(), winBack(shop, { validUntil: '31/08/2027' }))
      return [readers, ...excluded.map(({ reason }) => reason)]
    }
    expect(await reasons('2027-06-16')).toEqual([0, 'lately'])
    expect(await reasons('2027-07-15')).toEqual([0, 'offered'])
    expect(await reasons('2027-07-16')).toEqual([2])
  })
})

describe('a person who gives one subscription and reads another', () => {
  // Only the given record has an account: the other one was bought on paper.
  async function makeGiver() {
    const shop = await shopToday()
    const { id: buyerId, email } = await makeBuyer(services, shop.id)
    const given = () => shop.bought('2027-03-31', { email: '', buyerId })
    const read = () => shop.bought('2027-04-30', { email: email.toUpperCase() })
    const send = async () => sendBlanketOffer(asOperator(), { id: await saveDraft(shop), isWaiting: true })
    const left = async () => (await previewBlanketOffer(asOperator(), winBack(shop))).excluded
    return { shop, email, given, read, send, left }
  }

  it.each(['given', 'read'] as const)('gets no second offer in the month after one for what is %s', async (first) => {
    const { shop, email, send, left, ...bought } = await makeGiver()
    await bought[first]()
    await send()
    await bought[first === 'given' ? 'read' : 'given']()
    services.clock.now = new Date('2027-06-16T12:00:00Z')
    expect((await left()).map(({ reason, readers }) => [reason, readers])).toEqual([['lately', 2]])
    services.clock.now = new Date('2027-07-10T12:00:00Z')
    expect((await left()).map(({ reason, readers }) => [reason, readers])).toEqual([['offered', 2]])
    expect((await sendQueued(shop)).map((to) => to.toLowerCase())).toEqual([email])
  })

  it('gets one email for both, even if they are in different chunks', async () => {
    const { shop, email, given, read, send } = await makeGiver()
    const readers = [await given()]
    // Enough readers in between that the next one is in another chunk.
    for (let n = 0; n < 500; n++) await shop.reader('2027-04-30')
    readers.push(await read())
    await send()
    for (const reader of readers) expect(await shop.effortsOf(reader)).toHaveLength(1)
    expect((await sendQueued(shop)).map((to) => to.toLowerCase())).toEqual([email])
  })
})

describe('an offer that is sent', () => {
  it('is the one that was shown: a draft that somebody has changed since goes to nobody', async () => {
    const shop = await shopToday()
    await shop.bought('2027-03-31', { firstName: 'Ann' })
    const id = await saveDraft(shop)
    const shown = await getBlanketOffer(asOperator(), { id })
    services.clock.advance({ minutes: 1 })
    await saveBlanketOffer(asOperator(), winBack(shop, { id, offerPercent: '90' }))
    await expect(sendBlanketOffer(asOperator(), { id, version: shown.version })).rejects.toMatchObject({
      kind: 'conflict',
      message: 'Somebody has changed this offer since it was shown',
    })
    const current = await getBlanketOffer(asOperator(), { id })
    expect(current.offer.state).toBe('draft')
    await sendBlanketOffer(asOperator(), { id, version: current.version })
    expect((await getBlanketOffer(asOperator(), { id })).offer.state).toBe('sending')
  })

  it('goes once to each reader with its text, price, code and last day, and its results are counted', async () => {
    const shop = await shopToday()
    const reader = await shop.bought('2027-03-31', { firstName: 'Ann' })
    const product = 'print'
    const months = 12
    const id = await saveDraft(shop, { subject: 'Come back, {{first name}}', body: 'Good until {{valid until}}.' })
    expect(await getBlanketOffer(asOperator(), { id })).toMatchObject({
      offer: { state: 'draft', sentOn: null },
      reach: { isAccountOn: true, readers: 1, excluded: [] },
    })
    await sendBlanketOffer(asOperator(), { id })
    await expect(sendBlanketOffer(asOperator(), { id })).rejects.toMatchObject({ kind: 'conflict' })
    await expect(saveBlanketOffer(asOperator(), { ...winBack(shop), id })).rejects.toMatchObject({ kind: 'conflict' })
    await expect(removeBlanketOffer(asOperator(), { id })).rejects.toMatchObject({ kind: 'conflict' })
    await runWorker(services)
    expect(await sendQueued(shop)).toEqual([await emailOf(reader)])
    const [mail] = await services.db.query<{ subject: string }>(
      `SELECT subject FROM emails WHERE publication_id = :id`,
      { id: shop.id },
    )
    expect(mail?.subject).toBe('Come back, Ann')
    const [effort] = await services.db.query<{ id: number }>(
      `SELECT id FROM reader_efforts WHERE reader_id = :reader`,
      { reader },
    )
    const effortId = Number(effort?.id)
    expect(await effortOfReader(services, effortId)).toMatchObject({
      kind: 'offer',
      product,
      termMonths: months,
      validUntil: '2027-07-15',
      status: 'open',
      promo: { discountPercent: 20, code: expect.stringMatching(/^R-[A-Z2-9]{12}$/) },
    })
    await expect(sendBlanketOffer(asOperator(), { id })).rejects.toMatchObject({ message: /has already been sent/ })

    const orderId = await paidOrder(
      services,
      { ...shop, publicationId: shop.id, readerId: reader },
      { on: '2027-06-20' },
    )
    await recordRenewedAfter(asOperator(), { readerId: reader, orderId, effortId: null, on: '2027-06-20' })
    expect(await listBlanketOffers(asOperator(), { publicationId: shop.id })).toMatchObject([
      {
        id,
        state: 'sent',
        sentOn: today,
        problem: null,
        results: { planned: 1, sent: 1, renewed: 1, money: [{ currency: 'GBP', amount: 2999 }] },
      },
    ])
  })

  it('goes once to a person with several records, and counts for each of them', async () => {
    const shop = await shopToday()
    const readers = [
      await shop.bought('2027-03-31', { email: 'ann@example.test' }),
      await shop.bought('2027-04-30', { email: 'Ann@example.test', subType: 'digital' }),
    ]
    await sendBlanketOffer(asOperator(), { id: await saveDraft(shop), isWaiting: true })
    expect(await sendQueued(shop)).toEqual(['ann@example.test'])
    for (const reader of readers) expect(await shop.effortsOf(reader)).toHaveLength(1)
  })

  it('is not sent to readers who buy, stop or opt out between plan and email, nor after its last day', async () => {
    const shop = await shopToday()
    const buys = await shop.bought('2027-03-31')
    const stops = await shop.bought('2027-03-31')
    const refuses = await shop.bought('2027-03-31')
    const late = await shop.bought('2027-03-31')
    await sendBlanketOffer(asOperator(), { id: await saveDraft(shop), isWaiting: true })
    await paidOrder(services, { ...shop, publicationId: shop.id, readerId: buys }, { on: today })
    await setReminders(asOperator(), { id: stops, isStopped: true })
    await services.db.run(`UPDATE readers SET pub_offers = :yes WHERE id = :refuses`, { yes: true, refuses })
    services.clock.now = new Date('2027-07-16T12:00:00Z')
    expect(await sendQueued(shop)).toEqual([])
    services.clock.now = new Date('2027-07-15T12:00:00Z')
    expect(await shop.effortsOf(late)).toEqual(['76 due'])
    expect(await sendQueued(shop)).toEqual([await emailOf(late)])
  })

  it('keeps the minimum interval after an email of the series, and is sent even while the title’s series is off', async () => {
    const shop = await shopToday()
    const reminded = await shop.bought('2027-07-15')
    await shop.plan(today)
    expect(await shop.effortsOf(reminded)).toEqual(['-30 due'])
    const offer = { status: 'running', endsUntil: '31/07/2027' }
    const { readers, excluded } = await previewBlanketOffer(asOperator(), winBack(shop, offer))
    expect([readers, excluded.map(({ reason }) => reason)]).toEqual([0, ['lately']])
    await services.db.run(`UPDATE renewal_series SET is_on = :no WHERE publication_id = :id`, {
      no: false,
      id: shop.id,
    })
    const laterReader = await shop.bought('2027-07-20')
    await sendBlanketOffer(asOperator(), { id: await saveDraft(shop, offer), isWaiting: true })
    expect(await sendQueued(shop)).toEqual([await emailOf(laterReader)])
  })

  it('is stopped: unsent emails wait until sending is resumed', async () => {
    const shop = await shopToday()
    const reader = await shop.bought('2027-03-31')
    const id = await saveDraft(shop)
    await sendBlanketOffer(asOperator(), { id })
    expect(await stopBlanketOffer(asOperator(), { id })).toEqual({ isStopped: true })
    await runWorker(services)
    expect(await shop.effortsOf(reader)).toEqual([])
    expect((await getBlanketOffer(asOperator(), { id })).offer.state).toBe('stopped')
    await sendBlanketOffer(asOperator(), { id })
    await runWorker(services)
    expect(await shop.effortsOf(reader)).toEqual(['76 due'])
    expect((await getBlanketOffer(asOperator(), { id })).offer.state).toBe('sent')
  })

  it('is refused while the account sends no renewal emails, and when its last day is over', async () => {
    const shop = await shopToday()
    const id = await saveDraft(shop)
    const setAccountOn = (isOn: boolean) =>
      services.db.run(`UPDATE accounts SET automated_renewal_emails = :isOn WHERE user_id = :publisherId`, {
        isOn,
        publisherId: shop.publisherId,
      })
    await setAccountOn(false)
    expect((await getBlanketOffer(asOperator(), { id })).reach).toMatchObject({ isAccountOn: false })
    await expect(sendBlanketOffer(asOperator(), { id })).rejects.toMatchObject({ kind: 'conflict' })
    await setAccountOn(true)
    services.clock.now = new Date('2027-07-16T12:00:00Z')
    await expect(sendBlanketOffer(asOperator(), { id })).rejects.toMatchObject({
      message: 'The last day of this offer has passed',
    })
  })
})

describe('the draft of an offer', () => {
  it.each([
    ['fields', { name: '', validUntil: '' }, { name: 'Required', validUntil: 'Required' }],
    [
      'days, offer and placeholders',
      {
        endsFrom: '02/01/2027',
        endsUntil: '01/01/2027',
        validUntil: '14/06/2027',
        offerPercent: '120',
        body: 'Dear {{nmae}}',
      },
      {
        endsUntil: 'Must not be before the first day',
        validUntil: 'Must not be in the past',
        offerPercent: 'Enter a discount from 1 to 100 per cent',
        body: expect.stringContaining('"{{nmae}}" is not a placeholder'),
      },
    ],
    [
      'a price of zero',
      { offerPercent: '', offerProduct: 'print', offerTermMonths: '12', offerPrices: { GBP: '29', EUR: '0' } },
      { 'offerPrices.EUR': 'Enter a price above zero for at least one currency' },
    ],
    [
      'a price without a term',
      { offerPercent: '', offerProduct: 'print', offerTermMonths: '', offerPrices: { GBP: '29' } },
      { offerTermMonths: 'Choose the plan that the price is for' },
    ],
    ['a last day too far', { validUntil: '15/08/2029' }, { validUntil: 'Enter a date no later than 15/06/2028' }],
  ])('is refused with an error at its field: %s', async (_, wrong, fields) => {
    const shop = await shopToday()
    await expect(saveBlanketOffer(asOperator(), winBack(shop, wrong))).rejects.toMatchObject({
      kind: 'invalid',
      fields,
    })
    expect(await listBlanketOffers(asOperator(), { publicationId: shop.id })).toEqual([])
  })

  it('warns of regions where its plan is not sold', async () => {
    const shop = await shopToday()
    const unsoldIn = async (fields: Record<string, unknown>) => {
      const draft = winBack(shop, { offerPercent: '', ...fields })
      const { reach } = await getBlanketOffer(asOperator(), { id: (await saveBlanketOffer(asOperator(), draft)).id })
      expect((await previewBlanketOffer(asOperator(), draft)).unsoldIn).toEqual(reach?.unsoldIn)
      return reach?.unsoldIn
    }
    expect(await unsoldIn({})).toEqual([])
    expect(await unsoldIn({ offerProduct: 'print', offerTermMonths: '12' })).toEqual([])
    expect(await unsoldIn({ offerProduct: 'bundle' })).toEqual(['US', 'EU'])
    expect(await unsoldIn({ offerProduct: 'bundle', offerTermMonths: '3' })).toEqual(['UK', 'US', 'EU'])
    expect(await unsoldIn({ offerProduct: 'bundle', country: 'GB' })).toEqual([])
    expect(await unsoldIn({ offerProduct: 'bundle', offerTermMonths: '12', offerPrices: { EUR: '39' } })).toEqual([
      'US',
    ])
  })

  it('belongs to the publisher of the title to which it is moved', async () => {
    const fromShop = await shopToday()
    const toShop = await shopToday()
    const id = await saveDraft(fromShop)
    await saveBlanketOffer(asOperator(), { ...winBack(toShop), id })
    const reader = await toShop.bought('2027-03-31')
    await sendBlanketOffer(asOperator(), { id, isWaiting: true })
    const [owners] = await services.db.query<{ offer: number; effort: number }>(
      `SELECT o.publisher_id AS offer, e.publisher_id AS effort FROM blanket_offers o
       JOIN reader_efforts e ON e.blanket_id = o.id WHERE o.id = :id AND e.reader_id = :reader`,
      { id, reader },
    )
    expect([Number(owners?.offer), Number(owners?.effort)]).toEqual([toShop.publisherId, toShop.publisherId])
  })

  it('is changed and deleted, only by its own publisher, and logged', async () => {
    const shop = await shopToday()
    const id = await saveDraft(shop)
    await saveBlanketOffer(asOperator(), { ...winBack(shop, { name: 'Autumn', offerPercent: '' }), id })
    const stranger = services.as(await actorOf(services, 'publisher'))
    const admin = services.as(await actorOf(services, 'admin', shop.publisherId))
    for (const call of [
      () => getBlanketOffer(stranger, { id }),
      () => saveBlanketOffer(stranger, { ...winBack(shop), id }),
      () => sendBlanketOffer(stranger, { id }),
      () => removeBlanketOffer(stranger, { id }),
      () => previewOfferedReaders(stranger, { id }),
      () => listBlanketOffers(stranger, { publicationId: shop.id }),
    ])
      await expect(call()).rejects.toMatchObject({ kind: 'notFound' })
    await expect(sendBlanketOffer(admin, { id })).rejects.toMatchObject({ kind: 'denied' })
    await expect(getBlanketOffer(admin, { id })).rejects.toMatchObject({ kind: 'denied' })
    expect((await getBlanketOffer(asOperator(), { id })).offer).toMatchObject({ name: 'Autumn', offerPercent: null })
    await removeBlanketOffer(asOperator(), { id })
    await expect(getBlanketOffer(asOperator(), { id })).rejects.toMatchObject({ kind: 'notFound' })
    const logEntries = await services.db.query<{ action: string }>(
      `SELECT action FROM audit_log WHERE publisher_id = :id AND action LIKE '%-blanket-offer' ORDER BY id`,
      { id: shop.publisherId },
    )
    expect(logEntries.map(({ action }) => action)).toEqual([
      'save-blanket-offer',
      'save-blanket-offer',
      'remove-blanket-offer',
    ])
  })
})
