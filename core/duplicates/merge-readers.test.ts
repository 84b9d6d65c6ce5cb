import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import type { AppContext } from '#core/context.ts'
import { openEnd } from '#core/kernel/dates.ts'
import { storableText } from '#core/kernel/storable-text.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { type FieldKind, readerFields } from '#core/readers/reader-fields.rules.ts'
import { linkByEmail, type ReaderRow } from '#core/readers/readers.rows.ts'
import { queuedEmails } from '#tests/support/emails.ts'
import { actorOf, makeBuyer, makePublication, operator } from '#tests/support/factories.ts'
import { makeReader, readerRow } from '#tests/support/readers.ts'
import { makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { mergeExact } from './merge-exact.ts'
import { mergeReaders } from './merge-readers.ts'
import { undoMerge } from './undo-merge.ts'

let services: TestServices
let ctx: AppContext
let publicationId: number

beforeAll(async () => {
  services = await openTestServices()
  const publication = await makePublication(services)
  publicationId = publication.id
  ctx = services.as(await actorOf(services, 'publisher', publication.publisherId))
})

const ann = { firstName: 'Ann', lastName: 'Lee', addressOne: '1 High Street', city: 'Ely', postCode: 'CB7 4AA' }

async function makePair() {
  const paidId = await makeReader(services, publicationId, {
    ...ann,
    subPaid: 2500,
    subEndOn: '2027-03-01',
    history: 'Rang in May',
  })
  const unpaidId = await makeReader(services, publicationId, {
    ...ann,
    firstName: 'Anne',
    email: 'ann@example.org',
    pubOffersPost: true,
    subEndOn: '2027-09-01',
    history: 'Moved',
  })
  return { paidId, unpaidId, readerIds: [unpaidId, paidId] }
}

/** Gives a reader an account and a line of history. Returns the buyer's id. */
async function addAccountAndHistory(readerId: number): Promise<number> {
  const values = { now: services.now(), readerId, publicationId }
  const { id: buyerId } = await makeBuyer(services, publicationId)
  await services.db.run(`UPDATE readers SET buyer_id = :buyerId WHERE id = :readerId`, { buyerId, readerId })
  await services.db.run(
    `INSERT INTO reader_events (reader_id, publication_id, kind, note, actor_kind, created_at) VALUES (:readerId, :publicationId, 'edited', 'By hand', 'operator', :now)`,
    values,
  )
  return buyerId
}

const countRows = async (table: string, readerId: number) =>
  Number(
    (
      await services.db.query<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE reader_id = :readerId`, {
        readerId,
      })
    )[0]?.n,
  )

describe('a merge', () => {
  it('keeps the paid term with its own days, the other’s email, stricter consents, both histories and all related rows', async () => {
    const { paidId, unpaidId, readerIds } = await makePair()
    const buyerId = await addAccountAndHistory(unpaidId)
    const outcome = await mergeReaders(ctx, { publicationId, readerIds })
    expect(outcome).toMatchObject({ survivorId: paidId, removed: 1 })
    expect(await readerRow(services, paidId)).toMatchObject({
      first_name: 'Ann',
      email: 'ann@example.org',
      key_email: 'ann@example.org',
      sub_end_on: '2027-03-01',
      sub_paid: 2500,
      history: 'Rang in May\nMoved',
      buyer_id: buyerId,
      version: 2,
    })
    expect(Boolean((await readerRow(services, paidId))?.pub_offers_post)).toBe(true)
    expect(await readerRow(services, unpaidId)).toBeUndefined()
    // The other's own line of history, and the merge itself.
    expect(await countRows('reader_events', paidId)).toBe(2)
  })

  it('uses the chosen survivor and fields, and previews the result', async () => {
    const { paidId, unpaidId, readerIds } = await makePair()
    const request = { publicationId, readerIds, survivorId: unpaidId, choices: { firstName: paidId } }
    const preview = await mergeReaders(ctx, { ...request, dryRun: true })
    expect(preview).toMatchObject({
      mergeId: null,
      survivorId: unpaidId,
      fields: { firstName: 'Ann', subEndOn: '2027-03-01', subPaid: 2500 },
    })
    expect(await readerRow(services, paidId)).toMatchObject({ version: 1 })
    await mergeReaders(ctx, request)
    expect(await readerRow(services, unpaidId)).toMatchObject({ first_name: 'Ann', sub_paid: 2500 })
    expect(await readerRow(services, paidId)).toBeUndefined()
  })

  it('is refused when a record changed since it was shown, and for other publishers’ readers', async () => {
    const { paidId, unpaidId, readerIds } = await makePair()
    await services.db.run(`UPDATE readers SET version = 2, city = 'Fowey' WHERE id = :paidId`, { paidId })
    const stale = { publicationId, readerIds, versions: { [paidId]: 1, [unpaidId]: 1 } }
    await expect(mergeReaders(ctx, stale)).rejects.toMatchObject({ kind: 'conflict' })
    const otherPublisher = services.as(await actorOf(services, 'publisher'))
    await expect(mergeReaders(otherPublisher, { publicationId, readerIds })).rejects.toMatchObject({ kind: 'notFound' })
    const otherPublication = await makePublication(services)
    const stranger = await makeReader(services, otherPublication.id, ann)
    await expect(
      mergeReaders(services.as(operator), { publicationId, readerIds: [paidId, stranger] }),
    ).rejects.toMatchObject({ kind: 'notFound' })
    await expect(mergeReaders(ctx, { publicationId, readerIds: [paidId, paidId] })).rejects.toMatchObject({
      kind: 'invalid',
    })
    await expect(mergeReaders(ctx, { publicationId, readerIds, survivorId: stranger })).rejects.toMatchObject({
      kind: 'invalid',
    })
    await expect(
      mergeReaders(services.as(await actorOf(services, 'mailer')), { publicationId, readerIds }),
    ).rejects.toMatchObject({ kind: 'denied' })
  })
})

describe('records with separate subscriptions', () => {
  const paid = { ...ann, fullName: 'Ann Lee', subPaid: 2500, subEndOn: '2027-03-01' }
  const today = '2026-11-21'
  const list = 'duplicatefullname'

  it.each([
    ['in the middle of their terms', paid, { ...paid, subType: 'digital' as const }, false],
    [
      'one on its last day and one still to begin',
      { ...paid, subEndOn: today },
      { ...paid, subStartOn: '2027-01-01' },
      false,
    ],
    ['one of which is over', { ...paid, subEndOn: '2026-11-20' }, paid, true],
    ['one of which is free', { ...paid, subPaid: 0 }, paid, true],
    ['one of which has no subscription', { ...paid, subType: '' as const }, paid, true],
    ['with the same term entered twice', paid, paid, true],
    ['with the same days for another amount', paid, { ...paid, subPaid: 2400 }, false],
    [
      'with the same amount until further notice',
      { ...paid, subEndOn: openEnd },
      { ...paid, subEndOn: openEnd },
      false,
    ],
  ])('%s', async (_, first, second, isMerged) => {
    const publication = await makePublication(services)
    const readerIds = [
      await makeReader(services, publication.id, first),
      await makeReader(services, publication.id, second),
    ]
    const publisher = services.as(await actorOf(services, 'publisher', publication.publisherId))
    const request = { publicationId: publication.id, readerIds }
    const asOperator = services.as(operator)
    const counts = isMerged ? { merged: 1, left: 0, removed: 1 } : { merged: 0, left: 1, removed: 0 }
    expect(await mergeExact(asOperator, { publicationId: request.publicationId, list, dryRun: true })).toMatchObject(
      counts,
    )
    if (isMerged) {
      expect(await mergeReaders(publisher, { ...request, dryRun: true })).toMatchObject({ removed: 1 })
      expect(await mergeExact(asOperator, { publicationId: request.publicationId, list })).toMatchObject(counts)
      return
    }
    for (const dryRun of [true, false])
      await expect(mergeReaders(publisher, { ...request, dryRun })).rejects.toMatchObject({
        kind: 'conflict',
        message: expect.stringContaining('running paid subscription'),
      })
    expect(await mergeExact(asOperator, { publicationId: request.publicationId, list })).toMatchObject(counts)
    for (const id of readerIds) expect(await readerRow(services, id)).toMatchObject({ version: 1 })
  })

  it('stay separate when the same term was bought twice', async () => {
    const publication = await makePublication(services)
    const readerIds = [
      await makeReader(services, publication.id, paid),
      await makeReader(services, publication.id, paid),
    ]
    const merge = () => mergeReaders(services.as(operator), { publicationId: publication.id, readerIds, dryRun: true })
    await makeOrder(readerIds[0] as number, publication.id)
    expect(await merge()).toMatchObject({ removed: 1 })
    await makeOrder(readerIds[1] as number, publication.id)
    await expect(merge()).rejects.toMatchObject({ message: expect.stringContaining('running paid subscription') })
  })

  it('stay separate while more than one renews automatically', async () => {
    const shop = await makeShop(services)
    for (const plan of ['1PR25.00', '2DN2.99']) await placeOrder(services.as(visitor), orderForm(shop, { plan }))
    const readers = await services.db.query<{ id: number }>(`SELECT id FROM readers WHERE publication_id = :id`, {
      id: shop.id,
    })
    const readerIds = readers.map(({ id }) => id)
    await services.db.run(`UPDATE readers SET sub_paid = NULL WHERE publication_id = :id`, { id: shop.id })
    const merge = () => mergeReaders(services.as(operator), { publicationId: shop.id, readerIds, dryRun: true })
    expect(await merge()).toMatchObject({ removed: 1 })
    await services.db.run(
      `INSERT INTO payment_agreements (publication_id, buyer_id, reader_id, order_id, provider, state, product, term_months, band, renews_on,
         created_at, updated_at)
       SELECT publication_id, buyer_id, (SELECT MAX(id) FROM readers WHERE publication_id = :id), order_id, provider, state, 'digital', 1, band,
         renews_on, created_at, updated_at FROM payment_agreements WHERE publication_id = :id`,
      { id: shop.id },
    )
    await expect(merge()).rejects.toMatchObject({ kind: 'conflict', message: expect.stringContaining('charged twice') })
  })

  it('are merged with the automatic renewal that staff chose: the other ends, its buyer is notified, and an undo does not restore it', async () => {
    const shop = await makeShop(services)
    const staff = services.as(await actorOf(services, 'publisher', shop.publisherId))
    for (const email of ['one', 'two'])
      await placeOrder(
        services.as(visitor),
        orderForm(shop, { plan: '1PR25.00', email: `${email}-${shop.id}@example.test` }),
      )
    // Two that are over and within the grace period: two running paid subscriptions cannot be merged.
    await services.db.run(`UPDATE readers SET sub_end_on = '2026-11-01' WHERE publication_id = :id`, { id: shop.id })
    const rows = (table: string) => rowsOf(services, table, shop.id)
    const [survivorId, renewingId] = (await rows('readers')).map(({ id }) => Number(id)) as [number, number]
    const request = { publicationId: shop.id, readerIds: [survivorId, renewingId] }
    const list = 'duplicatefullname'
    const asOperator = services.as(operator)
    await expect(mergeReaders(staff, request)).rejects.toMatchObject({
      kind: 'conflict',
      hint: expect.stringContaining('Choose under Likely duplicates which automatic renewal to keep'),
    })
    // Merges of many groups do not ask: they skip such readers and report them.
    for (const dryRun of [true, false])
      expect(await mergeExact(asOperator, { publicationId: request.publicationId, list, dryRun })).toMatchObject({
        merged: 0,
        left: 1,
        renewing: 1,
      })
    const stranger = await makeReader(services, shop.id, ann)
    await expect(mergeReaders(staff, { ...request, renewalOf: stranger })).rejects.toMatchObject({
      fields: { renewalOf: 'Must be one of the readers that renew automatically' },
    })
    const chosen = { ...request, survivorId, renewalOf: renewingId }
    expect(await mergeReaders(staff, { ...chosen, dryRun: true })).toMatchObject({ renewalsEnded: 1 })
    expect(await rows('payment_agreements')).toMatchObject([{ state: 'active' }, { state: 'active' }])

    const { mergeId, renewalsEnded } = await mergeReaders(staff, chosen)
    expect(renewalsEnded).toBe(1)
    const [agreement] = await rows('payment_agreements')
    expect(await rows('payment_agreements')).toMatchObject([
      { state: 'ended', end_reason: 'merged', reader_id: survivorId },
      { state: 'active', end_reason: null, reader_id: survivorId },
    ])
    const ended = {
      kind: 'renewal-off',
      note: 'Automatic renewal ended by a merge: the other reader’s renewal was kept',
    }
    expect(await rows('reader_events')).toEqual(expect.arrayContaining([expect.objectContaining(ended)]))
    const notices = (await queuedEmails(services, 'buyer-notice')).filter(
      ({ about }) => about.buyerId === agreement?.buyer_id && about.kind === 'renewal-off',
    )
    expect(notices).toHaveLength(1)

    await undoMerge(staff, { mergeId })
    expect(await rows('payment_agreements')).toMatchObject([
      { state: 'ended', end_reason: 'merged', reader_id: survivorId },
      { state: 'active', reader_id: renewingId },
    ])
  })
})

describe('the undo of a merge', () => {
  it('restores everything', async () => {
    const { paidId, unpaidId, readerIds } = await makePair()
    await addAccountAndHistory(unpaidId)
    const buyerOfPaid = await addAccountAndHistory(paidId)
    const before = [await readerRow(services, paidId), await readerRow(services, unpaidId)]
    const { mergeId } = await mergeReaders(ctx, { publicationId, readerIds })
    // The account comes from the record whose term was kept.
    expect(await readerRow(services, paidId)).toMatchObject({ buyer_id: buyerOfPaid })
    await undoMerge(ctx, { mergeId })
    expect(await readerRow(services, paidId)).toEqual(before[0])
    expect(await readerRow(services, unpaidId)).toEqual(before[1])
    expect(await countRows('reader_events', unpaidId)).toBe(1)
    await expect(undoMerge(ctx, { mergeId })).rejects.toMatchObject({ kind: 'conflict' })
  })

  it('restores any record, whatever its fields hold', async () => {
    const text = fc.oneof(
      fc.constantFrom('', ' ', "O'Brien", '=1+1', 'null', '\\', '“”', 'a\nb', '山田', '\u0301', '🦉', '%_'),
      fc.string({ unit: 'grapheme', maxLength: 20 }).map((anyText) => storableText(anyText)),
    )
    const valuesOfKind = {
      text,
      note: text,
      email: text,
      country: fc.constantFrom('', 'GB', 'XK', 'VN'),
      flag: fc.boolean(),
      startDay: fc.constantFrom('1970-01-01', '2026-02-28', '2027-12-31'),
      endDay: fc.constantFrom('2100-01-01', '2026-02-28', '2028-02-29'),
      subType: fc.constantFrom('' as const, 'print' as const, 'digital' as const, 'bundle' as const),
      money: fc.constantFrom(null, 0, 1),
    } as const satisfies Record<FieldKind, fc.Arbitrary<unknown>>
    const fields = Object.fromEntries(
      readerFields.filter(({ name }) => name !== 'uniqueReference').map(({ name, kind }) => [name, valuesOfKind[kind]]),
    )
    const record = fc
      .record({ ...fields, isDeleted: fc.boolean(), subAnchorDay: fc.constantFrom(null, 1, 31) })
      .map((values) => values as Partial<ReaderRow>)
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 2, maxLength: 3 }), fc.nat(), async (records, pick) => {
        const ids: number[] = []
        // Two paid subscriptions are never merged.
        for (const [index, values] of records.entries())
          ids.push(await makeReader(services, publicationId, index > 0 ? { ...values, subPaid: null } : values))
        const rows = () => Promise.all(ids.map((id) => readerRow(services, id)))
        const before = await rows()
        const survivorId = ids[pick % ids.length] as number
        const { mergeId } = await mergeReaders(ctx, { publicationId, readerIds: ids, survivorId })
        await undoMerge(ctx, { mergeId })
        expect(await rows()).toEqual(before)
      }),
      { numRuns: 25 },
    )
  })

  it('restores which term renewed which', async () => {
    const { paidId, unpaidId, readerIds } = await makePair()
    const ids = [
      await makeOrder(unpaidId, publicationId, '2025-01-01', '2025-06-30'),
      await makeOrder(paidId, publicationId, '2025-07-20', '2025-12-31'),
    ]
    const renewedAfter = () =>
      services.db.query(`SELECT renewed_after AS after FROM orders WHERE id IN (:ids) ORDER BY id`, { ids })
    const { mergeId } = await mergeReaders(ctx, { publicationId, readerIds })
    expect(await renewedAfter()).toEqual([{ after: 20 }, { after: null }])
    await undoMerge(ctx, { mergeId })
    expect(await renewedAfter()).toEqual([{ after: null }, { after: null }])
  })

  it('is refused, and changes nothing, once the survivor was edited or added to an account, or a reference was reused', async () => {
    const editedPair = await makePair()
    const editedMerge = await mergeReaders(ctx, { publicationId, readerIds: editedPair.readerIds })
    await services.db.run(`UPDATE readers SET version = version + 1, city = 'Fowey' WHERE id = :id`, {
      id: editedPair.paidId,
    })
    await expect(undoMerge(ctx, { mergeId: editedMerge.mergeId })).rejects.toMatchObject({
      kind: 'conflict',
      message: /changed since/,
    })
    const claimed = await makePair()
    const { mergeId: ofClaimed } = await mergeReaders(ctx, { publicationId, readerIds: claimed.readerIds })
    const { id: buyerId } = await makeBuyer(services, publicationId)
    await linkByEmail(ctx, { publicationId, keyEmail: 'ann@example.org', buyerId })
    await expect(undoMerge(ctx, { mergeId: ofClaimed })).rejects.toMatchObject({ kind: 'conflict' })
    expect(await readerRow(services, claimed.paidId)).toMatchObject({ buyer_id: buyerId })
    const reusedPair = await makePair()
    const reference = (await readerRow(services, reusedPair.unpaidId))?.unique_reference as string
    const { mergeId } = await mergeReaders(ctx, { publicationId, readerIds: reusedPair.readerIds })
    await makeReader(services, publicationId, { uniqueReference: reference })
    await expect(undoMerge(ctx, { mergeId })).rejects.toMatchObject({
      kind: 'conflict',
      message: new RegExp(reference),
    })
    expect(await readerRow(services, reusedPair.unpaidId)).toBeUndefined()
    const stranger = services.as(await actorOf(services, 'publisher'))
    await expect(undoMerge(stranger, { mergeId })).rejects.toMatchObject({ kind: 'notFound' })
  })
})

/** Adds the order of a print term, and returns its id. */
async function makeOrder(readerId: number, publicationId: number, on = '2026-03-02', endOn = '2027-03-01') {
  const [row] = await services.db.query<{ id: number }>(
    `INSERT INTO orders (publisher_id, publication_id, order_number, state, kind, idempotency_key, placed_at, ordered_on, product_name, band,
       country, currency, product_price, amount, payment_type, sub_start_on, sub_end_on, reader_id, billing, created_at, updated_at)
     SELECT publisher_id, id, :key, 'paid', 'subscription', :key, :now, :on, 'Print', 'UK', 'GB', 'GBP', 100, 100, 'Card', :on, :endOn,
       :readerId, '{}', :now, :now FROM publications WHERE id = :publicationId RETURNING id`,
    { key: `M${readerId}`, now: services.now(), on, endOn, readerId, publicationId },
  )
  return Number(row?.id)
}
