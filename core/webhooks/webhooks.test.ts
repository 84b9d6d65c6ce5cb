import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { mergeReaders } from '#core/duplicates/merge-readers.ts'
import { undoMerge } from '#core/duplicates/undo-merge.ts'
import { sendMail } from '#core/emails/send-mail.ts'
import { importFile } from '#core/imports/import-file.ts'
import { undoImport } from '#core/imports/undo-import.ts'
import { cleanUp } from '#core/maintenance/clean-up.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { refundOrder } from '#core/orders/refund-order.ts'
import { addReader } from '#core/readers/add-reader.ts'
import { editReader } from '#core/readers/edit-reader.ts'
import { recordEndedSubscriptions } from '#core/readers/record-ended-subscriptions.ts'
import { removeReader } from '#core/readers/remove-reader.ts'
import { restoreReader } from '#core/readers/restore-reader.ts'
import { stopRenewal } from '#core/renewals/stop-renewal.ts'
import { queuedEmails } from '#tests/support/emails.ts'
import { actorOf, makePublication, system } from '#tests/support/factories.ts'
import { atFileEnd } from '#tests/support/file-end.ts'
import { makeReader } from '#tests/support/readers.ts'
import { makeShop, orderForm } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { pieces } from '#tests/support/uploads.ts'
import { openWebhookReceiver, verified, type WebhookReceiver } from '#tests/support/webhook-receiver.ts'
import { withRunningWorker } from '#tests/support/worker.ts'
import { visitor } from '../access/actor.ts'
import { PaymentAgreements } from '../agreements/payment-agreements.rows.ts'
import type { AppContext } from '../context.ts'
import {
  addWebhook,
  changeWebhook,
  pauseWebhook,
  removeWebhook,
  replaceWebhookSecret,
  replayWebhooks,
  resumeWebhook,
  sendTestWebhook,
} from './change-webhooks.ts'
import { startWebhookLoop } from './deliver-webhooks.ts'
import { getWebhook, listWebhooks } from './list-webhooks.query.ts'
import { queueWebhooks } from './queue-webhooks.ts'
import { type WebhookEvent, webhookEventTypes } from './webhook-events.rules.ts'

let services: TestServices
let receiver: WebhookReceiver
beforeAll(async () => {
  services = await openTestServices({ WEBHOOKS_TO_LOOPBACK: '1' })
  atFileEnd(() => services.webhooks.close())
})
beforeEach(async () => {
  receiver = await openWebhookReceiver()
  // The library of Standard Webhooks uses the machine's clock.
  services.clock.now = new Date()
})

/** Sends what is due at the current time of the test's clock. */
async function deliver(limits: Parameters<typeof startWebhookLoop>[2] = {}): Promise<void> {
  const loop = startWebhookLoop(services, 60_000, limits)
  await loop.idle()
  await loop.stop()
}

async function publisherWith(events: readonly WebhookEvent[] = webhookEventTypes) {
  const shop = await makeShop(services)
  const owner = services.as(await actorOf(services, 'publisher', shop.publisherId))
  const webhook = await addWebhook(owner, { url: receiver.url, events: [...events] })
  return { shop, owner, ...webhook }
}

/** The events that the receiver got since the last call, in order of arrival. */
const takeReceived = (secret: string) => receiver.received.splice(0).map((request) => verified(request, secret))
const deliveriesOf = async (owner: AppContext, webhookId: number) => (await getWebhook(owner, { webhookId })).deliveries

const pauseEmails = async (webhookId: number) =>
  (await queuedEmails(services, 'webhook-paused')).filter(({ about }) => about.webhookId === webhookId)

describe('the events', () => {
  it('of a purchase: the reader, the subscription and the order, only by ids, signed and in this order', async () => {
    const { shop, owner, id, secret } = await publisherWith()
    const { orderId } = await placeOrder(services.as(visitor), orderForm(shop, { plan: '1PR25.00' }))
    await deliver()
    const events = takeReceived(secret)
    const { readerId } = events[0]?.data ?? {}
    expect(readerId).toEqual(expect.any(Number))
    const about = { publicationId: shop.id, readerId }
    expect(events.map(({ type, version, data }) => ({ type, version, data }))).toEqual([
      { type: 'reader.added', version: 1, data: about },
      { type: 'subscription.started', version: 1, data: { ...about, orderId } },
      { type: 'order.paid', version: 1, data: { ...about, orderId } },
    ])
    expect(events.map(({ timestamp }) => timestamp)).toEqual(Array(3).fill(services.now().toISOString()))
    expect(
      (await deliveriesOf(owner, id)).map(({ type, state, attempts, lastStatus }) => [
        type,
        state,
        attempts,
        lastStatus,
      ]),
    ).toEqual(['order.paid', 'subscription.started', 'reader.added'].map((type) => [type, 'done', 1, 204]))
    const agreement = await PaymentAgreements.find(services, { orderId })
    await stopRenewal(owner, { agreementId: agreement?.id })
    await refundOrder(owner, { id: orderId, scope: 'whole', method: 'hand', reason: 'A slip' })
    await deliver()
    const laterEvents = takeReceived(secret)
    expect(laterEvents.map(({ type }) => type).sort()).toEqual([
      'order.refunded',
      'reader.changed',
      'subscription.cancelled',
    ])
    expect(laterEvents.find(({ type }) => type === 'subscription.cancelled')?.data).toEqual({
      ...about,
      reason: 'staff',
    })
    expect(laterEvents.find(({ type }) => type === 'order.refunded')?.data).toEqual({
      ...about,
      orderId,
      refundId: expect.any(Number),
      reason: 'refund',
    })
  })

  it('of readers that staff add, change, merge, remove and restore', async () => {
    const { shop, owner, secret } = await publisherWith()
    const { id } = await addReader(owner, { publicationId: shop.id, lastName: 'Lee' })
    const otherReader = await makeReader(services, shop.id, { lastName: 'Lee' })
    await editReader(owner, { id, lastName: 'Leigh' })
    await editReader(owner, { id, lastName: 'Leigh' })
    const { mergeId } = await mergeReaders(owner, {
      publicationId: shop.id,
      readerIds: [id, otherReader],
      survivorId: id,
    })
    await undoMerge(owner, { mergeId })
    await removeReader(owner, { id })
    await restoreReader(owner, { id })
    await deliver()
    const about = (readerId: number | null) => ({ publicationId: shop.id, readerId })
    const events = takeReceived(secret).map(({ type, data }) => ({ type, data }))
    expect(events.filter(({ data }) => data.readerId === id)).toEqual([
      { type: 'reader.added', data: about(id) },
      { type: 'reader.changed', data: about(id) },
      { type: 'reader.merged', data: { ...about(id), mergedReaderIds: [otherReader] } },
      { type: 'reader.changed', data: about(id) },
      // While they were merged, this record had the subscription of the other one.
      { type: 'subscription.ended', data: about(id) },
      { type: 'reader.erased', data: about(id) },
      { type: 'reader.added', data: about(id) },
    ])
    expect(events.filter(({ data }) => data.readerId === otherReader)).toEqual([
      { type: 'reader.added', data: about(otherReader) },
    ])
  })

  it('of an import: that it is done, and no rows', async () => {
    const { shop, owner, secret } = await publisherWith()
    await withRunningWorker(services, () =>
      importFile(owner, {
        publicationId: shop.id,
        mode: 'add',
        fileName: 'sent.csv',
        chunks: pieces('UniqueReference,LastName\nA1,Lee\nA2,Ray\n'),
      }),
    )
    await deliver()
    expect(takeReceived(secret).map(({ type, data }) => ({ type, data }))).toEqual([
      {
        type: 'import.done',
        data: { publicationId: shop.id, importId: expect.any(Number), state: 'done', added: 2, changed: 0, removed: 0 },
      },
    ])
  })

  it('of an import that is undone: what the undo added, changed and removed', async () => {
    const { shop, owner, secret } = await publisherWith(['import.done'])
    const importRows = (mode: 'add' | 'replace', rows: string) =>
      withRunningWorker(services, () =>
        importFile(owner, {
          publicationId: shop.id,
          mode,
          fileName: 'sent.csv',
          chunks: pieces(`UniqueReference,LastName\n${rows}`),
        }),
      )
    await importRows('add', 'A1,Lee\nA2,Ray\nA3,Day\n')
    await importRows('replace', 'A1,Leigh\nB1,Poe\nB2,Orr\nB3,Fry\n')
    await deliver()
    const importId = takeReceived(secret).at(-1)?.data.importId
    await undoImport(owner, { uploadId: importId })
    await deliver()
    expect(takeReceived(secret).map(({ type, data }) => ({ type, data }))).toEqual([
      {
        type: 'import.done',
        data: { publicationId: shop.id, importId, state: 'undone', added: 2, changed: 1, removed: 3 },
      },
    ])
  })

  it('of subscriptions whose last day has passed, once for each', async () => {
    const { shop, owner, id, secret } = await publisherWith(['subscription.ended'])
    const today = services.now().toISOString().slice(0, 10)
    const readerId = await makeReader(services, shop.id, { subEndOn: today })
    await makeReader(services, shop.id, { subEndOn: '2099-12-31' })
    const countQueued = async () => {
      await recordEndedSubscriptions(services.as(system), {})
      return (await deliveriesOf(owner, id)).length
    }
    expect(await countQueued()).toBe(0)
    services.clock.advance({ days: 1 })
    expect([await countQueued(), await countQueued()]).toEqual([1, 1])
    services.clock.now = new Date()
    await services.db.run(`UPDATE webhook_deliveries SET next_at = :now WHERE about_reader = :readerId`, {
      now: services.now(),
      readerId,
    })
    await deliver()
    expect(takeReceived(secret)).toMatchObject([
      { type: 'subscription.ended', data: { publicationId: shop.id, readerId } },
    ])
  })

  it('of an edit that moves a last day into the past are queued once; an import that does so has none for its rows', async () => {
    const { shop, owner, id } = await publisherWith(['subscription.ended', 'import.done'])
    await recordEndedSubscriptions(services.as(system), {})
    const added = await addReader(owner, {
      publicationId: shop.id,
      lastName: 'Lee',
      uniqueReference: 'E1',
      subType: 'print',
      subStartOn: '2020-01-01',
      subEndOn: '2099-12-31',
    })
    const types = async () => (await deliveriesOf(owner, id)).map(({ type }) => type)
    // The subscription ended before its record was added: this is not an event.
    await addReader(owner, {
      publicationId: shop.id,
      lastName: 'Old',
      subType: 'print',
      subStartOn: '2020-01-01',
      subEndOn: '2020-12-31',
    })
    await editReader(owner, { id: added.id, subEndOn: '2098-12-31' })
    expect(await types()).toEqual([])
    await editReader(owner, { id: added.id, subEndOn: '2021-12-31' })
    await editReader(owner, { id: added.id, subEndOn: '2020-12-31' })
    await recordEndedSubscriptions(services.as(system), {})
    expect(await types()).toEqual(['subscription.ended'])
    await editReader(owner, { id: added.id, subEndOn: '2099-12-31' })
    await withRunningWorker(services, () =>
      importFile(owner, {
        publicationId: shop.id,
        mode: 'combine',
        fileName: 'ended.csv',
        chunks: pieces('UniqueReference,SubExpiry\nE1,2021-12-31\n'),
      }),
    )
    expect(
      (await services.db.query(`SELECT sub_end_on FROM readers WHERE id = :id`, { id: added.id }))[0],
    ).toMatchObject({
      sub_end_on: '2021-12-31',
    })
    await recordEndedSubscriptions(services.as(system), {})
    expect(await types()).toEqual(['import.done', 'subscription.ended'])
  })

  it('of a subscription that loses its product, and of one that a merge shortens or its undo no longer extends', async () => {
    const { shop, owner, id } = await publisherWith(['subscription.ended'])
    await recordEndedSubscriptions(services.as(system), {})
    const addPrintReader = (lastName: string, subEndOn: string) =>
      addReader(owner, { publicationId: shop.id, lastName, subType: 'print', subStartOn: '2020-01-01', subEndOn })
    const cleared = await addPrintReader('Ray', '2099-12-31')
    await editReader(owner, { id: cleared.id, subType: '' })
    await editReader(owner, { id: cleared.id, lastName: 'Rae' })
    const survivor = await addPrintReader('Lee', '2020-12-31')
    const merged = await addPrintReader('Lee', '2099-12-31')
    const merge = { publicationId: shop.id, readerIds: [survivor.id, merged.id], survivorId: survivor.id }
    const { mergeId } = await mergeReaders(owner, merge)
    expect(await services.db.query('SELECT sub_end_on FROM readers WHERE id = :id', { id: survivor.id })).toEqual([
      { sub_end_on: '2099-12-31' },
    ])
    await undoMerge(owner, { mergeId })
    const [endless, ended] = [await addPrintReader('Day', '2100-01-01'), await addPrintReader('Day', '2020-12-31')]
    const readerIds = [endless.id, ended.id]
    await mergeReaders(owner, { publicationId: shop.id, readerIds, survivorId: endless.id })
    expect((await deliveriesOf(owner, id)).map(({ type }) => type)).toEqual(Array(3).fill('subscription.ended'))
    expect(await services.db.query('SELECT about_reader FROM webhook_deliveries ORDER BY id DESC LIMIT 3')).toEqual([
      { about_reader: endless.id },
      { about_reader: survivor.id },
      { about_reader: cleared.id },
    ])
  })

  it('are the chosen ones, sent only to their own publisher, and none from a rolled-back change', async () => {
    const { shop, owner, secret } = await publisherWith(['reader.added'])
    const stranger = await publisherWith()
    await addReader(owner, { publicationId: shop.id, lastName: 'Lee' })
    await expect(
      services.db.transaction(async () => {
        await queueWebhooks(owner, shop.id, { type: 'reader.added', readerId: 1 })
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    await queueWebhooks(owner, shop.id, { type: 'order.paid', readerId: 1 })
    await deliver()
    expect(takeReceived(secret).map(({ type }) => type)).toEqual(['reader.added'])
    expect(await deliveriesOf(stranger.owner, stranger.id)).toEqual([])
  })

  it('are not sent for an example title', async () => {
    const { owner, id } = await publisherWith()
    const { publisherId = 0 } = owner.actor as { publisherId?: number }
    const example = await makePublication(services, { publisherId, isExample: true })
    await queueWebhooks(owner, example.id, { type: 'reader.added', readerId: 1 })
    expect(await deliveriesOf(owner, id)).toEqual([])
  })
})

describe('a receiver that fails', () => {
  it('gets a merge before the readers that its undo has split off again', async () => {
    const { shop, owner, secret } = await publisherWith(['reader.added', 'reader.merged', 'reader.changed'])
    const survivorId = await makeReader(services, shop.id)
    const mergedId = await makeReader(services, shop.id)
    const { mergeId } = await mergeReaders(owner, {
      publicationId: shop.id,
      readerIds: [survivorId, mergedId],
      survivorId,
    })
    receiver.answer = (response) => response.writeHead(500).end()
    await deliver()
    takeReceived(secret)
    receiver.answer = (response) => response.writeHead(204).end()
    await undoMerge(owner, { mergeId })
    for (const seconds of [3, 7]) {
      services.clock.advance({ seconds })
      await deliver()
    }
    expect(takeReceived(secret).map(({ type, data }) => [type, data.readerId])).toEqual([
      ['reader.merged', survivorId],
      ['reader.changed', survivorId],
      ['reader.added', mergedId],
    ])
  })

  it('is retried with growing pauses; that reader’s other events wait, those of other readers do not', async () => {
    const { shop, owner, id, secret } = await publisherWith()
    receiver.answer = (response, { body }) => response.writeHead(body.includes('"readerId":1') ? 500 : 204).end('no')
    await queueWebhooks(owner, shop.id, { type: 'reader.added', readerId: 1 }, { type: 'reader.changed', readerId: 1 })
    await queueWebhooks(owner, shop.id, { type: 'reader.added', readerId: 2 })
    await deliver()
    expect(takeReceived(secret).map(({ type, data }) => [type, data.readerId])).toEqual([
      ['reader.added', 1],
      ['reader.added', 2],
    ])
    expect((await deliveriesOf(owner, id)).map(({ state, attempts, problem }) => [state, attempts, problem])).toEqual([
      ['done', 1, null],
      ['waiting', 0, null],
      ['waiting', 1, 'Responded with 500'],
    ])
    const [, , failedDelivery] = await deliveriesOf(owner, id)
    expect(failedDelivery?.tries).toMatchObject([{ status: 500, answer: 'no', url: receiver.url }])
    await deliver()
    expect(takeReceived(secret)).toEqual([])
    receiver.answer = (response) => response.writeHead(200).end()
    services.clock.advance({ minutes: 1 })
    await deliver()
    const retriedIds = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(takeReceived(secret).map(({ type }) => type)).toEqual(['reader.added', 'reader.changed'])
    expect(retriedIds[0]).toBe(failedDelivery?.messageId)
  })

  it('for three days is given up and paused; once resumed, it can be sent failed events again', async () => {
    const { shop, owner, id, secret } = await publisherWith()
    receiver.answer = (response) => response.writeHead(503).end()
    await queueWebhooks(owner, shop.id, { type: 'reader.added', readerId: 7 })
    for (let hours = 0; hours < 80; hours += 4) {
      await deliver()
      services.clock.advance({ hours: 4 })
    }
    const [failed] = await deliveriesOf(owner, id)
    expect(failed).toMatchObject({ state: 'failed', lastStatus: 503, nextAt: null })
    expect(receiver.received.length).toBeGreaterThan(5)
    expect(new Set(receiver.received.splice(0).map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    await queueWebhooks(owner, shop.id, { type: 'reader.changed', readerId: 7 })
    await deliver()
    expect(await listWebhooks(owner, {})).toMatchObject([{ state: 'paused', pausedWhy: 'failing', waiting: 1 }])
    expect(await pauseEmails(id)).toHaveLength(1)
    await expect(replayWebhooks(owner, { webhookId: id })).rejects.toMatchObject({ kind: 'conflict' })
    receiver.received.splice(0)
    receiver.answer = (response) => response.writeHead(204).end()
    services.clock.now = new Date()
    await resumeWebhook(owner, { webhookId: id })
    expect(await replayWebhooks(owner, { webhookId: id })).toEqual({ replayed: 1 })
    expect(await replayWebhooks(owner, { webhookId: id })).toEqual({ replayed: 0 })
    await deliver()
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(takeReceived(secret).map(({ type }) => type)).toEqual(['reader.changed', 'reader.added'])
    expect(ids[1]).toBe(failed?.messageId)
    expect(await listWebhooks(owner, {})).toMatchObject([{ state: 'on', failingSince: null, waiting: 0 }])
  })

  it('with 410 gets nothing more until it is resumed', async () => {
    const { shop, owner, id } = await publisherWith()
    receiver.answer = (response) => response.writeHead(410).end()
    await queueWebhooks(owner, shop.id, { type: 'reader.added', readerId: 1 }, { type: 'reader.changed', readerId: 1 })
    await deliver()
    await queueWebhooks(owner, shop.id, { type: 'reader.added', readerId: 2 })
    await deliver()
    expect(receiver.received).toHaveLength(1)
    expect((await deliveriesOf(owner, id)).map(({ state, problem }) => [state, problem])).toEqual([
      ['failed', 'The receiver responded with 410 (Gone)'],
      ['failed', 'Responded with 410'],
    ])
    expect(await listWebhooks(owner, {})).toMatchObject([{ state: 'paused', pausedWhy: 'gone', waiting: 0 }])
    const [mail, ...others] = await pauseEmails(id)
    expect(others).toEqual([])
    expect(mail?.publisherId).toBe(shop.publisherId)
    await sendMail(services.as(system), { mail: 'webhook-paused', about: mail?.about ?? {} })
    const [sent] = await services.db.query<{ subject: string }>(
      `SELECT subject FROM emails WHERE template = 'webhook-paused' ORDER BY id DESC LIMIT 1`,
      {},
    )
    expect(sent?.subject).toBe('A webhook is paused')
    receiver.answer = (response) => response.writeHead(204).end()
    await resumeWebhook(owner, { webhookId: id })
    await queueWebhooks(owner, shop.id, { type: 'reader.added', readerId: 3 })
    await deliver()
    expect(receiver.received).toHaveLength(2)
  })

  it('delays no other publisher while a thousand hang', async () => {
    const hanging = await openWebhookReceiver()
    const heldResponses: (() => void)[] = []
    hanging.answer = (response) => heldResponses.push(() => response.writeHead(500).end())
    const { shop, owner, id } = await publisherWith()
    await changeWebhook(owner, { webhookId: id, url: hanging.url, events: ['reader.added'] })
    await services.db.run(
      `INSERT INTO webhook_endpoints (publisher_id, url, events, secret_sealed, ended_until, created_at, updated_at)
       SELECT e.publisher_id, e.url, e.events, e.secret_sealed, e.ended_until, e.created_at, e.updated_at
       FROM webhook_endpoints e JOIN (WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 999) SELECT i FROM n) AS n ON 1 = 1
       WHERE e.id = :id`,
      { id },
    )
    await queueWebhooks(owner, shop.id, { type: 'reader.added', readerId: 1 })
    const otherPublisher = await publisherWith()
    const loop = startWebhookLoop(services, 60_000)
    await expect.poll(() => heldResponses.length).toBe(32)
    await queueWebhooks(otherPublisher.owner, otherPublisher.shop.id, { type: 'reader.added', readerId: 2 })
    loop.wake()
    await expect.poll(() => receiver.received.length).toBe(1)
    expect(heldResponses.length).toBe(32)
    hanging.answer = (response) => response.writeHead(500).end()
    for (const end of heldResponses) end()
    await loop.idle()
    await loop.stop()
    expect(hanging.received).toHaveLength(1000)
    // All hanging endpoints have failed by now. Failing endpoints have slots of their own; the publisher's working one has the others.
    await changeWebhook(owner, { webhookId: id, url: receiver.url, events: ['reader.added'] })
    heldResponses.splice(0)
    hanging.answer = (response) => heldResponses.push(() => response.writeHead(500).end())
    receiver.received.splice(0)
    services.clock.advance({ minutes: 1 })
    const secondLoop = startWebhookLoop(services, 60_000)
    await expect.poll(() => [heldResponses.length, receiver.received.length]).toEqual([32, 1])
    hanging.answer = (response) => response.writeHead(500).end()
    for (const end of heldResponses) end()
    await secondLoop.stop()
    await services.db.run(`UPDATE webhook_endpoints SET removed_at = :now WHERE url = :url`, {
      now: services.now(),
      url: hanging.url,
    })
  })

  it('by never responding does not block the publisher’s other webhooks', async () => {
    const hanging = await openWebhookReceiver()
    const heldResponses: (() => void)[] = []
    hanging.answer = (response) => heldResponses.push(() => response.writeHead(500).end())
    const { shop, owner } = await publisherWith(['reader.added'])
    const loop = startWebhookLoop(services, 60_000)
    await queueWebhooks(owner, shop.id, { type: 'reader.added', readerId: 1 })
    loop.wake()
    await expect.poll(() => receiver.received.length).toBe(1)
    await loop.idle()
    for (let n = 0; n < 40; n++) await addWebhook(owner, { url: hanging.url, events: ['reader.added'] })
    await queueWebhooks(owner, shop.id, { type: 'reader.added', readerId: 2 })
    loop.wake()
    // The endpoint that responded is tried first; the others take all slots of their publisher.
    await expect.poll(() => [receiver.received.length, heldResponses.length]).toEqual([2, 32])
    await queueWebhooks(owner, shop.id, { type: 'reader.added', readerId: 3 })
    loop.wake()
    services.clock.advance({ minutes: 1 })
    loop.wake()
    await expect.poll(() => receiver.received.length).toBe(3)
    hanging.answer = (response) => response.writeHead(500).end()
    for (const end of heldResponses) end()
    await loop.stop()
  })

  it('is sent again what was in flight when the worker died', async () => {
    const { shop, owner, id } = await publisherWith()
    await queueWebhooks(owner, shop.id, { type: 'reader.added', readerId: 1 })
    await services.db.run(
      `UPDATE webhook_deliveries SET state = 'sending', attempts = 1, locked_until = :now WHERE endpoint_id = :id`,
      { id, now: services.now() },
    )
    await deliver()
    expect(receiver.received).toEqual([])
    services.clock.advance({ minutes: 1 })
    await deliver()
    expect(receiver.received).toHaveLength(1)
  })
})

describe('a webhook', () => {
  it('is only for its publisher, with its secret encrypted', async () => {
    const { owner, id, secret } = await publisherWith()
    expect(await getWebhook(owner, { webhookId: id })).toMatchObject({ secret, previousEndsAt: null })
    expect(JSON.stringify(await services.db.query(`SELECT * FROM webhook_endpoints`))).not.toContain(secret)
    const stranger = services.as(await actorOf(services, 'publisher'))
    for (const action of [
      getWebhook,
      pauseWebhook,
      resumeWebhook,
      replaceWebhookSecret,
      removeWebhook,
      sendTestWebhook,
      replayWebhooks,
    ])
      await expect(action(stranger, { webhookId: id })).rejects.toMatchObject({ kind: 'notFound' })
    expect(await listWebhooks(stranger, {})).toEqual([])
    for (const userType of ['admin', 'mailer', 'reseller'] as const)
      await expect(listWebhooks(services.as(await actorOf(services, userType)), {})).rejects.toMatchObject({
        kind: 'denied',
      })
  })

  it('is refused with an address on the internal network, or without events', async () => {
    const guarded = {
      ...services.as(await actorOf(services, 'publisher')),
      webhooks: { ...services.webhooks, allowsLoopback: false },
    }
    await expect(addWebhook(guarded, { url: receiver.url, events: [] })).rejects.toMatchObject({
      fields: { url: 'Must begin with https://', events: 'Choose at least one event' },
    })
    await expect(addWebhook(guarded, { url: 'https://example.com/', events: ['order.payed'] })).rejects.toMatchObject({
      fields: { 'events.0': expect.stringMatching(/^Must be order\.paid, .* or import\.done$/) },
    })
  })

  it('has two secrets for a day after a new one was made', async () => {
    const { owner, id, secret } = await publisherWith()
    const replacement = await replaceWebhookSecret(owner, { webhookId: id })
    expect(replacement.previousEndsAt).toEqual(new Date(services.now().getTime() + 24 * 3_600_000))
    await sendTestWebhook(owner, { webhookId: id })
    await deliver()
    const [firstRequest] = receiver.received.splice(0)
    if (!firstRequest) throw new Error('No request was received')
    expect(verified(firstRequest, secret)).toMatchObject({ type: 'webhook.test', data: {} })
    expect(verified(firstRequest, replacement.secret)).toMatchObject({ type: 'webhook.test' })
    await services.db.run(`UPDATE webhook_endpoints SET previous_ends_at = :now WHERE id = :id`, {
      id,
      now: services.now(),
    })
    await sendTestWebhook(owner, { webhookId: id })
    await deliver()
    const [laterRequest] = receiver.received.splice(0)
    if (!laterRequest) throw new Error('No request was received')
    expect(() => verified(laterRequest, secret)).toThrow()
    expect(verified(laterRequest, replacement.secret)).toMatchObject({ type: 'webhook.test' })
  })

  it('that is paused gets the missed events when it is resumed, and events over three days old are given up', async () => {
    const { shop, owner, id, secret } = await publisherWith()
    await pauseWebhook(owner, { webhookId: id })
    await queueWebhooks(owner, shop.id, { type: 'reader.added', readerId: 1 })
    await deliver()
    expect(receiver.received).toEqual([])
    await resumeWebhook(owner, { webhookId: id })
    await deliver()
    expect(takeReceived(secret).map(({ type }) => type)).toEqual(['reader.added'])
    await pauseWebhook(owner, { webhookId: id })
    await queueWebhooks(owner, shop.id, { type: 'reader.changed', readerId: 1 })
    services.clock.advance({ hours: 74 })
    await deliver()
    expect((await deliveriesOf(owner, id))[0]).toMatchObject({ state: 'failed', problem: 'It waited for three days' })
    services.clock.advance({ days: 31 })
    await cleanUp(services.as(system), {})
    expect(await deliveriesOf(owner, id)).toEqual([])
  })

  it.each(['resumed', 'given another URL'])(
    'that has failed for a day gets what waits at once when it is %s',
    async (change) => {
      const { shop, owner, id: webhookId } = await publisherWith()
      receiver.answer = (response) => response.writeHead(503).end()
      await queueWebhooks(owner, shop.id, { type: 'reader.added', readerId: 1 })
      for (let tries = 0; tries < 8; tries++) {
        services.clock.advance({ hours: 4 })
        await deliver()
      }
      expect(receiver.received).toHaveLength(8)
      await queueWebhooks(owner, shop.id, { type: 'reader.changed', readerId: 1 })
      if (change === 'resumed') {
        await pauseWebhook(owner, { webhookId })
        receiver.received.splice(0)
        receiver.answer = (response) => response.writeHead(200).end()
        await resumeWebhook(owner, { webhookId })
      } else {
        receiver = await openWebhookReceiver()
        await changeWebhook(owner, { webhookId, url: receiver.url, events: [...webhookEventTypes] })
      }
      await deliver()
      expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(['reader.added', 'reader.changed'])
    },
  )

  it('that is removed gets nothing', async () => {
    const { shop, owner, id } = await publisherWith()
    await queueWebhooks(owner, shop.id, { type: 'reader.added', readerId: 1 })
    await removeWebhook(owner, { webhookId: id })
    await queueWebhooks(owner, shop.id, { type: 'reader.added', readerId: 2 })
    await deliver()
    expect(receiver.received).toEqual([])
    await expect(getWebhook(owner, { webhookId: id })).rejects.toMatchObject({ kind: 'notFound' })
  })

  it('has a log that is filtered, paged and can be resent from', async () => {
    const { shop, owner, id, secret } = await publisherWith()
    for (let readerId = 1; readerId <= 30; readerId++)
      await queueWebhooks(owner, shop.id, { type: readerId === 1 ? 'order.paid' : 'reader.added', readerId })
    await deliver()
    const firstPage = await getWebhook(owner, { webhookId: id })
    expect(firstPage.deliveries).toHaveLength(25)
    const secondPage = await getWebhook(owner, { webhookId: id, before: firstPage.next ?? 0 })
    expect([secondPage.deliveries.length, secondPage.next]).toEqual([5, null])
    const { deliveries } = await getWebhook(owner, { webhookId: id, type: 'order.paid' })
    expect(deliveries).toHaveLength(1)
    expect((await getWebhook(owner, { webhookId: id, state: 'failed' })).deliveries).toEqual([])
    receiver.received.splice(0)
    expect(await replayWebhooks(owner, { webhookId: id, deliveryId: deliveries[0]?.id })).toEqual({ replayed: 1 })
    await deliver()
    expect(takeReceived(secret)).toMatchObject([{ type: 'order.paid', data: { readerId: 1 } }])
    expect((await deliveriesOf(owner, id))[0]).toMatchObject({
      isReplay: true,
      messageId: deliveries[0]?.messageId,
      state: 'done',
    })
  })
})
