import { beforeAll, describe, expect, it } from 'vitest'
import { mergeReaders } from '#core/duplicates/merge-readers.ts'
import { saveMailText } from '#core/emails/save-mail-text.ts'
import { sendMail } from '#core/emails/send-mail.ts'
import { queuedEmails } from '#tests/support/emails.ts'
import { operator, system } from '#tests/support/factories.ts'
import { makeSeriesShop, ownSeries, paidOrder } from '#tests/support/series.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { dueReaders } from './due-efforts.query.ts'
import { effortOfReader } from './effort-of-reader.query.ts'
import { planEfforts } from './plan-efforts.ts'
import { ReaderEfforts } from './reader-efforts.rows.ts'
import { renewalLinkKey } from './renewal-link.ts'
import { shippedSeries } from './series.rules.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

type Shop = Awaited<ReturnType<typeof makeSeriesShop>>

/** Sends what is queued for the readers of a shop, as the worker does; returns who got what. */
async function send(shop: Shop): Promise<{ to: string; subject: string }[]> {
  const ids = await services.db.query<{ id: number }>(`SELECT id FROM reader_efforts WHERE publication_id = :id`, {
    id: shop.id,
  })
  const effortIds = new Set(ids.map(({ id }) => id))
  const before = await emailsOf(shop)
  for (const { mail, about } of await queuedEmails(services))
    if (effortIds.has(about.effortId as number)) await sendMail(services.as(system), { mail, about })
  return (await emailsOf(shop)).slice(before.length)
}

const emailsOf = ({ id }: Shop) =>
  services.db.query<{ to: string; subject: string }>(
    `SELECT to_address AS "to", subject FROM emails WHERE publication_id = :id AND template LIKE 'renewal-%' AND state = 'sent' ORDER BY id`,
    { id },
  )

describe('the default series', () => {
  it('is sent on its days, each once, and stops with the renewal', async () => {
    const shop = await makeSeriesShop(services)
    const reader = await shop.reader('2027-06-30')
    const sentLines: string[] = []
    for (const on of [
      '2027-04-30',
      '2027-05-01',
      '2027-05-02',
      '2027-05-31',
      '2027-06-16',
      '2027-06-16',
      '2027-06-27',
    ]) {
      await shop.plan(on)
      sentLines.push(...(await send(shop)).map(({ subject }) => `${on} ${subject}`))
    }
    expect(await shop.effortsOf(reader)).toEqual(['-60 due', '-30 due', '-14 due', '-3 due'])
    expect(sentLines.map((line) => line.slice(0, 10))).toEqual(['2027-05-01', '2027-05-31', '2027-06-16', '2027-06-27'])
    expect(sentLines[0]).toMatch(/ends on 30\/06\/2027$/)
    await services.db.run(`UPDATE readers SET sub_end_on = '2028-06-30' WHERE id = :reader`, { reader })
    for (const on of ['2027-07-07', '2027-07-21'])
      expect(await shop.plan(on)).toEqual({ emails: 0, letters: 0, skipped: 0 })
  })

  it('is sent after the end only to readers who bought here and accept offers', async () => {
    const shop = await makeSeriesShop(services)
    const imported = await shop.reader('2027-06-30')
    const bought = await shop.reader('2027-06-30')
    const refuses = await shop.reader('2027-06-30', { pubOffers: true })
    for (const readerId of [bought, refuses])
      await paidOrder(
        services,
        { readerId, publicationId: shop.id, publisherId: shop.publisherId },
        { on: '2026-06-30' },
      )
    await shop.plan('2027-07-07')
    expect(await Promise.all([imported, bought, refuses].map(shop.effortsOf))).toEqual([[], ['7 due'], []])
    expect(await send(shop)).toMatchObject([{ subject: expect.stringMatching(/ended on 30\/06\/2027$/) }])
  })

  it('uses the Renewal Template before the end, and never in an offer, which has its own text', async () => {
    const shop = await makeSeriesShop(services)
    const readerId = await shop.reader('2027-06-30')
    await paidOrder(services, { ...shop, publicationId: shop.id, readerId }, { on: '2026-06-30' })
    const writeText = (mail: string, body: string) =>
      saveMailText(services.as(operator), { publicationId: shop.id, mail, body })
    const textOn = async (on: string) => {
      await shop.plan(on)
      expect(await send(shop)).toHaveLength(1)
      return (await services.mail.devMailbox?.list(1))?.[0]?.text
    }
    await writeText('renewal-reminder', 'Renew before it ends, {{first name}}.')
    expect(await textOn('2027-05-31')).toContain('Renew before it ends, Ann.')
    const afterEnd = await textOn('2027-07-07')
    expect(afterEnd).not.toContain('Renew before it ends')
    expect(afterEnd).toContain('you can subscribe again here')
    await writeText('renewal-offer', 'We miss you, {{first name}}.')
    expect(await textOn('2027-07-21')).toContain('We miss you, Ann.')
  })

  it('sends nothing while it is off for the account or the publication', async () => {
    const shop = await makeSeriesShop(services)
    await shop.reader('2027-06-30')
    const { publisherId: id } = shop
    await services.db.run(`UPDATE accounts SET automated_renewal_emails = :no WHERE user_id = :id`, { no: false, id })
    expect(await shop.plan('2027-05-31')).toMatchObject({ emails: 0 })
    await services.db.run(`UPDATE accounts SET automated_renewal_emails = :yes WHERE user_id = :id`, { yes: true, id })
    const now = services.clock.now
    await services.db.run(
      `INSERT INTO renewal_series (publication_id, is_on, created_at, updated_at) VALUES (:id, :no, :now, :now)`,
      { id: shop.id, no: false, now },
    )
    expect(await shop.plan('2027-05-31')).toMatchObject({ emails: 0 })
    await services.db.run(`UPDATE renewal_series SET is_on = :yes WHERE publication_id = :id`, {
      id: shop.id,
      yes: true,
    })
    expect(await shop.plan('2027-05-31')).toMatchObject({ emails: 1 })
    // Efforts planned before it is switched off are not sent afterwards.
    await services.db.run(`UPDATE renewal_series SET is_on = :no WHERE publication_id = :id`, {
      id: shop.id,
      no: false,
    })
    expect(await send(shop)).toEqual([])
  })

  it('is sent on the business day around midnight, in a time zone an hour ahead of UTC', async () => {
    const shop = await makeSeriesShop(services)
    const reader = await shop.reader('2027-07-30')
    services.clock.now = new Date('2027-06-29T22:30:00Z')
    await planEfforts(services.as(system), {})
    expect(await shop.effortsOf(reader)).toEqual([])
    services.clock.now = new Date('2027-06-29T23:00:00Z')
    await planEfforts(services.as(system), {})
    expect(await shop.effortsOf(reader)).toEqual(['-30 due'])
  })

  it.each(['2028-02-29', '2028-03-26', '2027-10-31'])(
    'is sent once for the end %s, and on the day itself',
    async (endsOn) => {
      const shop = await makeSeriesShop(services)
      const reader = await shop.reader(endsOn)
      const day = (days: number) => new Date(Date.parse(endsOn) + days * 86_400_000).toISOString().slice(0, 10)
      for (const days of [-31, -30, -29, -4, -3, -2]) await shop.plan(day(days))
      const rows = await services.db.query<{ planned_on: string }>(
        `SELECT planned_on FROM reader_efforts WHERE reader_id = :reader ORDER BY id`,
        { reader },
      )
      expect(rows.map(({ planned_on: on }) => on)).toEqual([day(-30), day(-3)])
    },
  )
})

describe('missed days', () => {
  it('are made up for by sending only the newest effort, up to a week late', async () => {
    const shop = await makeSeriesShop(services)
    await ownSeries(
      services,
      shop,
      [-9, -7, -5, -3].map((dayOffset) => ({ dayOffset })),
    )
    const reader = await shop.reader('2027-06-30')
    const late = await shop.reader('2027-06-16')
    await shop.plan('2027-06-25')
    expect(await shop.effortsOf(reader)).toEqual(['-5 due', '-9 skipped', '-7 skipped'])
    expect(await shop.effortsOf(late)).toEqual([])
    expect(await send(shop)).toHaveLength(1)
    await shop.plan('2027-06-26')
    expect(await shop.effortsOf(reader)).toHaveLength(3)
  })

  it('are not made up for after the end by efforts that were due before it', async () => {
    const shop = await makeSeriesShop(services)
    const reader = await shop.reader('2027-06-30')
    await shop.plan('2027-07-01')
    expect(await shop.effortsOf(reader)).toEqual([])
  })

  it('leave a late email unsent when the subscription has ended meanwhile', async () => {
    const shop = await makeSeriesShop(services)
    await shop.reader('2027-06-30')
    await shop.plan('2027-06-27')
    services.clock.now = new Date('2027-07-01T08:00:00Z')
    expect(await send(shop)).toEqual([])
  })
})

describe('a changed end', () => {
  it('moves the series, and repeats nothing within three weeks', async () => {
    const shop = await makeSeriesShop(services)
    const reader = await shop.reader('2027-06-30')
    await shop.plan('2027-05-31')
    await services.db.run(`UPDATE readers SET sub_end_on = '2027-07-02' WHERE id = :reader`, { reader })
    // Efforts planned for the old end are no longer sent.
    expect(await send(shop)).toEqual([])
    for (const on of ['2027-06-02', '2027-06-03', '2027-06-18']) await shop.plan(on)
    expect(await shop.effortsOf(reader)).toEqual(['-30 due', '-14 due'])
    await services.db.run(`UPDATE readers SET sub_end_on = '2027-10-31' WHERE id = :reader`, { reader })
    for (const on of ['2027-09-01', '2027-10-01']) await shop.plan(on)
    expect(await shop.effortsOf(reader)).toEqual(['-30 due', '-14 due', '-60 due', '-30 due'])
  })

  it('by a purchase sends nothing due before it', async () => {
    const shop = await makeSeriesShop(services)
    const reader = await shop.reader('2027-06-30')
    await paidOrder(
      services,
      { readerId: reader, publicationId: shop.id, publisherId: shop.publisherId },
      { on: '2027-05-31' },
    )
    // A term of one month: the day 30 before its end is the day of the order.
    await shop.plan('2027-06-01')
    expect(await shop.effortsOf(reader)).toEqual([])
    await shop.plan('2027-06-16')
    expect(await shop.effortsOf(reader)).toEqual(['-14 due'])
  })
})

describe('nothing is sent to readers', () => {
  const update = `UPDATE readers SET`
  it.each([
    ['who is deactivated', `${update} is_deleted = :yes WHERE id = :reader`],
    ['who has it until further notice', `${update} sub_end_on = '2100-01-01' WHERE id = :reader`],
    ['who pays nothing', `${update} sub_paid = NULL WHERE id = :reader`],
    ['who was removed', `DELETE FROM readers WHERE id = :reader`],
    ['who has no email', `${update} email = '', key_email = '' WHERE id = :reader`],
    [
      'who stopped reminders',
      `INSERT INTO reminder_stops (reader_id, publication_id, stopped_at) SELECT id, publication_id, updated_at FROM readers WHERE id = :reader AND :yes`,
    ],
  ])('%s, neither when it is planned nor when it is sent', async (_, sql) => {
    for (const isBefore of [true, false]) {
      const shop = await makeSeriesShop(services)
      const reader = await shop.reader('2027-06-30')
      if (!isBefore) expect(await shop.plan('2027-05-31')).toMatchObject({ emails: 1 })
      await services.db.run(sql, { reader, ...(sql.includes(':yes') ? { yes: true } : {}) })
      if (isBefore) expect(await shop.plan('2027-05-31')).toMatchObject({ emails: 0 })
      expect(await send(shop)).toEqual([])
    }
  })

  it.each([
    ['renews by itself', 'active', null],
    ['turned the renewal off', 'ended', 'reader'],
    ['took a payment back', 'ended', 'taken-back'],
  ])('who %s', async (_, state, reason) => {
    const shop = await makeSeriesShop(services)
    const reader = await shop.reader('2027-06-30')
    await insertAgreement(shop, reader, { state, reason })
    expect(await shop.plan('2027-05-31')).toMatchObject({ emails: 0 })
  })

  it('within a week of a lapsed renewal, and never after its email on the same day', async () => {
    const shop = await makeSeriesShop(services)
    const reader = await shop.reader('2027-06-30')
    const record = { readerId: reader, publicationId: shop.id, publisherId: shop.publisherId }
    await paidOrder(services, record, { on: '2026-06-30' })
    const id = await insertAgreement(shop, reader, { state: 'ended', reason: 'lapsed' })
    await services.db.run(
      `INSERT INTO renewals (publisher_id, publication_id, agreement_id, cycle_on, charge_on, grace_until, amount, currency, state, told_on, settled_at, created_at, updated_at)
       VALUES (:publisherId, :publicationId, :id, '2027-06-30', '2027-06-30', '2027-07-21', 2999, 'GBP', 'lapsed', '2027-07-18', :at, :at, :at)`,
      { id, publisherId: shop.publisherId, publicationId: shop.id, at: new Date('2027-07-22T05:00:00Z') },
    )
    for (const on of ['2027-07-21', '2027-07-22', '2027-07-27']) await shop.plan(on)
    expect(await shop.effortsOf(reader)).toEqual([])
  })

  it('whose last order was refunded, or who have bought again under another record in grace', async () => {
    const shop = await makeSeriesShop(services)
    const recordOf = (readerId: number) => ({ readerId, publicationId: shop.id, publisherId: shop.publisherId })
    const refunded = await shop.reader('2027-06-30')
    await paidOrder(services, recordOf(refunded), { on: '2026-06-30', state: 'refunded' })
    const email = 'again@example.test'
    const boughtAgain = await shop.reader('2027-06-30', { email })
    await paidOrder(services, recordOf(boughtAgain), { on: '2026-06-30' })
    await shop.reader('2028-07-05', { email, subStartOn: '2027-07-05' })
    await shop.plan('2027-07-07')
    await shop.plan('2027-05-31')
    expect(await shop.effortsOf(refunded)).toEqual([])
    expect(await shop.effortsOf(boughtAgain)).toEqual([])
  })
})

async function insertAgreement(
  shop: Shop,
  readerId: number,
  { state, reason }: { state: string; reason: string | null },
) {
  const record = { readerId, publicationId: shop.id, publisherId: shop.publisherId }
  const orderId = await paidOrder(services, record, { on: '2026-06-30' })
  const buyerId = await insertBuyer(shop)
  const [row] = await services.db.query<{ id: number }>(
    `INSERT INTO payment_agreements (publication_id, buyer_id, reader_id, order_id, provider, state, product, term_months, band, renews_on, price,
       end_reason, created_at, updated_at)
     VALUES (:publicationId, :buyerId, :readerId, :orderId, 'demo', :state, 'print', 12, 'UK', '2027-06-30', 2999, :reason, :now, :now) RETURNING id`,
    { publicationId: shop.id, buyerId, readerId, orderId, state, reason, now: services.clock.now },
  )
  return row?.id as number
}

let buyers = 0
async function insertBuyer(shop: Shop, email = `buyer-${++buyers}@example.test`): Promise<number> {
  const [row] = await services.db.query<{ id: number }>(
    `INSERT INTO buyers (publication_id, email, email_key, first_name, last_name, created_at, updated_at)
     VALUES (:id, :email, :email, 'Gil', 'Donor', :now, :now) RETURNING id`,
    { id: shop.id, email, now: services.clock.now },
  )
  return row?.id as number
}

describe('gifts', () => {
  it('are announced to the giver, and by the last reminder to the reader', async () => {
    const shop = await makeSeriesShop(services)
    const buyerId = await insertBuyer(shop, `donor-${shop.id}@example.test`)
    const readerId = await shop.reader('2027-06-30', { buyerId, email: `child-${shop.id}@example.test` })
    await paidOrder(
      services,
      { readerId, publicationId: shop.id, publisherId: shop.publisherId },
      { on: '2026-06-30', isGift: true, buyerId },
    )
    const announced: string[] = []
    for (const on of ['2027-05-31', '2027-06-27', '2027-07-07']) {
      await shop.plan(on)
      announced.push(...(await send(shop)).map(({ to, subject }) => `${to.split('-')[0]}: ${subject.split(' on ')[0]}`))
    }
    expect(announced).toEqual([
      expect.stringMatching(/^donor: The subscription to Title \d+ that you gave ends$/),
      expect.stringMatching(/^child: Your subscription to Title \d+ ends$/),
      expect.stringMatching(/^donor: /),
    ])
  })
})

describe('several records of one person', () => {
  it('are named in one email, each with its end', async () => {
    const shop = await makeSeriesShop(services)
    const email = `both-${shop.id}@example.test`
    await shop.reader('2027-06-30', { email, subType: 'print' })
    await shop.reader('2027-06-30', { email: email.toUpperCase(), subType: 'digital', keyEmail: email })
    expect(await shop.plan('2027-05-31')).toEqual({ emails: 1, letters: 0, skipped: 0 })
    expect(await send(shop)).toMatchObject([{ subject: expect.stringMatching(/^Your subscriptions to .* end soon$/) }])
    const [mail] = (await services.mail.devMailbox?.list(1)) ?? []
    expect(mail?.text).toContain("Print, Ann O'Brien: 30/06/2027")
    expect(mail?.text).toContain("Digital, Ann O'Brien: 30/06/2027")
  })

  it('are planned in one batch, even if the database lowercases fewer letters than JavaScript', async () => {
    const shop = await makeSeriesShop(services)
    const keyEmail = `émile-${shop.id}@example.test`
    const emails = [keyEmail, keyEmail.toUpperCase()]
    const ids = await Promise.all(emails.map((email) => shop.reader('2027-06-30', { email, keyEmail })))
    const due = { publicationId: shop.id, efforts: shippedSeries, on: '2027-05-31' }
    expect((await dueReaders(services, due, 1)).map((batch) => batch.split(',').map(Number).toSorted())).toEqual([
      ids.toSorted(),
    ])
  })

  it('get one email a day, whenever the second is found', async () => {
    const shop = await makeSeriesShop(services)
    const email = `later-${shop.id}@example.test`
    await shop.reader('2027-06-30', { email })
    await shop.plan('2027-05-31')
    const secondRecord = await shop.reader('2027-06-30', { email, subType: 'digital' })
    await shop.plan('2027-05-31')
    expect(await shop.effortsOf(secondRecord)).toEqual([])
    await shop.plan('2027-06-02')
    expect(await shop.effortsOf(secondRecord)).toEqual(['-30 due'])
  })

  it('that are merged keep the efforts of both', async () => {
    const shop = await makeSeriesShop(services)
    const email = `merged-${shop.id}@example.test`
    const firstReader = await shop.reader('2027-06-30', { email })
    const secondReader = await shop.reader('2027-06-30', { email })
    for (const readerId of [firstReader, secondReader])
      await paidOrder(
        services,
        { readerId, publicationId: shop.id, publisherId: shop.publisherId },
        { on: '2026-06-30' },
      )
    await shop.plan('2027-07-07')
    const { survivorId } = await mergeReaders(services.as(operator), {
      publicationId: shop.id,
      readerIds: [firstReader, secondReader],
    })
    await shop.plan('2027-07-09')
    expect(await send(shop)).toHaveLength(1)
    await shop.plan('2027-07-21')
    expect(await shop.effortsOf(survivorId)).toEqual(['7 due', '21 due'])
  })
})

describe('an offer', () => {
  it('has the price of its link, and a code for one reader and one use that ends with the link', async () => {
    const shop = await makeSeriesShop(services)
    await ownSeries(services, shop, [{ dayOffset: 7, percent: 20 }])
    const readerId = await shop.reader('2027-06-30')
    await paidOrder(services, { readerId, publicationId: shop.id, publisherId: shop.publisherId }, { on: '2026-06-30' })
    await shop.plan('2027-07-07')
    const [row] = await services.db.query<{ id: number }>(`SELECT id FROM reader_efforts WHERE reader_id = :readerId`, {
      readerId,
    })
    const effort = await effortOfReader(services, row?.id as number)
    expect(effort).toMatchObject({
      readerId,
      kind: 'offer',
      status: 'open',
      product: 'print',
      termMonths: 12,
      price: 2999,
      currency: 'GBP',
      validUntil: '2027-08-06',
      promo: { discountPercent: 20 },
    })
    const codes = await services.db.query(
      `SELECT reader_id, uses, ends_on, code FROM promo_codes WHERE publication_id = :id`,
      { id: shop.id },
    )
    expect(codes).toMatchObject([{ reader_id: readerId, uses: 1, ends_on: '2027-08-06', code: effort?.promo?.code }])
    expect(await send(shop)).toHaveLength(1)
    const [mail] = (await services.mail.devMailbox?.list(1)) ?? []
    expect(mail?.text).toContain('£23.99')
    expect(mail?.text).toContain(
      `/${shop.urlKey}/extend/${renewalLinkKey(services.settings.appSecret, { publicationId: shop.id, effortId: row?.id as number })}`,
    )
  })

  it('in percent is the full price for a reader of one month, whose term never has a discount', async () => {
    const shop = await makeSeriesShop(services)
    await services.db.run(
      `INSERT INTO publication_prices (publication_id, product, term_months, band, is_recurring, amount)
       VALUES (:id, 'print', 1, 'UK', :no, 499)`,
      { id: shop.id, no: false },
    )
    await ownSeries(services, shop, [{ dayOffset: 7, percent: 20 }])
    const readerId = await shop.reader('2027-06-30')
    const { id: publicationId, publisherId } = shop
    await paidOrder(services, { readerId, publicationId, publisherId }, { on: '2027-06-01', termMonths: 1 })
    await shop.plan('2027-07-07')
    expect(await send(shop)).toHaveLength(1)
    const [mail] = (await services.mail.devMailbox?.list(1)) ?? []
    expect(mail?.text).toContain('£4.99')
    const row = await ReaderEfforts.find(services, { readerId })
    expect(await effortOfReader(services, row?.id ?? 0)).toMatchObject({ termMonths: 1, price: 499, promo: null })
  })

  it('for two records of one person waits while one of them gets reminders', async () => {
    const shop = await makeSeriesShop(services)
    const email = `two-${shop.id}@example.test`
    const ended = await shop.reader('2027-06-30', { email })
    const ending = await shop.reader('2027-08-06', { email, subType: 'digital', subStartOn: '2026-08-06' })
    await paidOrder(
      services,
      { readerId: ended, publicationId: shop.id, publisherId: shop.publisherId },
      { on: '2026-06-30' },
    )
    await shop.plan('2027-07-07')
    expect(await shop.effortsOf(ending)).toEqual(['-30 due'])
    expect(await shop.effortsOf(ended)).toEqual([])
    await shop.plan('2027-07-09')
    expect(await shop.effortsOf(ended)).toEqual(['7 due'])
  })
})

describe('two schedulers', () => {
  it('plan each effort once, with one code and one email', async () => {
    const shop = await makeSeriesShop(services)
    await ownSeries(services, shop, [{ dayOffset: 7, percent: 20 }])
    for (let reader = 0; reader < 5; reader++) {
      const readerId = await shop.reader('2027-06-30')
      await paidOrder(
        services,
        { readerId, publicationId: shop.id, publisherId: shop.publisherId },
        { on: '2026-06-30' },
      )
    }
    const results = await Promise.all([1, 2, 3].map(() => shop.plan('2027-07-07')))
    expect(results.reduce((sum, { emails }) => sum + emails, 0)).toBe(5)
    const count = async (table: string) =>
      (await services.db.query(`SELECT id FROM ${table} WHERE publication_id = :id`, { id: shop.id })).length
    expect([await count('reader_efforts'), await count('promo_codes')]).toEqual([5, 5])
    expect(await send(shop)).toHaveLength(5)
  })
})
