import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { mergeReaders } from '#core/duplicates/merge-readers.ts'
import { undoMerge } from '#core/duplicates/undo-merge.ts'
import { undoImport } from '#core/imports/undo-import.ts'
import { Orders } from '#core/orders/orders.rows.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { refundOrder } from '#core/orders/refund-order.ts'
import { getReader } from '#core/readers/get-reader.query.ts'
import { Readers } from '#core/readers/readers.rows.ts'
import { remindersStoppedAt } from '#core/readers/reminder-stops.rows.ts'
import { removeReader } from '#core/readers/remove-reader.ts'
import { restoreReader } from '#core/readers/restore-reader.ts'
import { setReminders } from '#core/readers/set-reminders.ts'
import { mailSender } from '#tests/support/emails.ts'
import { actorOf, operator, system } from '#tests/support/factories.ts'
import { readerFiles } from '#tests/support/reader-files.ts'
import { makeReader } from '#tests/support/readers.ts'
import { makeSeriesShop, plannedReminder } from '#tests/support/series.ts'
import { makeShop, orderForm } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { Emails } from './emails.rows.ts'
import { acceptsMail, stopByLink, stopEmails } from './stop-emails.ts'
import { stopKey } from './stop-link.ts'

const sendReminder = mailSender('renewal-reminder')
const endsOn = '2027-01-31'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

async function makeFixture() {
  const { id: publicationId, publisherId } = await makeSeriesShop(services)
  const make = (email: string, subPaid: number | null = null) =>
    makeReader(services, publicationId, { email, firstName: 'Ann', subType: 'print', subEndOn: endsOn, subPaid })
  const readerId = await make('ann@example.test', 2999)
  const keyOf = (what: 'reminder') => stopKey(services.settings.appSecret, { readerId, what })
  /** What the reminder planned for this end of the term is about. */
  const reminder = async (cycleOn = endsOn) => (await plannedReminder(services, readerId, cycleOn)).about
  return { publicationId, publisherId, readerId, make, keyOf, reminder }
}

const asVisitor = () => services.as(visitor)
const newestEmail = async () => (await services.mail.devMailbox?.list(1))?.[0]

describe('a reminder', () => {
  it('carries the unsubscribe link and headers, and is not sent after they are used', async () => {
    const { publicationId, readerId, keyOf, reminder } = await makeFixture()
    const about = await reminder()
    expect(await sendReminder(services.as(system), about)).toBe(true)
    const mail = await newestEmail()
    const url = `/stop/${keyOf('reminder')}`
    expect(mail?.html).toContain(url)
    expect(mail?.text).toContain(url)
    expect(mail?.headers?.['List-Unsubscribe']).toMatch(new RegExp(`^<https?://\\S+${url}>$`))
    expect(mail?.headers?.['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
    // One short line (RFC 5322), so that no mail server folds it.
    expect(`List-Unsubscribe: ${mail?.headers?.['List-Unsubscribe']}`.length).toBeLessThan(200)

    const link = { publicationId, key: keyOf('reminder') }
    expect(await stopByLink(asVisitor(), link)).toEqual({ what: 'reminder', isStopped: false })
    for (const _ of [1, 2]) await stopEmails(asVisitor(), { ...link, isStopped: true })
    expect(await stopByLink(asVisitor(), link)).toEqual({ what: 'reminder', isStopped: true })
    const history = () =>
      services.db.query<{ note: string }>(`SELECT note FROM reader_events WHERE reader_id = :readerId ORDER BY id`, {
        readerId,
      })
    expect((await history()).map(({ note }) => note)).toContain('Renewal reminders stopped')
    await services.db.run(`DELETE FROM emails`)
    expect(await sendReminder(services.as(system), about)).toBe(false)

    await stopEmails(asVisitor(), { ...link, isStopped: false })
    expect(await sendReminder(services.as(system), about)).toBe(true)
    expect((await history()).map(({ note }) => note)).toEqual([
      'Renewal reminders stopped',
      'Renewal reminders allowed again',
    ])
  })

  it('is not sent when the end of its subscription has changed', async () => {
    const { reminder } = await makeFixture()
    expect(await sendReminder(services.as(system), await reminder('2026-12-31'))).toBe(false)
  })

  it('is not sent once its subscription has ended, and its row says so', async () => {
    const { readerId } = await makeFixture()
    const { about, emailKey } = await plannedReminder(services, readerId, endsOn)
    const savedNow = new Date(services.clock.now)
    services.clock.now = new Date('2027-01-31T23:30:00Z')
    expect(await sendReminder(services.as(system), about)).toBe(true)
    await services.db.run(`DELETE FROM emails`)
    services.clock.now = new Date('2027-02-01T00:30:00Z')
    expect(await sendReminder(services.as(system), about)).toBe(false)
    expect(await Emails.find(services, { emailKey })).toMatchObject({
      state: 'dropped',
      attempts: 0,
      lastAnswer: 'Its last day has passed',
    })
    services.clock.now = savedNow
  })

  it.each([
    ['made up', (key: string) => `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`],
    ['of another reader', (key: string) => key.replace(/^r\.\w+/, 'r.1')],
    ['of the other kind', (key: string) => key.replace(/^r/, 'o')],
    ['empty', () => ''],
  ])('is not stopped by a key that is %s', async (_, forged) => {
    const { publicationId, readerId, keyOf } = await makeFixture()
    const link = { publicationId, key: forged(keyOf('reminder')) }
    await expect(stopByLink(asVisitor(), link)).rejects.toMatchObject({ kind: 'notFound' })
    await expect(stopEmails(asVisitor(), { ...link, isStopped: true })).rejects.toMatchObject({ kind: 'notFound' })
    expect(await remindersStoppedAt(services, { readerId, publicationId })).toBeNull()
  })

  it('stays stopped when the record is merged, and for that record alone when the merge is undone', async () => {
    const { publicationId, readerId, make, keyOf } = await makeFixture()
    const survivorId = await make('ann.two@example.test')
    await stopEmails(asVisitor(), { publicationId, key: keyOf('reminder'), isStopped: true })
    const { mergeId } = await mergeReaders(services.as(operator), {
      publicationId,
      readerIds: [survivorId, readerId],
      survivorId,
    })
    expect(await remindersStoppedAt(services, { readerId: survivorId, publicationId })).not.toBeNull()
    await undoMerge(services.as(operator), { mergeId })
    expect(await remindersStoppedAt(services, { readerId: survivorId, publicationId })).toBeNull()
    expect(await remindersStoppedAt(services, { readerId, publicationId })).not.toBeNull()
  })

  it('is stopped for the survivor by the link of a record that was merged away, even after several merges', async () => {
    const { publicationId, readerId, make, keyOf } = await makeFixture()
    const secondId = await make('ann.two@example.test')
    const thirdId = await make('ann.three@example.test')
    const merge = (removed: number, survivorId: number) =>
      mergeReaders(services.as(operator), { publicationId, readerIds: [removed, survivorId], survivorId })
    await merge(readerId, secondId)
    const { mergeId } = await merge(secondId, thirdId)
    const link = { publicationId, key: keyOf('reminder') }
    expect(await stopByLink(asVisitor(), link)).toEqual({ what: 'reminder', isStopped: false })
    await stopEmails(asVisitor(), { ...link, isStopped: true })
    expect(await stopByLink(asVisitor(), link)).toEqual({ what: 'reminder', isStopped: true })
    expect(await acceptsMail(services, { readerId: thirdId, publicationId, what: 'reminder' })).toBe(false)
    await undoMerge(services.as(operator), { mergeId })
    expect(await acceptsMail(services, { readerId: secondId, publicationId, what: 'reminder' })).toBe(false)
    await stopEmails(asVisitor(), { ...link, isStopped: false })
    expect(await acceptsMail(services, { readerId: secondId, publicationId, what: 'reminder' })).toBe(true)
    // The second record is no longer a part of this reader, so the link has no effect here.
    expect(await acceptsMail(services, { readerId: thirdId, publicationId, what: 'reminder' })).toBe(false)
  })
})

it('staff stop reminders at a reader’s request, only for their own readers', async () => {
  const { publicationId, publisherId, readerId } = await makeFixture()
  const staff = services.as(await actorOf(services, 'admin', publisherId))
  const stranger = services.as(await actorOf(services, 'publisher'))
  await expect(setReminders(stranger, { id: readerId, isStopped: true })).rejects.toMatchObject({ kind: 'notFound' })
  expect((await getReader(staff, { id: readerId })).remindersStoppedAt).toBeNull()
  expect(await setReminders(staff, { id: readerId, isStopped: true })).toEqual({ changed: true })
  expect(await setReminders(staff, { id: readerId, isStopped: true })).toEqual({ changed: false })
  expect((await getReader(staff, { id: readerId })).remindersStoppedAt).toEqual(services.now())
  expect(await acceptsMail(services, { readerId, publicationId, what: 'reminder' })).toBe(false)
})

describe('an offer', () => {
  it('goes only to readers who have bought something and accept offers; one link refuses them', async () => {
    const shop = await makeShop(services)
    const optOuts = { pubOffers: false }
    const { orderId } = await placeOrder(asVisitor(), orderForm(shop, { email: 'ann@example.test', optOuts }))
    const readerId = (await Orders.find(services, { id: orderId }))?.readerId ?? 0
    const offer = { readerId, publicationId: shop.id, what: 'offer' } as const
    const { publicationId } = offer
    const imported = await makeReader(services, publicationId, { email: 'bob@example.test' })
    expect(await acceptsMail(services, { ...offer, readerId: imported })).toBe(false)
    expect(await acceptsMail(services, offer)).toBe(true)
    const key = stopKey(services.settings.appSecret, offer)
    await stopEmails(asVisitor(), { publicationId, key, isStopped: true })
    expect(await acceptsMail(services, offer)).toBe(false)
    expect(await acceptsMail(services, { ...offer, what: 'reminder' })).toBe(true)
  })

  it('can be stopped and allowed again by its link after the order was refunded', async () => {
    const shop = await makeShop(services)
    const form = orderForm(shop, { email: 'ann@example.test', optOuts: { pubOffers: false } })
    const { orderId } = await placeOrder(asVisitor(), form)
    const readerId = (await Orders.find(services, { id: orderId }))?.readerId ?? 0
    const staff = services.as(await actorOf(services, 'publisher', shop.publisherId))
    await refundOrder(staff, { id: orderId, scope: 'whole' })
    expect(await acceptsMail(services, { readerId, publicationId: shop.id, what: 'offer' })).toBe(false)
    const link = { publicationId: shop.id, key: stopKey(services.settings.appSecret, { readerId, what: 'offer' }) }
    expect(await stopByLink(asVisitor(), link)).toEqual({ what: 'offer', isStopped: false })
    for (const isStopped of [true, false]) {
      await stopEmails(asVisitor(), { ...link, isStopped })
      expect(await stopByLink(asVisitor(), link)).toEqual({ what: 'offer', isStopped })
    }
  })

  it('is refused for the survivor by the link of a record that was merged away', async () => {
    const shop = await makeShop(services)
    const form = orderForm(shop, { email: 'ann@example.test', optOuts: { pubOffers: false } })
    const { orderId } = await placeOrder(asVisitor(), form)
    const readerId = (await Orders.find(services, { id: orderId }))?.readerId ?? 0
    const survivorId = await makeReader(services, shop.id, { email: 'ann.two@example.test' })
    const readers = { publicationId: shop.id, readerIds: [readerId, survivorId], survivorId }
    await mergeReaders(services.as(operator), readers)
    const offer = { readerId: survivorId, publicationId: shop.id, what: 'offer' } as const
    expect(await acceptsMail(services, offer)).toBe(true)
    const link = { publicationId: shop.id, key: stopKey(services.settings.appSecret, { readerId, what: 'offer' }) }
    expect(await stopByLink(asVisitor(), link)).toEqual({ what: 'offer', isStopped: false })
    await stopEmails(asVisitor(), { ...link, isStopped: true })
    expect(await acceptsMail(services, offer)).toBe(false)
  })
})

describe('the stop link of an offer to a record that was removed since', () => {
  const { importInto } = readerFiles(() => services)
  const makeAcceptingReader = async () => {
    const shop = await makeShop(services)
    const make = (pubOffers = false) =>
      makeReader(services, shop.id, { email: 'ann@example.test', subType: 'print', pubOffers })
    const readerId = await make()
    const key = stopKey(services.settings.appSecret, { readerId, what: 'offer' })
    const link = { publicationId: shop.id, key }
    const stop = async (isStopped = true) => {
      const answer = await stopEmails(asVisitor(), { ...link, isStopped })
      expect(await stopByLink(asVisitor(), link)).toEqual(answer)
      return answer
    }
    const refuses = async () => (await Readers.find(services, { id: readerId }))?.pubOffers
    return { shop, readerId, make, stop, refuses }
  }

  it('counts when staff restore the record', async () => {
    const { readerId, stop, refuses } = await makeAcceptingReader()
    const ctx = services.as(operator)
    for (const isStopped of [true, false, true]) {
      await removeReader(ctx, { id: readerId })
      expect(await stop(isStopped)).toEqual({ what: 'offer', isStopped })
      await restoreReader(ctx, { id: readerId })
      expect(await refuses()).toBe(isStopped)
    }
  })

  it('counts when the import that removed the record is undone', async () => {
    const { shop, stop, refuses } = await makeAcceptingReader()
    const { uploadId } = await importInto(shop, 'UniqueReference,LastName\nANOTHER,Bo\n', 'replace')
    expect(await refuses()).toBeUndefined()
    await stop()
    await undoImport(services.as(operator), { uploadId })
    expect(await refuses()).toBe(true)
  })

  it('counts when an earlier import is undone after the one that removed the record', async () => {
    const { shop, readerId, stop, refuses } = await makeAcceptingReader()
    const reference = (await Readers.find(services, { id: readerId }))?.uniqueReference
    const combineImport = await importInto(shop, `UniqueReference,City\n${reference},Ely\n`, 'combine')
    const replaceImport = await importInto(shop, 'UniqueReference,LastName\nANOTHER,Bo\n', 'replace')
    await stop()
    for (const { uploadId } of [replaceImport, combineImport]) await undoImport(services.as(operator), { uploadId })
    expect(await refuses()).toBe(true)
  })

  it('counts when the record is restored, and the merge before it can no longer be undone', async () => {
    const { shop, readerId, make, stop, refuses } = await makeAcceptingReader()
    const ctx = services.as(operator)
    const readerIds = [readerId, await make()]
    const { mergeId } = await mergeReaders(ctx, { publicationId: shop.id, readerIds, survivorId: readerId })
    await removeReader(ctx, { id: readerId })
    await stop()
    await restoreReader(ctx, { id: readerId })
    await expect(undoMerge(ctx, { mergeId })).rejects.toMatchObject({ kind: 'conflict' })
    expect(await refuses()).toBe(true)
  })

  it('counts when the merge of the record into one that already refuses offers is undone', async () => {
    const { shop, readerId, make, stop, refuses } = await makeAcceptingReader()
    const survivorId = await make(true)
    const readers = { publicationId: shop.id, readerIds: [readerId, survivorId], survivorId }
    const { mergeId } = await mergeReaders(services.as(operator), readers)
    await stop()
    await undoMerge(services.as(operator), { mergeId })
    expect(await refuses()).toBe(true)
  })
})

describe('the stop link of an offer to a record that refuses offers already', () => {
  const { importInto } = readerFiles(() => services)
  const makeAccepting = async () => {
    const shop = await makeShop(services)
    const readerId = await makeReader(services, shop.id, { uniqueReference: 'ANN', pubOffers: false })
    const key = stopKey(services.settings.appSecret, { readerId, what: 'offer' })
    const stop = () => stopEmails(asVisitor(), { publicationId: shop.id, key, isStopped: true })
    const refuses = async () => (await Readers.find(services, { id: readerId }))?.pubOffers
    return { shop, readerId, stop, refuses }
  }

  it('counts when the merge that made it refuse them is undone, and when that record was merged as well', async () => {
    const { shop, readerId, stop, refuses } = await makeAccepting()
    const ctx = services.as(operator)
    const mergeInto = async (survivorId: number, otherId: number) =>
      (await mergeReaders(ctx, { publicationId: shop.id, readerIds: [survivorId, otherId], survivorId })).mergeId
    const first = await mergeInto(readerId, await makeReader(services, shop.id, { pubOffers: true }))
    expect(await refuses()).toBe(true)
    const second = await mergeInto(await makeReader(services, shop.id, { pubOffers: true }), readerId)
    await stop()
    for (const mergeId of [second, first]) await undoMerge(ctx, { mergeId })
    expect(await refuses()).toBe(true)
  })

  it('counts when the import that made it refuse them is undone', async () => {
    const { shop, stop, refuses } = await makeAccepting()
    const { uploadId } = await importInto(shop, 'UniqueReference,PubOffers\nANN,TRUE\n', 'combine')
    expect(await refuses()).toBe(true)
    await stop()
    expect(await undoImport(services.as(operator), { uploadId })).toMatchObject({ restored: 1, leftAlone: 0 })
    expect(await refuses()).toBe(true)
  })
})
