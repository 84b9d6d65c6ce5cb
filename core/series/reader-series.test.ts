import { beforeAll, describe, expect, it } from 'vitest'
import { sendMail } from '#core/emails/send-mail.ts'
import { setReminders } from '#core/readers/set-reminders.ts'
import { queuedEmails } from '#tests/support/emails.ts'
import { actorOf, operator, system } from '#tests/support/factories.ts'
import { makeSeriesShop, paidOrder } from '#tests/support/series.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { readerSeries, stopReaderSeries } from './reader-series.ts'
import { switchSeries } from './series-settings.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

const seriesOf = (readerId: number) => readerSeries(services.as(operator), { readerId })
const stop = (readerId: number, isStopped = true) => stopReaderSeries(services.as(operator), { readerId, isStopped })
const setNoonOf = (on: string) => {
  services.clock.now = new Date(`${on}T12:00:00Z`)
}

describe('the series of one reader', () => {
  it('shows the next effort with its day, and what was sent about this end', async () => {
    const shop = await makeSeriesShop(services)
    const reader = await shop.reader('2027-06-30')
    setNoonOf('2027-04-01')
    expect(await seriesOf(reader)).toEqual({
      endsOn: '2027-06-30',
      why: null,
      isStopped: false,
      canStop: true,
      past: [],
      next: { dayOffset: -60, on: '2027-05-01', kind: 'reminder', channel: 'mail' },
    })
    await shop.plan('2027-05-01')
    expect(await seriesOf(reader)).toMatchObject({
      next: { dayOffset: -30, on: '2027-05-31' },
      past: [{ dayOffset: -60, on: '2027-05-01', state: 'due' }],
    })
    // A missed effort is sent today.
    setNoonOf('2027-06-02')
    expect(await seriesOf(reader)).toMatchObject({ next: { dayOffset: -30, on: '2027-06-02' } })
  })

  it('says why nothing is sent', async () => {
    const shop = await makeSeriesShop(services)
    setNoonOf('2027-06-28')
    const imported = await shop.reader('2027-06-30')
    // The last reminder can still be sent; after the end a reader who never bought here gets nothing.
    expect(await seriesOf(imported)).toMatchObject({ next: { dayOffset: -3, on: '2027-06-28' } })
    setNoonOf('2027-07-03')
    expect(await seriesOf(imported)).toMatchObject({ next: null, why: 'Never bought here', canStop: false })
    const refunded = await shop.reader('2027-06-30')
    await paidOrder(
      services,
      { readerId: refunded, publicationId: shop.id, publisherId: shop.publisherId },
      { on: '2026-06-30', state: 'refunded' },
    )
    expect(await seriesOf(refunded)).toMatchObject({ next: null, why: 'Last order refunded' })
    const openEnded = await shop.reader('2100-01-01')
    expect(await seriesOf(openEnded)).toMatchObject({ next: null, why: 'Runs until further notice' })
    const longEnded = await shop.reader('2026-01-31')
    expect(await seriesOf(longEnded)).toMatchObject({
      next: null,
      why: 'The series has no efforts left for this end date',
    })
    expect(await seriesOf(await shop.reader('2027-09-30', { subType: '' }))).toBeNull()
  })

  it('says that it is off for the title or the account', async () => {
    const shop = await makeSeriesShop(services)
    setNoonOf('2027-05-01')
    const reader = await shop.reader('2027-06-30')
    await switchSeries(services.as(operator), { publicationId: shop.id, isOn: false })
    expect(await seriesOf(reader)).toMatchObject({ next: null, why: 'The renewal series for this title is off' })
    await switchSeries(services.as(operator), { publicationId: shop.id, isOn: true })
    await services.db.run(`UPDATE accounts SET automated_renewal_emails = :no WHERE user_id = :id`, {
      no: false,
      id: shop.publisherId,
    })
    expect(await seriesOf(reader)).toMatchObject({ next: null, why: 'The account sends no renewal emails' })
  })

  it('is stopped for one end and started again, each logged, and continues after a renewal', async () => {
    const shop = await makeSeriesShop(services)
    const reader = await shop.reader('2027-06-30')
    await shop.plan('2027-05-31')
    expect(await stop(reader)).toEqual({ changed: true })
    expect(await stop(reader)).toEqual({ changed: false })
    expect(await seriesOf(reader)).toMatchObject({
      next: null,
      why: 'Series stopped for this expiry',
      isStopped: true,
      canStop: false,
    })
    // Efforts planned before it was stopped are not sent either.
    const [effort] = await services.db.query<{ id: number }>(
      `SELECT id FROM reader_efforts WHERE reader_id = :reader`,
      {
        reader,
      },
    )
    for (const { mail, about } of await queuedEmails(services))
      if (about.effortId === effort?.id) await sendMail(services.as(system), { mail, about })
    expect(
      await services.db.query(`SELECT id FROM emails WHERE publication_id = :id AND state = 'sent'`, { id: shop.id }),
    ).toEqual([])
    await shop.plan('2027-06-16')
    expect(await shop.effortsOf(reader)).toEqual(['-30 due'])
    expect(await stop(reader, false)).toEqual({ changed: true })
    await shop.plan('2027-06-16')
    expect(await shop.effortsOf(reader)).toEqual(['-30 due', '-14 due'])
    await stop(reader)
    await services.db.run(`UPDATE readers SET sub_end_on = '2028-06-30' WHERE id = :reader`, { reader })
    expect(await seriesOf(reader)).toMatchObject({ isStopped: false, next: { dayOffset: -60, on: '2028-05-01' } })
    const logEntries = await services.db.query(
      `SELECT id FROM audit_log WHERE action = 'stop-reader-series' AND subject_id = :reader`,
      { reader },
    )
    expect(logEntries).toHaveLength(3)
  })

  it('is separate from the permanent stop', async () => {
    const shop = await makeSeriesShop(services)
    setNoonOf('2027-05-01')
    const reader = await shop.reader('2027-06-30')
    await stop(reader)
    await setReminders(services.as(operator), { id: reader, isStopped: true })
    await stop(reader, false)
    expect(await seriesOf(reader)).toMatchObject({ next: null, why: 'Stopped reminders', isStopped: false })
    await setReminders(services.as(operator), { id: reader, isStopped: false })
    expect(await seriesOf(reader)).toMatchObject({ next: { dayOffset: -60 } })
  })

  it('is hidden from other publishers', async () => {
    const shop = await makeSeriesShop(services)
    const reader = await shop.reader('2027-06-30')
    const stranger = services.as(await actorOf(services, 'publisher'))
    await expect(readerSeries(stranger, { readerId: reader })).rejects.toMatchObject({ kind: 'notFound' })
    await expect(stopReaderSeries(stranger, { readerId: reader, isStopped: true })).rejects.toMatchObject({
      kind: 'notFound',
    })
    const mailer = services.as(await actorOf(services, 'mailer', shop.publisherId))
    await expect(stopReaderSeries(mailer, { readerId: reader, isStopped: true })).rejects.toMatchObject({
      kind: 'denied',
    })
  })
})
