import { beforeAll, describe, expect, it } from 'vitest'
import { AddressMarks } from '#core/bounces/address-marks.rows.ts'
import { sendMail } from '#core/emails/send-mail.ts'
import { importFile } from '#core/imports/import-file.ts'
import { deactivateReader } from '#core/readers/deactivate-reader.ts'
import { editReader } from '#core/readers/edit-reader.ts'
import { removeReader } from '#core/readers/remove-reader.ts'
import { queuedEmails } from '#tests/support/emails.ts'
import { operator, system } from '#tests/support/factories.ts'
import { makeSeriesShop, paidOrder } from '#tests/support/series.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { withRunningWorker } from '#tests/support/worker.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

type Shop = Awaited<ReturnType<typeof makeSeriesShop>>

/** Sends what is queued for the readers of a shop, as the worker does; returns the addresses that have got an email so far. */
async function send({ id }: Shop): Promise<string[]> {
  const effortRows = await services.db.query<{ id: number }>(
    `SELECT id FROM reader_efforts WHERE publication_id = :id`,
    { id },
  )
  const ids = new Set(effortRows.map((row) => row.id))
  for (const { mail, about } of await queuedEmails(services))
    if (ids.has(about.effortId as number)) await sendMail(services.as(system), { mail, about })
  const emails = await services.db.query<{ to: string }>(
    `SELECT to_address AS "to" FROM emails WHERE publication_id = :id AND template LIKE 'renewal-%' AND state = 'sent' ORDER BY id`,
    { id },
  )
  return emails.map(({ to }) => to)
}

const buy = (shop: Shop, readerId: number, on = '2026-06-30') =>
  paidOrder(services, { ...shop, publicationId: shop.id, readerId }, { on })

describe('an end changed by staff or a file', () => {
  const editEnd = (shop: Shop, id: number, subEndOn: string) =>
    editReader(services.as(operator), { publicationId: shop.id, id, lastName: "O'Brien", subEndOn })
  const importEnd = async (shop: Shop, id: number, subEndOn: string) => {
    const [row] = await services.db.query<{ reference: string }>(
      `SELECT unique_reference AS reference FROM readers WHERE id = :id`,
      { id },
    )
    await withRunningWorker(services, () =>
      importFile(services.as(operator), {
        publicationId: shop.id,
        mode: 'combine',
        csvdata: [{ UniqueReference: row?.reference, LastName: "O'Brien", SubExpiry: subEndOn }],
      }),
    )
  }

  it.each([
    ['an edit', editEnd, 0],
    // The worker that imports sends the email first.
    ['an import', importEnd, 1],
  ])('moves the series: %s', async (_, changeEnd, sentBefore) => {
    const shop = await makeSeriesShop(services)
    const reader = await shop.reader('2027-06-30')
    await shop.plan('2027-05-31')
    await changeEnd(shop, reader, '31/10/2027')
    expect(await send(shop)).toHaveLength(sentBefore)
    const sentOn: string[] = []
    for (const on of ['2027-06-16', '2027-06-27', '2027-07-07', '2027-09-01', '2027-10-01', '2027-10-17']) {
      await shop.plan(on)
      const sent = (await send(shop)).length
      sentOn.push(...Array(sent - sentBefore - sentOn.length).fill(on))
    }
    expect(await shop.effortsOf(reader)).toEqual(['-30 due', '-60 due', '-30 due', '-14 due'])
    expect(sentOn).toEqual(['2027-09-01', '2027-10-01', '2027-10-17'])
  })
})

describe('changes between plan and email', () => {
  it.each([
    [
      'a reader is deactivated',
      (shop: Shop, id: number) => deactivateReader(services.as(operator), { publicationId: shop.id, id }),
    ],
    [
      'a reader is removed',
      (shop: Shop, id: number) => removeReader(services.as(operator), { publicationId: shop.id, id }),
    ],
  ])('%s: nothing is sent', async (_, change) => {
    const shop = await makeSeriesShop(services)
    const reader = await shop.reader('2027-06-30')
    expect(await shop.plan('2027-05-31')).toMatchObject({ emails: 1 })
    await change(shop, reader)
    expect(await send(shop)).toEqual([])
  })

  it('a lapsed reader bought again in grace, under the same record or another one: no email about the end is sent', async () => {
    const shop = await makeSeriesShop(services)
    const email = `again-${shop.id}@example.test`
    const sameRecord = await shop.reader('2027-06-30')
    const otherRecord = await shop.reader('2027-06-30', { email })
    for (const reader of [sameRecord, otherRecord]) await buy(shop, reader)
    expect(await shop.plan('2027-07-07')).toMatchObject({ emails: 2 })
    await buy(shop, sameRecord, '2027-07-07')
    await shop.reader('2028-07-07', { email, subStartOn: '2027-07-07' })
    expect(await send(shop)).toEqual([])
  })

  it('a renewal is declined, and its reader notified: no “has ended” is sent on the same day', async () => {
    const shop = await makeSeriesShop(services)
    const reader = await shop.reader('2027-06-30')
    const orderId = await buy(shop, reader)
    expect(await shop.plan('2027-07-07')).toMatchObject({ emails: 1 })
    const now = services.clock.now
    const [buyer] = await services.db.query<{ id: number }>(
      `INSERT INTO buyers (publication_id, email, email_key, first_name, last_name, created_at, updated_at)
       VALUES (:id, 'declined@example.test', 'declined@example.test', 'Ann', 'Brien', :now, :now) RETURNING id`,
      { id: shop.id, now },
    )
    const [agreement] = await services.db.query<{ id: number }>(
      `INSERT INTO payment_agreements (publication_id, buyer_id, reader_id, order_id, provider, state, product, term_months, band, renews_on,
         price, end_reason, created_at, updated_at)
       VALUES (:id, :buyer, :reader, :orderId, 'demo', 'ended', 'print', 12, 'UK', '2027-06-30', 2999, 'lapsed', :now, :now) RETURNING id`,
      { id: shop.id, buyer: buyer?.id ?? 0, reader, orderId, now },
    )
    await services.db.run(
      `INSERT INTO renewals (publisher_id, publication_id, agreement_id, cycle_on, charge_on, grace_until, amount, currency, state, told_on,
         created_at, updated_at)
       VALUES (:publisherId, :id, :agreement, '2027-06-30', '2027-06-30', '2027-07-21', 2999, 'GBP', 'retrying', '2027-07-07', :now, :now)`,
      { id: shop.id, publisherId: shop.publisherId, agreement: agreement?.id ?? 0, now },
    )
    expect(await send(shop)).toEqual([])
  })
})

describe('an address that bounced', () => {
  it('gets nothing, even if it has non-ASCII capitals', async () => {
    const shop = await makeSeriesShop(services)
    await shop.reader('2027-06-30', { email: `ÉMILE-${shop.id}@exemple.fr` })
    const markKey = { publisherId: shop.publisherId, addressKey: `émile-${shop.id}@exemple.fr` }
    await AddressMarks.insert(services, { ...markKey, bouncedAt: services.clock.now })
    expect(await shop.plan('2027-05-01')).toMatchObject({ emails: 0 })
  })

  it('gets nothing, until it is tried again', async () => {
    const shop = await makeSeriesShop(services)
    const email = `bounced-${shop.id}@example.test`
    const reader = await shop.reader('2027-06-30', { email })
    const markKey = { publisherId: shop.publisherId, addressKey: email }
    await AddressMarks.insert(services, { ...markKey, bouncedAt: services.clock.now })
    expect(await shop.plan('2027-05-01')).toMatchObject({ emails: 0 })
    await AddressMarks.update(services, markKey, { bouncedAt: null })
    expect(await shop.plan('2027-05-31')).toMatchObject({ emails: 1 })
    // It bounces after it was planned.
    await AddressMarks.update(services, markKey, { bouncedAt: services.clock.now })
    expect(await send(shop)).toEqual([])
    await shop.plan('2027-06-16')
    expect(await shop.effortsOf(reader)).toEqual(['-30 due'])
  })
})
