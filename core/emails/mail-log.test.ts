import { beforeAll, describe, expect, it } from 'vitest'
import { type Actor, visitor } from '#core/access/actor.ts'
import { recordDeliveryEvent } from '#core/bounces/record-delivery-event.ts'
import { checkBuyerReset } from '#core/buyers/check-buyer-reset.ts'
import { requestBuyerReset } from '#core/buyers/request-buyer-reset.ts'
import { mergeReaders } from '#core/duplicates/merge-readers.ts'
import { cleanUp } from '#core/maintenance/clean-up.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { removeReader } from '#core/readers/remove-reader.ts'
import { restoreReader } from '#core/readers/restore-reader.ts'
import { mailSender } from '#tests/support/emails.ts'
import { actorOf, makeBuyer, system } from '#tests/support/factories.ts'
import { readerFiles } from '#tests/support/reader-files.ts'
import { makeReader } from '#tests/support/readers.ts'
import { plannedReminder } from '#tests/support/series.ts'
import { makeShop, orderForm } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { runWorker } from '#tests/support/worker.ts'
import { bodyOf } from './email-bodies.rows.ts'
import { Emails } from './emails.rows.ts'
import { getSentMail, listMailLog, loggedEmails } from './mail-log.query.ts'
import { resendMail } from './resend-mail.ts'
import { stopEmails } from './stop-emails.ts'
import { stopKey } from './stop-link.ts'
import { tryMailAddress } from './try-mail-address.ts'

const sendReminder = mailSender('renewal-reminder')
const sendClaim = mailSender('claim-link')
const endsOn = '2027-01-31'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices({ APP_URL: 'https://subscriptions.example.test' })
})

/** A publication with its publisher, and a reader who was reminded. */
async function makeFixture() {
  const shop = await makeShop(services)
  const actor = await actorOf(services, 'publisher', shop.publisherId)
  const make = (fields: Record<string, string>) =>
    makeReader(services, shop.id, { subType: 'print', subEndOn: endsOn, ...fields })
  const remind = async (readerId: number) => {
    const { about, emailKey } = await plannedReminder(services, readerId, endsOn)
    await sendReminder(services.as(system), about)
    const row = await Emails.find(services, { emailKey })
    if (!row) throw new Error('The reminder left no row')
    return row
  }
  return { shop, publicationId: shop.id, actor, make, remind, log: logOf(actor, shop.id) }
}

function logOf(actor: Actor, publicationId: number) {
  return (input: Record<string, unknown> = {}) => listMailLog(services.as(actor), { publicationId, ...input })
}

const newKey = () => `press-${Math.random().toString(36).slice(2, 12)}`
const newestEmail = async () => (await services.mail.devMailbox?.list(1))?.[0]

describe('the stored body', () => {
  it('is the email as it was sent, without working links', async () => {
    const { shop, make, remind } = await makeFixture()
    const { id: buyerId, email } = await makeBuyer(services, shop.id)
    await requestBuyerReset(services.as(visitor), { publicationId: shop.id, email })
    await runWorker(services)
    const token = /\/resetsub\/([\w-]{43})\s/.exec((await newestEmail())?.text ?? '')?.[1] ?? ''
    expect(await checkBuyerReset(services.as(visitor), { token })).toMatchObject({ email })
    const readerId = await make({ email: 'ann@example.test' })
    await remind(readerId)
    const stop = stopKey(services.settings.appSecret, { readerId, what: 'reminder' })
    expect((await newestEmail())?.html).toContain(stop)

    const rows = await Emails.rows(
      services,
      `SELECT ${Emails.columns()} FROM emails WHERE publication_id = :id ORDER BY id`,
      {
        id: shop.id,
      },
    )
    expect(rows.map(({ template, buyerId: buyer, readerId: reader }) => [template, buyer, reader])).toEqual([
      ['buyer-reset-link', buyerId, null],
      ['renewal-reminder', null, readerId],
    ])
    const bodies = await Promise.all(rows.map(({ id }) => bodyOf(services, id)))
    for (const [index, secret] of [token, stop].entries()) {
      const { html = '', text = '' } = bodies[index] ?? {}
      for (const body of [html, text]) {
        expect(body).toContain('/hidden')
        expect(body).not.toContain(secret)
        // Nor any part of the secret.
        expect(body).not.toContain(secret.slice(-12))
      }
      expect(html).toContain('</html>')
    }
  })

  it('is deleted after the number of days that is set; with 0 it is never stored', async () => {
    const { make, remind } = await makeFixture()
    const { id } = await remind(await make({ email: 'ann@example.test' }))
    const savedNow = services.clock.now
    services.clock.advance({ days: 399 })
    await cleanUp(services.as(system), {})
    expect(await bodyOf(services, id)).not.toBeNull()
    services.clock.advance({ days: 2 })
    await cleanUp(services.as(system), {})
    expect(await bodyOf(services, id)).toBeNull()
    services.clock.now = savedNow
    const { mailBodyDays } = services.settings
    services.settings.mailBodyDays = 0
    const unstored = await remind(await make({ email: 'bob@example.test' }))
    expect(await bodyOf(services, unstored.id)).toBeNull()
    services.settings.mailBodyDays = mailBodyDays
  })

  it('is deleted with its reader once the removal is final, and the address and subject with it', async () => {
    const { shop, actor, make, remind, log } = await makeFixture()
    await placeOrder(
      services.as(visitor),
      orderForm(shop, { email: 'ann@example.test', confirmEmail: 'ann@example.test' }),
    )
    await runWorker(services)
    const readerId = await make({ email: 'ann@example.test', subType: 'digital' })
    await services.db.run(`UPDATE orders SET reader_id = :readerId WHERE publication_id = :id`, {
      readerId,
      id: shop.id,
    })
    await services.db.run(
      `UPDATE emails SET reader_id = :readerId WHERE template = 'order-receipt' AND publication_id = :id`,
      {
        readerId,
        id: shop.id,
      },
    )
    const { id } = await remind(readerId)
    await sendClaim(services.as(system), { readerId, key: 'one' })
    const otherReminder = await remind(await make({ email: 'bob@example.test' }))
    const answer = { lastAnswer: '550 ann@example.test is full', settled: [] }
    await Emails.update(services, { id }, answer)
    await removeReader(services.as(actor), { id: readerId })
    await cleanUp(services.as(system), {})
    expect(await bodyOf(services, id)).not.toBeNull()
    expect((await log({ q: 'ann@' })).emails).toHaveLength(3)
    expect((await log({ mail: 'claim-link' })).emails).toMatchObject([{ reader: null, to: 'ann@example.test' }])
    const savedNow = services.clock.now
    services.clock.advance({ days: 31 })
    await cleanUp(services.as(system), {})
    // Including the publication's own email about the order, which names its buyer.
    const emptied = (await log()).emails.filter((mail) => mail.id !== otherReminder.id)
    expect(emptied.map(({ mail }) => mail).sort()).toEqual([
      'claim-link',
      'order-notice',
      'order-receipt',
      'renewal-reminder',
    ])
    for (const mail of emptied) {
      expect(mail).toMatchObject({ to: '', subject: '', answer: '', reader: null })
      expect(await bodyOf(services, mail.id)).toBeNull()
    }
    expect((await log({ q: 'ann@' })).emails).toEqual([])
    const rows = await services.db.query(`SELECT * FROM emails WHERE publication_id = :id AND id <> :other`, {
      id: shop.id,
      other: otherReminder.id,
    })
    expect(JSON.stringify(rows)).not.toMatch(/ann@|full/i)
    expect((await log({ q: 'bob@' })).emails).toMatchObject([{ id: otherReminder.id, to: 'bob@example.test' }])
    expect(await bodyOf(services, otherReminder.id)).not.toBeNull()
    services.clock.now = savedNow
  })
})

describe('a reader whom an import changed', () => {
  const { importInto } = readerFiles(() => services)
  const remindedReader = async () => {
    const fixture = await makeFixture()
    const readerId = await fixture.make({ uniqueReference: 'CHANGED', email: 'ann@example.test' })
    const file = (city: string) => `UniqueReference,LastName,Email,City\nCHANGED,Tar,ann@example.test,${city}\n`
    const { id } = await fixture.remind(readerId)
    return { ...fixture, readerId, id, file }
  }
  const cleanAfter = async (days: number) => {
    services.clock.advance({ days })
    await cleanUp(services.as(system), {})
  }

  it('keeps the emails as long as staff can restore the reader, even when the import can no longer be undone', async () => {
    const { shop, actor, readerId, id, file } = await remindedReader()
    await importInto(shop, file('Truro'), 'combine')
    const savedNow = services.clock.now
    services.clock.advance({ days: 20 })
    await removeReader(services.as(actor), { id: readerId })
    await cleanAfter(11)
    await restoreReader(services.as(actor), { id: readerId })
    expect(await Emails.find(services, { id })).toMatchObject({ toAddress: 'ann@example.test' })
    expect(await bodyOf(services, id)).not.toBeNull()
    await removeReader(services.as(actor), { id: readerId })
    await cleanAfter(31)
    expect(await Emails.find(services, { id })).toMatchObject({ toAddress: '' })
    services.clock.now = savedNow
  })

  it('keeps the emails as long as a later import that removed the reader can be undone', async () => {
    const { shop, id, file } = await remindedReader()
    await importInto(shop, file('Truro'), 'combine')
    const savedNow = services.clock.now
    services.clock.advance({ days: 29 })
    await importInto(shop, file('Truro').replace('CHANGED', 'ANOTHER'), 'replace')
    await cleanAfter(2)
    expect(await Emails.find(services, { id })).toMatchObject({ toAddress: 'ann@example.test' })
    await cleanAfter(29)
    expect(await Emails.find(services, { id })).toMatchObject({ toAddress: '' })
    services.clock.now = savedNow
  })
})

describe('the log', () => {
  it('finds emails by address, subject, reader, order, kind, state and day', async () => {
    const { shop, publicationId, make, remind, log } = await makeFixture()
    await placeOrder(
      services.as(visitor),
      orderForm(shop, { email: 'Buyer@Example.test', confirmEmail: 'Buyer@Example.test' }),
    )
    await runWorker(services)
    const ann = await make({ email: 'ann@example.test', firstName: 'Ann', lastName: 'Tar' })
    const reminder = await remind(ann)
    const [order] = await services.db.query<{ order_number: string }>(
      `SELECT order_number FROM orders WHERE publication_id = :publicationId`,
      { publicationId },
    )
    const findMails = async (input: object) => (await log({ ...input })).emails.map(({ mail }) => mail).sort()
    const ofOrder = ['order-notice', 'order-receipt']
    expect(await findMails({})).toEqual([...ofOrder, 'renewal-reminder'])
    expect(await findMails({ q: 'ANN@ex' })).toEqual(['renewal-reminder'])
    expect(await findMails({ q: 'buyer@' })).toEqual(['order-receipt'])
    expect(await findMails({ q: 'your order' })).toEqual(['order-receipt'])
    expect(await findMails({ q: 'tar' })).toEqual(['renewal-reminder'])
    expect(await findMails({ q: order?.order_number.slice(3) })).toEqual(ofOrder)
    expect(await findMails({ q: 'nobody' })).toEqual([])
    expect(await findMails({ mail: 'order-receipt' })).toEqual(['order-receipt'])
    expect(await findMails({ state: 'refused' })).toEqual([])
    expect(await findMails({ state: 'sent', q: 'tar', mail: 'renewal-reminder' })).toEqual(['renewal-reminder'])
    expect(await findMails({ readerId: ann })).toEqual(['renewal-reminder'])
    expect(await findMails({ from: '22/11/2026' })).toEqual([])
    expect(await findMails({ from: '21/11/2026', to: '21/11/2026' })).toHaveLength(3)
    await Emails.update(services, { id: reminder.id }, { state: 'refused', lastAnswer: '550 No such user' })
    expect((await log({ state: 'refused' })).emails).toMatchObject([
      { answer: '550 No such user', state: 'refused', tries: 1, reader: { id: ann, name: 'Ann Tar' } },
    ])
    const offered = loggedEmails.map(({ name }) => name)
    expect(offered).toEqual(expect.arrayContaining([...ofOrder, 'renewal-reminder']))
    // An invitation, say, is filed under no publication.
    expect(offered).not.toContain('invitation')
    await expect(log({ from: 'soon' })).rejects.toMatchObject({ kind: 'invalid' })
    await expect(log({ from: '22/11/2026', to: '21/11/2026' })).rejects.toMatchObject({ kind: 'invalid' })
  })

  it('pages from an email in both directions, even in a search', async () => {
    const { make, remind, log } = await makeFixture()
    const ids: number[] = []
    for (let n = 0; n < 25; n++) ids.unshift((await remind(await make({ email: `r${n}@example.test` }))).id)
    for (const q of [undefined, 'r']) {
      const firstPage = await log({ size: 10, q })
      expect(firstPage.emails.map(({ id }) => id)).toEqual(ids.slice(0, 10))
      expect(firstPage.newer).toBeNull()
      const secondPage = await log({ size: 10, q, before: firstPage.older })
      expect(secondPage.emails.map(({ id }) => id)).toEqual(ids.slice(10, 20))
      const thirdPage = await log({ size: 10, q, before: secondPage.older })
      expect(thirdPage).toMatchObject({ older: null, emails: { length: 5 } })
      expect((await log({ size: 10, q, after: thirdPage.newer })).emails).toEqual(secondPage.emails)
      expect(await log({ size: 10, q, after: secondPage.newer })).toMatchObject({
        newer: null,
        emails: firstPage.emails,
      })
    }
  })

  it('shows only the emails of the user’s own publisher', async () => {
    const { publicationId, make, remind } = await makeFixture()
    const { id } = await remind(await make({ email: 'ann@example.test' }))
    const otherFixture = await makeFixture()
    await expect(logOf(otherFixture.actor, publicationId)()).rejects.toMatchObject({ kind: 'notFound' })
    for (const asking of [getSentMail, (ctx: never) => resendMail(ctx, { id, key: newKey() })])
      await expect(asking(services.as(otherFixture.actor) as never, { id })).rejects.toMatchObject({ kind: 'notFound' })
    const mailer = await actorOf(services, 'mailer', otherFixture.shop.publisherId)
    await expect(logOf(mailer, otherFixture.publicationId)()).rejects.toMatchObject({ kind: 'denied' })
  })

  it('moves with a record that is merged', async () => {
    const { publicationId, actor, make, remind, log } = await makeFixture()
    const survivorId = await make({ email: 'ann@example.test' })
    const mergedId = await make({ email: 'ann@example.test' })
    const { id } = await remind(mergedId)
    const readers = { readerIds: [survivorId, mergedId], survivorId }
    await mergeReaders(services.as(actor), { publicationId, ...readers })
    expect((await log({ readerId: survivorId })).emails).toMatchObject([{ id }])
  })
})

describe('an email that is sent again', () => {
  it('is written from current data, once per request, with an entry in the activity log', async () => {
    const { publicationId, actor, make, remind, log } = await makeFixture()
    const readerId = await make({ email: 'old@example.test' })
    const { id } = await remind(readerId)
    await services.db.run(`UPDATE readers SET email = 'new@example.test' WHERE id = :readerId`, { readerId })
    const requestKey = newKey()
    for (const _ of [1, 2])
      expect(await resendMail(services.as(actor), { id, key: requestKey })).toEqual({
        to: 'new@example.test',
        title: 'Renewal Template',
      })
    await runWorker(services)
    expect((await log()).emails.map(({ to }) => to)).toEqual(['new@example.test', 'old@example.test'])
    expect(
      await services.db.query(
        `SELECT action FROM audit_log WHERE action = 'resend-mail' AND subject_id = :publicationId`,
        {
          publicationId,
        },
      ),
    ).toHaveLength(2)
    await resendMail(services.as(actor), { id, key: newKey() })
    await expect(resendMail(services.as(actor), { id, key: newKey() })).rejects.toMatchObject({ kind: 'tooMany' })
  })

  it('goes to an address that bounced, once staff have it tried again, even if no reader has it', async () => {
    const { shop, publicationId, actor, log } = await makeFixture()
    const order = orderForm(shop, { email: 'buyer@example.test', confirmEmail: 'buyer@example.test' })
    await placeOrder(services.as(visitor), order)
    await runWorker(services)
    const staff = services.as(actor)
    for (const template of ['order-notice', 'order-receipt'] as const) {
      const row = await Emails.find(services, { template, publicationId })
      if (!row) throw new Error(`There is no ${template}`)
      const { id, toAddress } = row
      expect((await getSentMail(staff, { id })).addressProblem).toBeNull()
      const event = { key: `bounce:${id}`, kind: 'hard' as const, at: null, status: '5.1.1', answer: '550 Gone' }
      await services.db.transaction(() => recordDeliveryEvent(staff, row, { ...event, address: toAddress }))
      expect((await getSentMail(staff, { id })).addressProblem).toBe('bounces')
      const message = expect.stringContaining('mail log')
      await expect(resendMail(staff, { id, key: newKey() })).rejects.toMatchObject({ kind: 'conflict', message })
      const otherFixture = await makeFixture()
      await expect(tryMailAddress(services.as(otherFixture.actor), { id })).rejects.toMatchObject({ kind: 'notFound' })
      expect(await tryMailAddress(staff, { id })).toEqual({ to: toAddress, changed: true })
      expect((await getSentMail(staff, { id })).addressProblem).toBeNull()
      expect(await tryMailAddress(staff, { id })).toEqual({ to: toAddress, changed: false })
      expect(await resendMail(staff, { id, key: newKey() })).toMatchObject({ to: toAddress })
    }
    await runWorker(services)
    expect((await log({ state: 'sent' })).emails).toHaveLength(4)
  })

  it('goes to an address that refused this one email, once staff have it tried again', async () => {
    const { actor, make, remind } = await makeFixture()
    const { id } = await remind(await make({ email: 'ann@example.test' }))
    await Emails.update(services, { id }, { state: 'refused', lastAnswer: '550 5.7.1 Looks like spam' })
    const staff = services.as(actor)
    expect((await getSentMail(staff, { id })).addressProblem).toBe('refused')
    await expect(resendMail(staff, { id, key: newKey() })).rejects.toMatchObject({ kind: 'conflict' })
    expect(await tryMailAddress(staff, { id })).toMatchObject({ changed: true })
    expect(await resendMail(staff, { id, key: newKey() })).toMatchObject({ to: 'ann@example.test' })
  })

  it('is refused when it would be empty, has no recipient, or contains a log-in link', async () => {
    const { shop, publicationId, actor, make, remind } = await makeFixture()
    const refused = (id: number) => expect(resendMail(services.as(actor), { id, key: newKey() })).rejects
    const { email } = await makeBuyer(services, shop.id)
    await requestBuyerReset(services.as(visitor), { publicationId, email })
    await runWorker(services)
    const link = await Emails.find(services, { template: 'buyer-reset-link', publicationId })
    await refused(link?.id ?? 0).toMatchObject({ kind: 'conflict', message: expect.stringContaining('works once') })

    const readerId = await make({ email: 'ann@example.test', subType: 'digital' })
    await sendClaim(services.as(system), { readerId, key: 'one' })
    const claim = await Emails.find(services, { template: 'claim-link', publicationId })
    const open = () => services.db.query(`SELECT id FROM account_claims WHERE used_at IS NULL ORDER BY id`)
    const before = await open()
    await refused(claim?.id ?? 0).toMatchObject({ kind: 'conflict', message: expect.stringContaining('works once') })
    expect(await open()).toEqual(before)
    const { id } = await remind(readerId)
    const change = (changes: Partial<NonNullable<typeof link>>) => Emails.update(services, { id }, changes)
    await change({ state: 'waiting' })
    await refused(id).toMatchObject({ message: expect.stringContaining('still on its way') })
    await change({ state: 'refused', lastAnswer: '550 No such user' })
    await refused(id).toMatchObject({ message: expect.stringContaining('ann@example.test does not accept it: 550') })
    await change({ state: 'sent' })
    const stop = { publicationId, key: stopKey(services.settings.appSecret, { readerId, what: 'reminder' }) }
    await stopEmails(services.as(visitor), { ...stop, isStopped: true })
    await refused(id).toMatchObject({ message: expect.stringContaining('does not accept such emails') })
    await stopEmails(services.as(visitor), { ...stop, isStopped: false })
    const savedNow = services.clock.now
    services.clock.now = new Date('2027-02-02T10:00:00Z')
    await refused(id).toMatchObject({ message: expect.stringContaining('Its last day has passed') })
    services.clock.now = savedNow
    await change({ about: null })
    await refused(id).toMatchObject({ message: expect.stringContaining('older release') })
    await removeReader(services.as(actor), { id: readerId })
    await refused(id).toMatchObject({ message: expect.stringContaining('reader was removed') })
  })
})
