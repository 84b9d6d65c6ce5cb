import { beforeAll, describe, expect, it } from 'vitest'
import { saveMailText } from '#core/emails/save-mail-text.ts'
import { actorOf, makeBuyer, operator, system } from '#tests/support/factories.ts'
import { makeSeriesShop, paidOrder } from '#tests/support/series.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { lettersOnDay } from '../series/effort-letters.ts'
import { planEffortsOn } from '../series/plan-efforts.ts'
import { seriesResults } from '../series/series-results.query.ts'
import { setSeries, switchSeries } from '../series/series-settings.ts'
import { saveLayout } from '../transfers/save-layout.ts'
import { makeRenewalLetters } from './make-renewal-letters.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

type Shop = Awaited<ReturnType<typeof makeSeriesShop>>

/** A title whose series has letters 30 days before the end and, with a 10% discount, 7 days after it, and an email between them. */
async function letterShop(): Promise<Shop> {
  const shop = await makeSeriesShop(services)
  const efforts = [
    { dayOffset: -30, channel: 'letter' },
    { dayOffset: -3, channel: 'mail' },
    { dayOffset: 7, channel: 'letter', offerPercent: 10 },
  ]
  await setSeries(services.as(operator), { publicationId: shop.id, efforts })
  return shop
}

const setNoonOf = (day: string) => {
  services.clock.now = new Date(`${day}T12:00:00Z`)
}

/** The header and the lines of a day's file, which has a line for each letter that it reports. */
async function lettersOf(shop: Shop, input: { on?: string; layout?: string; keyLine?: string } = {}) {
  const made = await makeRenewalLetters(services.as(operator), { publicationId: shop.id, bom: false, ...input })
  const pieces: Buffer[] = []
  for await (const chunk of made.chunks) pieces.push(chunk)
  const [header = '', ...lines] = Buffer.concat(pieces).toString().split('\r\n').slice(0, -1)
  expect(lines).toHaveLength(made.letters)
  return { header, lines, text: lines.join('\n') }
}

const resultsOf = async (shop: Shop) => {
  const { efforts } = await seriesResults(services.as(operator), { publicationId: shop.id })
  return efforts.map(({ dayOffset, channel, planned, sent }) => ({ dayOffset, channel, planned, sent }))
}

describe('the letters of a day', () => {
  it('are in postcode order in the layout, with the key line and their texts, and count as sent once', async () => {
    const shop = await letterShop()
    const far = await shop.reader('2027-06-30', { postCode: 'LS10 1AA', city: 'Leeds', uniqueReference: 'R-far' })
    const near = await shop.reader('2027-06-30', { postCode: 'LS9 9ZZ', city: 'Leeds', uniqueReference: 'R-near' })
    const mailed = await shop.reader('2027-06-03', { uniqueReference: 'R-mailed' })
    setNoonOf('2027-05-31')
    const { header, lines, text } = await lettersOf(shop)
    expect(header).toMatch(
      /^UniqueReference,.*,SubExpiry,KeyLine,Effort,Text,GiftFor,Plan,Price,PromoCode,Link,LinkUntil,Subject,LetterText$/,
    )
    expect(lines.map((line) => line.split(',')[0])).toEqual(['R-near', 'R-far'])
    expect(lines[0]).toMatch(/,\w+ R-near 06\/27 -30A,30 days before the end,A,,"?Print, /)
    expect(lines[0]).toMatch(/,http\S+\/extend\/1\.\w+\.[\w-]{22},\d\d\/\d\d\/2027,,$/)
    expect(await Promise.all([far, near, mailed].map(shop.effortsOf))).toEqual([
      ['-30 produced'],
      ['-30 produced'],
      // An email of the same day is left to the worker.
      [],
    ])
    expect((await lettersOf(shop)).text).toBe(text)
    expect(await resultsOf(shop)).toEqual([{ dayOffset: -30, channel: 'letter', planned: 2, sent: 2 }])
  })

  it('are the same however often they are made, even concurrently and after a reader was deactivated', async () => {
    const shop = await letterShop()
    const reader = await shop.reader('2027-06-30', { uniqueReference: 'R-one' })
    await planEffortsOn(services.as(system), '2027-05-31', { publicationId: shop.id })
    setNoonOf('2027-05-31')
    const concurrent = await Promise.all([lettersOf(shop), lettersOf(shop)])
    expect(concurrent[0].lines).toHaveLength(1)
    expect(concurrent[1]).toEqual(concurrent[0])
    // The file of the day is complete: a reader who is added later is in the next day's file.
    await shop.reader('2027-06-30', { uniqueReference: 'R-late' })
    await shop.plan('2027-05-31')
    await services.db.run(`UPDATE readers SET is_deleted = :yes WHERE id = :reader`, { yes: true, reader })
    expect((await lettersOf(shop)).text).toBe(concurrent[0].text)
    setNoonOf('2027-06-01')
    expect((await lettersOf(shop)).lines).toEqual([expect.stringMatching(/^R-late,/)])
    expect((await lettersOf(shop, { on: '31/05/2027' })).text).toBe(concurrent[0].text)
    expect(await resultsOf(shop)).toMatchObject([{ planned: 2, sent: 2 }])
  })

  it('leave out readers who renewed or were deactivated since planning, and reminders of an end that has passed', async () => {
    const shop = await letterShop()
    const renewed = await shop.reader('2027-06-30')
    const deactivated = await shop.reader('2027-06-30')
    await shop.plan('2027-05-31')
    await services.db.run(`UPDATE readers SET sub_end_on = '2028-06-30' WHERE id = :renewed`, { renewed })
    await services.db.run(`UPDATE readers SET is_deleted = :yes WHERE id = :gone`, { yes: true, gone: deactivated })
    expect((await lettersOf(shop)).lines).toEqual([])
    expect(await lettersOnDay(services.as(operator), { publicationId: shop.id, on: '' })).toMatchObject({ produced: 0 })
    await setSeries(services.as(operator), { publicationId: shop.id, efforts: [{ dayOffset: -1, channel: 'letter' }] })
    const ended = await shop.reader('2027-06-30')
    await shop.plan('2027-06-29')
    setNoonOf('2027-07-02')
    expect((await lettersOf(shop)).lines).toEqual([])
    expect(await shop.effortsOf(ended)).toEqual(['-1 due'])
  })

  it('go to the giver of a gift, at the last billing address, with the offer’s code', async () => {
    const shop = await letterShop()
    const { id: buyerId } = await makeBuyer(services, shop.id)
    const readerId = await shop.reader('2027-06-30', { buyerId, fullName: 'Kit Child', addressOne: '9 Child Street' })
    const orderId = await paidOrder(
      services,
      { readerId, publicationId: shop.id, publisherId: shop.publisherId },
      { on: '2026-06-30', isGift: true, buyerId },
    )
    const noAddress = await shop.reader('2027-06-30', { buyerId: (await makeBuyer(services, shop.id)).id })
    const giversWithoutAddress = await services.db.query<{ id: number }>(
      `SELECT buyer_id AS id FROM readers WHERE id = :noAddress`,
      {
        noAddress,
      },
    )
    await paidOrder(
      services,
      { readerId: noAddress, publicationId: shop.id, publisherId: shop.publisherId },
      { on: '2026-06-30', isGift: true, buyerId: giversWithoutAddress[0]?.id ?? null },
    )
    const billing = {
      title: 'Ms',
      firstName: 'Nell',
      lastName: 'Gwynne',
      companyName: '',
      addressOne: '1 Giver Road',
      addressTwo: '',
      addressThree: '',
      city: 'York',
      state: '',
      postCode: 'YO1 7HH',
      country: 'GB',
    }
    await services.db.run(`UPDATE orders SET billing = :billing WHERE id = :orderId`, {
      billing: JSON.stringify(billing),
      orderId,
    })
    setNoonOf('2027-07-07')
    const { lines } = await lettersOf(shop)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(',Ms,Nell,Gwynne,Ms Nell Gwynne,,,1 Giver Road,')
    expect(lines[0]).not.toContain('9 Child Street')
    expect(lines[0]).toMatch(/ \+7A,7 days after the end,A,Kit Child,/)
    expect(lines[0]).toMatch(/,R-[A-Z2-9]{12},http/)
    expect(await shop.effortsOf(noAddress)).toEqual(['7 due'])
    // The giver of the other gift has no address: staff see whom to ask for it.
    const { withoutAddress, waiting } = await lettersOnDay(services.as(operator), { publicationId: shop.id, on: '' })
    expect([waiting, withoutAddress]).toEqual([
      1,
      { count: 1, letters: [{ readerId: noAddress, reader: "Ann O'Brien", giver: expect.stringMatching(/\S/) }] },
    ])
  })

  it('use the effort’s text, merged for each recipient, else the template’s', async () => {
    const shop = await makeSeriesShop(services)
    const efforts = [
      {
        dayOffset: -30,
        channel: 'letter',
        subject: 'For {{first name}}',
        body: 'Dear {{name}},\nread on until {{valid until}}.',
      },
      { dayOffset: 7, channel: 'letter' },
    ]
    await setSeries(services.as(operator), { publicationId: shop.id, efforts })
    await saveMailText(services.as(operator), {
      publicationId: shop.id,
      mail: 'renewal-offer',
      subject: '',
      body: 'It ended on {{expiry date}}, {{name}}.',
    })
    await shop.reader('2027-06-30', { title: 'Mrs' })
    setNoonOf('2027-05-31')
    expect((await lettersOf(shop)).text).toMatch(/,For Ann,"Dear Mrs Ann O'Brien,\nread on until \d\d\/\d\d\/2027\."$/)
    setNoonOf('2027-07-07')
    expect((await lettersOf(shop)).text).toMatch(/,,"It ended on 30\/06\/2027, Mrs Ann O'Brien\."$/)
  })

  it('use the columns and the key line of a layout, or the requested key line, and refuse an unknown layout', async () => {
    const shop = await letterShop()
    await shop.reader('2027-06-30', { uniqueReference: 'R-key' })
    setNoonOf('2027-05-31')
    const columns = [
      { column: 'KeyLine', header: 'Key' },
      { column: 'Addressee', header: 'Name' },
    ]
    const layout = { columns, delimiter: 'semicolon', keyLine: '{reference}/{effort}' }
    await saveLayout(services.as(operator), { publicationId: shop.id, name: 'Acme', layout })
    const { header, text } = await lettersOf(shop, { layout: 'acme' })
    expect(header).toMatch(/^Key;Name;Effort;Text;/)
    expect(text).toMatch(/^R-key\/-30A;Ann O'Brien;30 days before the end;A;/)
    // A cell that a spreadsheet would take for a formula begins with an apostrophe.
    expect((await lettersOf(shop, { keyLine: '{effort}/{reference}' })).text).toContain(",'-30A/R-key,")
    await expect(lettersOf(shop, { layout: 'Nobody' })).rejects.toMatchObject({ kind: 'notFound' })
  })

  it('are not made for a future day, by another publisher, or while the series is off', async () => {
    const shop = await letterShop()
    const reader = await shop.reader('2027-06-30')
    setNoonOf('2027-05-30')
    await expect(lettersOf(shop, { on: '31/05/2027' })).rejects.toMatchObject({ kind: 'invalid' })
    const stranger = services.as(await actorOf(services, 'publisher'))
    await expect(makeRenewalLetters(stranger, { publicationId: shop.id })).rejects.toMatchObject({ kind: 'notFound' })
    await expect(lettersOnDay(stranger, { publicationId: shop.id, on: '' })).rejects.toMatchObject({ kind: 'notFound' })
    const admin = services.as(await actorOf(services, 'admin', shop.publisherId))
    await expect(makeRenewalLetters(admin, { publicationId: shop.id })).rejects.toMatchObject({ kind: 'denied' })
    await switchSeries(services.as(operator), { publicationId: shop.id, isOn: false })
    setNoonOf('2027-05-31')
    expect((await lettersOf(shop)).lines).toEqual([])
    expect(await shop.effortsOf(reader)).toEqual([])
    expect(await lettersOnDay(services.as(operator), { publicationId: shop.id, on: '' })).toEqual({
      on: '2027-05-31',
      isFuture: false,
      produced: 0,
      waiting: 0,
      withoutAddress: { count: 0, letters: [] },
    })
  })
})
