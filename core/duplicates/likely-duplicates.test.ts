import { beforeEach, describe, expect, it } from 'vitest'
import type { AppContext } from '#core/context.ts'
import { deactivateReader } from '#core/readers/deactivate-reader.ts'
import { editReader } from '#core/readers/edit-reader.ts'
import { actorOf, makeBuyer, makePublication, operator } from '#tests/support/factories.ts'
import { fillDisk } from '#tests/support/full-disk.ts'
import { labelledReaders } from '#tests/support/reader-duplicates.ts'
import { makeReader, readerRow } from '#tests/support/readers.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { runWorker } from '#tests/support/worker.ts'
import { cancelLikelySearch } from './cancel-likely-search.ts'
import { countLikely } from './count-likely.query.ts'
import { dedupeLikely } from './dedupe-likely.ts'
import { findLikelyDuplicates } from './find-likely-duplicates.ts'
import { listLikely } from './list-likely.query.ts'
import { listMerges } from './list-merges.query.ts'
import { markNotDuplicates } from './mark-not-duplicates.ts'
import { mergeLikelyDuplicates } from './merge-likely-duplicates.ts'
import { resumeMerges } from './resume-merges.ts'
import { undoMerges } from './undo-merges.ts'

const services = await openTestServices()
let publicationId: number
let publisherId: number
let ctx: AppContext

beforeEach(async () => {
  const publication = await makePublication(services)
  publicationId = publication.id
  publisherId = publication.publisherId
  ctx = services.as(await actorOf(services, 'publisher', publisherId))
})

const robert = {
  firstName: 'Robert',
  lastName: 'Thompson',
  addressOne: '14 Mill Street',
  city: 'Fowey',
  postCode: 'PL23 1AQ',
}

/** A pair that is certainly one reader, a pair that is likely one, a couple who are two readers, and a single reader. */
async function makeReaders() {
  const sure = [
    await makeReader(services, publicationId, { ...robert, email: 'bob@example.org' }),
    await makeReader(services, publicationId, { ...robert, lastName: 'Thomson', email: 'bob@example.org' }),
  ]
  const ann = { firstName: 'Ann', lastName: 'Penrose', addressOne: '2 Quay', city: 'Fowey', postCode: 'PL23 1AT' }
  const likely = [
    await makeReader(services, publicationId, ann),
    await makeReader(services, publicationId, { ...ann, firstName: 'A', postCode: '' }),
  ]
  await makeReader(services, publicationId, { ...robert, title: 'Mrs', firstName: 'Joan' })
  await makeReader(services, publicationId, {
    firstName: 'Zoë',
    lastName: 'Lux',
    addressOne: '1 Hill',
    city: 'Ely',
    postCode: 'CB7 4AA',
  })
  return { sure, likely }
}

async function search() {
  await findLikelyDuplicates(ctx, { publicationId })
  await runWorker(services)
}

/** Lets the worker run the due jobs, and returns the state of a bulk merge afterwards. */
async function runBulkMerge(batchId: number | undefined, laterSeconds = 0) {
  await runWorker(services, laterSeconds)
  return (await listMerges(ctx, { publicationId })).batches.find(({ id }) => id === batchId)
}

const membersOf = async () =>
  (await listLikely(ctx, { publicationId })).rows.map(({ members }) =>
    members.map(({ id }) => id).sort((a, b) => a - b),
  )

/** An order of a reader, as an agreement begins with one. */
async function makeOrder(buyerId: number, readerId: number): Promise<number> {
  const [row] = await services.db.query<{ id: number }>(
    `INSERT INTO orders (publisher_id, publication_id, order_number, state, kind, idempotency_key, placed_at, ordered_on, product_name, band,
       country, currency, product_price, amount, payment_type, buyer_id, reader_id, billing, created_at, updated_at)
     SELECT publisher_id, id, :key, 'paid', 'subscription', :key, :now, '2026-11-01', 'Print', 'UK', 'GB', 'GBP', 100, 100, 'Card', :buyerId,
       :readerId, '{}', :now, :now FROM publications WHERE id = :publicationId RETURNING id`,
    { key: `L${readerId}`, now: services.now(), buyerId, readerId, publicationId },
  )
  return Number(row?.id)
}

describe('a search', () => {
  it('lists groups, the most certain first, with the reasons, none across publications or of deactivated readers', async () => {
    const { sure, likely } = await makeReaders()
    const otherTitle = await makePublication(services, { publisherId })
    await makeReader(services, otherTitle.id, robert)
    await makeReader(services, publicationId, { ...robert, email: 'bob@example.org', isDeleted: true })
    await search()
    const list = await listLikely(ctx, { publicationId })
    expect(list).toMatchObject({
      total: 2,
      search: { state: 'done', readers: 6, groups: 2 },
      latest: null,
      isOutOfDate: false,
    })
    expect(await membersOf()).toEqual([sure, likely])
    const [first] = list.rows
    expect(first?.members.flatMap(({ reasons }) => reasons)).toEqual(
      expect.arrayContaining(['similar surname: Thompson / Thomson', 'same email', 'same address']),
    )
    expect(await countLikely(ctx, { publicationId })).toMatchObject({ groups: 2, isSearching: false })
  })

  it('lists doubtful pairs on request, and neither counts nor merges them', async () => {
    const { sure } = await makeReaders()
    await search()
    const [first, second] = (await listLikely(ctx, { publicationId })).rows
    await services.db.run(`UPDATE likely_groups SET confidence = 0.3 WHERE id = :id`, { id: second?.id ?? null })
    expect(await membersOf()).toEqual([sure])
    expect(await countLikely(ctx, { publicationId })).toMatchObject({ groups: 1 })
    const doubtful = await listLikely(ctx, { publicationId, min: 0.2, below: 0.5 })
    expect(doubtful.rows).toMatchObject([{ id: second?.id, confidence: expect.closeTo(0.3) }])
    expect((await listLikely(ctx, { publicationId, groupId: second?.id })).total).toBe(1)
    expect(await mergeLikelyDuplicates(ctx, { publicationId, minConfidence: 0.5, dryRun: true })).toMatchObject({
      groups: 1,
    })
    await markNotDuplicates(ctx, { publicationId, groupId: Number(second?.id) })
    expect((await listLikely(ctx, { publicationId, min: 0.2 })).rows.map(({ id }) => id)).toEqual([first?.id])
  })

  it('lists each group in exactly one level, even at the boundary', async () => {
    await makeReaders()
    await search()
    const [group] = (await listLikely(ctx, { publicationId })).rows
    const id = group?.id ?? null
    for (const [confidence, isBelow] of [
      [0.9699999999, true],
      [0.97, false],
    ] as const) {
      await services.db.run(`UPDATE likely_groups SET confidence = :confidence WHERE id = :id`, { confidence, id })
      const isListed = async (filter: object) =>
        (await listLikely(ctx, { publicationId, ...filter })).rows.some((row) => row.id === id)
      expect([await isListed({ below: 0.97 }), await isListed({ min: 0.97 })]).toEqual([isBelow, !isBelow])
    }
  })

  it('shows when readers were added or changed since, and never merges changed ones', async () => {
    const { sure } = await makeReaders()
    await search()
    await makeReader(services, publicationId, robert)
    await services.db.run(`UPDATE readers SET version = version + 1 WHERE id = :id`, { id: sure[0] as number })
    const list = await listLikely(ctx, { publicationId })
    expect(list.isOutOfDate).toBe(true)
    expect(list.rows[0]?.isChanged).toBe(true)
    const { batch } = await mergeLikelyDuplicates(ctx, { publicationId, minConfidence: 0.5 })
    expect(await runBulkMerge(batch?.id)).toMatchObject({ state: 'done', merged: 1, left: 1 })
    expect(await readerRow(services, sure[1] as number)).toBeDefined()
  })

  // An import stamps its readers with the moment it began, which may be before the search.
  it.each([1, -60])('does not merge readers that were changed while it ran, stamped %i s later', async (seconds) => {
    const { sure, likely } = await makeReaders()
    const changingCtx: AppContext = {
      ...ctx,
      likelyReaders: {
        async *find(plan, watcher) {
          for await (const groups of ctx.likelyReaders.find(plan, watcher)) {
            const { now } = services.clock
            services.clock.now = new Date(now.getTime() + seconds * 1000)
            await editReader(ctx, { id: sure[0], firstName: 'Joan' })
            await deactivateReader(ctx, { id: likely[0] })
            services.clock.now = now
            yield groups
          }
        },
      },
    }
    const { merge } = await dedupeLikely(changingCtx, { publicationId, apply: true, minConfidence: 0.5 })
    expect(merge?.batch).toMatchObject({ merged: 0, left: 2 })
    for (const id of [...sure, ...likely]) expect(await readerRow(services, id)).toBeDefined()
  })

  it('runs one at a time, can be cancelled, and shows the old groups until a new one is done', async () => {
    await makeReaders()
    await search()
    const { id } = await findLikelyDuplicates(ctx, { publicationId })
    await expect(findLikelyDuplicates(ctx, { publicationId })).rejects.toMatchObject({ kind: 'conflict' })
    expect(await listLikely(ctx, { publicationId })).toMatchObject({ total: 2, latest: { id, state: 'waiting' } })
    expect(await cancelLikelySearch(ctx, { publicationId })).toMatchObject({ searches: 1 })
    await runWorker(services)
    expect(await listLikely(ctx, { publicationId })).toMatchObject({ total: 2, latest: { state: 'cancelled' } })
    await search()
    expect(await listLikely(ctx, { publicationId })).toMatchObject({ total: 2, latest: null })
    const [{ n } = { n: 0 }] = await services.db.query<{ n: number }>(
      `SELECT count(*) AS n FROM likely_groups WHERE publication_id = :publicationId`,
      { publicationId },
    )
    expect(Number(n)).toBe(2)
  })

  it('reads readers correctly even if their fields contain its own separators', async () => {
    const { sure } = await makeReaders()
    await makeReader(services, publicationId, { ...robert, email: 'bob@example.org', isDeleted: true })
    await services.db.run(
      `UPDATE readers SET company_name = :company, telephone = :marks WHERE publication_id = :publicationId`,
      { publicationId, company: 'Quay\x1fBooks\x1e', marks: '\x1e' },
    )
    await search()
    expect((await listLikely(ctx, { publicationId })).search).toMatchObject({ readers: 6 })
    expect(await membersOf()).toContainEqual(sure)
  })

  it('that was killed halfway and runs again lists no group twice', async () => {
    await makeReaders()
    const { id: searchId } = await findLikelyDuplicates(ctx, { publicationId })
    await services.db.run(
      `UPDATE tasks SET state = 'running', token = 1, attempts = 1, owner = 'elsewhere 7 x', lease_until = :until
       WHERE kind = 'find-likely' AND subject_id = :searchId`,
      { searchId, until: services.now() },
    )
    await services.db.run(
      `INSERT INTO likely_groups (search_id, publication_id, confidence, shipped, members) VALUES (:searchId, :publicationId, 0.9, 0.9, 2)`,
      { searchId, publicationId },
    )
    await runWorker(services, 60)
    expect(await listLikely(ctx, { publicationId })).toMatchObject({ total: 2, search: { id: searchId } })
  })

  it('that was cancelled leaves none of its groups', async () => {
    await makeReaders()
    const { id: searchId } = await findLikelyDuplicates(ctx, { publicationId })
    await services.db.run(
      `INSERT INTO likely_groups (search_id, publication_id, confidence, shipped, members) VALUES (:searchId, :publicationId, 0.9, 0.9, 2)`,
      { searchId, publicationId },
    )
    await cancelLikelySearch(ctx, { publicationId })
    const remaining = () => services.db.query(`SELECT id FROM likely_groups WHERE search_id = :searchId`, { searchId })
    await expect.poll(remaining).toEqual([])
  })

  it('stops when the user who requested it is deactivated, without blocking other searches', async () => {
    await makeReaders()
    await findLikelyDuplicates(ctx, { publicationId })
    await services.db.run(`UPDATE users SET is_active = :no WHERE id = :id`, { no: false, id: publisherId })
    await runWorker(services)
    const operatorCtx = services.as(operator)
    expect(await listLikely(operatorCtx, { publicationId })).toMatchObject({
      latest: { state: 'failed', problem: expect.stringContaining('deactivated') },
    })
    await findLikelyDuplicates(operatorCtx, { publicationId })
    await runWorker(services)
    expect(await listLikely(operatorCtx, { publicationId })).toMatchObject({ total: 2, latest: null })
  })

  it('does not list readers marked as different again', async () => {
    const { likely } = await makeReaders()
    await search()
    const { rows } = await listLikely(ctx, { publicationId })
    expect(await markNotDuplicates(ctx, { publicationId, groupId: rows[0]?.id })).toEqual({ readers: 2 })
    expect(await membersOf()).toEqual([likely])
    await search()
    expect(await membersOf()).toEqual([likely])
    await expect(markNotDuplicates(ctx, { publicationId, groupId: rows[0]?.id })).rejects.toMatchObject({
      kind: 'notFound',
    })
  })

  it('is hidden from other publishers, and open to the role pubadmin, not to admin', async () => {
    const pubadmin = services.as(await actorOf(services, 'pubadmin', publisherId))
    const stranger = services.as(await actorOf(services, 'publisher'))
    const admin = services.as(await actorOf(services, 'admin', publisherId))
    for (const call of [
      findLikelyDuplicates,
      listLikely,
      countLikely,
      mergeLikelyDuplicates,
      cancelLikelySearch,
      listMerges,
    ]) {
      await expect(call(stranger, { publicationId })).rejects.toMatchObject({ kind: 'notFound' })
      await expect(call(admin, { publicationId })).rejects.toMatchObject({ kind: 'denied' })
    }
    await makeReaders()
    await findLikelyDuplicates(pubadmin, { publicationId })
    await runWorker(services)
    expect(await listLikely(pubadmin, { publicationId })).toMatchObject({ total: 2 })
    const { batch } = await mergeLikelyDuplicates(pubadmin, { publicationId, minConfidence: 0.5 })
    await runWorker(services)
    expect((await listMerges(pubadmin, { publicationId })).batches).toMatchObject([{ id: batch?.id, merged: 2 }])
  })
})

describe('merging all above a confidence level', () => {
  it('previews, merges, and is undone as one run', async () => {
    const { sure, likely } = await makeReaders()
    const before = await Promise.all([...sure, ...likely].map((id) => readerRow(services, id)))
    await search()
    expect(await mergeLikelyDuplicates(ctx, { publicationId, dryRun: true })).toEqual({
      batch: null,
      groups: 1,
      readers: 1,
      renewing: 0,
      paid: 0,
    })
    const { batch } = await mergeLikelyDuplicates(ctx, { publicationId, minConfidence: 0.5 })
    await expect(mergeLikelyDuplicates(ctx, { publicationId, minConfidence: 0.5 })).rejects.toMatchObject({
      kind: 'conflict',
    })
    const merged = await runBulkMerge(batch?.id)
    expect(merged).toMatchObject({ state: 'done', groups: 2, merged: 2, readersRemoved: 2 })
    expect(await membersOf()).toEqual([])
    expect((await listMerges(ctx, { publicationId })).batches).toMatchObject([{ merged: 2, undone: 0 }])
    await undoMerges(ctx, { batchId: batch?.id })
    expect(await runBulkMerge(batch?.id)).toMatchObject({
      state: 'undone',
      undone: 2,
      problem: null,
    })
    const after = await Promise.all([...sure, ...likely].map((id) => readerRow(services, id)))
    const withoutVersion = (rows: typeof before) => rows.map((row) => ({ ...row, version: 0 }))
    expect(withoutVersion(after)).toEqual(withoutVersion(before))
    // The groups are open again.
    expect(await membersOf()).toEqual([sure, likely])
    await expect(undoMerges(ctx, { batchId: batch?.id })).rejects.toMatchObject({ kind: 'conflict' })
  })

  it('merges only groups that also reach the level by the shipped weights, whatever was learned from the list', async () => {
    const { sure, likely } = await makeReaders()
    await search()
    const [agreed, learnedOnly] = (await listLikely(ctx, { publicationId })).rows
    const setScores = (id: number | undefined, shipped: number) =>
      services.db.run(`UPDATE likely_groups SET confidence = 0.99, shipped = :shipped WHERE id = :id`, {
        id: id ?? 0,
        shipped,
      })
    await setScores(agreed?.id, 0.98)
    await setScores(learnedOnly?.id, 0.96)
    expect(await mergeLikelyDuplicates(ctx, { publicationId, dryRun: true })).toMatchObject({ groups: 1, readers: 1 })
    const { batch } = await mergeLikelyDuplicates(ctx, { publicationId })
    expect(await runBulkMerge(batch?.id)).toMatchObject({ groups: 1, merged: 1, left: 0, readersRemoved: 1 })
    expect(await Promise.all([...sure, ...likely].map((id) => readerRow(services, id)))).toEqual([
      expect.anything(),
      undefined,
      expect.anything(),
      expect.anything(),
    ])
    await services.db.run(
      `UPDATE tasks SET state = 'interrupted' WHERE kind = 'merge-duplicates' AND subject_id = :id`,
      { id: batch?.id ?? 0 },
    )
    expect((await listMerges(ctx, { publicationId })).batches).toMatchObject([{ merged: 1, canResume: false }])
    await expect(mergeLikelyDuplicates(ctx, { publicationId })).rejects.toMatchObject({ kind: 'invalid' })
  })

  it('finishes although another search ends first', async () => {
    await makeReaders()
    await search()
    const { batch } = await mergeLikelyDuplicates(ctx, { publicationId, minConfidence: 0.5 })
    await dedupeLikely(ctx, { publicationId })
    expect(await runBulkMerge(batch?.id)).toMatchObject({ state: 'done', groups: 2, merged: 2, left: 0 })
    // The groups of the second search have changed; the next search drops those of the first.
    expect(await listLikely(ctx, { publicationId })).toMatchObject({ total: 0 })
    await search()
    expect(await services.db.query(`SELECT id FROM likely_groups WHERE publication_id = :publicationId`, { publicationId })).toEqual([]) // biome-ignore format: a row
  })

  it('leaves groups with more than one running paid subscription open, and counts them', async () => {
    const { sure, likely } = await makeReaders()
    await search()
    const subscribe = (id: number, subPaid: number) =>
      services.db.run(
        `UPDATE readers SET sub_type = 'print', sub_start_on = '2026-01-01', sub_end_on = '2027-12-31', sub_paid = :subPaid WHERE id = :id`,
        { id, subPaid },
      )
    const request = { publicationId, minConfidence: 0.5 }
    // The same term, entered twice.
    for (const id of sure) await subscribe(id, 2500)
    expect(await mergeLikelyDuplicates(ctx, { ...request, dryRun: true })).toMatchObject({ groups: 2, paid: 0 })
    await subscribe(sure[0] as number, 2400)
    const counts = { groups: 1, readers: 1, renewing: 0, paid: 1 }
    expect(await mergeLikelyDuplicates(ctx, { ...request, dryRun: true })).toMatchObject(counts)
    const { batch } = await mergeLikelyDuplicates(ctx, request)
    expect(await runBulkMerge(batch?.id)).toMatchObject({ state: 'done', merged: 1, left: 0 })
    expect(await membersOf()).toEqual([sure])
    const left = await Promise.all(likely.map((id) => readerRow(services, id)))
    expect(left.filter(Boolean)).toHaveLength(1)
    await expect(mergeLikelyDuplicates(ctx, request)).rejects.toMatchObject({
      fields: { minConfidence: expect.stringContaining('running paid subscription') },
    })
  })

  it('skips groups with more than one automatic renewal, and counts them', async () => {
    const { sure } = await makeReaders()
    await search()
    const { id: buyerId } = await makeBuyer(services, publicationId)
    for (const readerId of sure)
      await services.db.run(
        `INSERT INTO payment_agreements (publication_id, buyer_id, reader_id, order_id, provider, state, product, term_months, band, renews_on,
           price, currency, created_at, updated_at)
         VALUES (:publicationId, :buyerId, :readerId, :orderId, 'demo', 'active', 'print', 12, 'UK', '2027-11-22', 2500, 'GBP', :now, :now)`,
        { publicationId, buyerId, readerId, orderId: await makeOrder(buyerId, readerId), now: services.now() },
      )
    const request = { publicationId, minConfidence: 0.5 }
    expect(await mergeLikelyDuplicates(ctx, { ...request, minConfidence: 0.97, dryRun: true })).toMatchObject({
      groups: 0,
      readers: 0,
      renewing: 1,
    })
    await expect(mergeLikelyDuplicates(ctx, { ...request, minConfidence: 0.97 })).rejects.toMatchObject({
      kind: 'invalid',
    })
    expect(await mergeLikelyDuplicates(ctx, { ...request, dryRun: true })).toMatchObject({
      groups: 1,
      readers: 1,
      renewing: 1,
      paid: 0,
    })
    const { batch } = await mergeLikelyDuplicates(ctx, request)
    expect(await runBulkMerge(batch?.id)).toMatchObject({ state: 'done', merged: 1, left: 0 })
    const { rows } = await listLikely(ctx, { publicationId })
    expect(rows).toMatchObject([{ isChanged: false }])
    const [group] = rows
    expect(group?.members.map(({ renewal }) => renewal)).toEqual([
      { on: '2027-11-22', price: { amount: 2500, currency: 'GBP' } },
      { on: '2027-11-22', price: { amount: 2500, currency: 'GBP' } },
    ])
  })

  it('that finds the disk full does not count a group as changed: it is retried, and so is its undo', async () => {
    await makeReaders()
    await search()
    const { batch } = await mergeLikelyDuplicates(ctx, { publicationId, minConfidence: 0.5 })
    let freeDisk = await fillDisk(services, 'NEW.id > 0', { event: 'UPDATE' })
    expect(await runBulkMerge(batch?.id)).toMatchObject({ state: 'waiting', problem: expect.stringContaining('disk') })
    await freeDisk()
    expect(await runBulkMerge(batch?.id, 60)).toMatchObject({ state: 'done', merged: 2, left: 0 })
    await undoMerges(ctx, { batchId: batch?.id })
    freeDisk = await fillDisk(services, 'NEW.id > 0', { event: 'UPDATE' })
    expect(await runBulkMerge(batch?.id)).toMatchObject({ state: 'undoing', problem: expect.stringContaining('disk') })
    await freeDisk()
    expect(await runBulkMerge(batch?.id, 60)).toMatchObject({ state: 'undone', undone: 2 })
  })

  it('when it is undone, leaves readers merged that were changed since, and reports them', async () => {
    const { sure, likely } = await makeReaders()
    await search()
    const { batch } = await mergeLikelyDuplicates(ctx, { publicationId, minConfidence: 0.5 })
    await runBulkMerge(batch?.id)
    await services.db.run(`UPDATE readers SET version = version + 1 WHERE id IN (:sure)`, { sure })
    await undoMerges(ctx, { batchId: batch?.id })
    expect(await runBulkMerge(batch?.id)).toMatchObject({
      undone: 1,
      problem: /1 merged reader was changed/,
    })
    const remaining = await Promise.all([...sure, ...likely].map((id) => readerRow(services, id)))
    expect(remaining.filter(Boolean)).toHaveLength(3)
  })

  /** Runs every attempt of a bulk merge with a full disk. */
  async function failAllAttempts(batchId: number | undefined) {
    const freeDisk = await fillDisk(services, 'NEW.id > 0', { event: 'UPDATE' })
    await runBulkMerge(batchId)
    await runBulkMerge(batchId, 60)
    const last = await runBulkMerge(batchId, 120)
    await freeDisk()
    return last
  }

  it('that failed for good does not block the next run', async () => {
    await makeReaders()
    await search()
    const { batch } = await mergeLikelyDuplicates(ctx, { publicationId, minConfidence: 0.5 })
    expect(await failAllAttempts(batch?.id)).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('disk'),
    })
    const next = await mergeLikelyDuplicates(ctx, { publicationId, minConfidence: 0.5 })
    expect(await runBulkMerge(next.batch?.id)).toMatchObject({ state: 'done', merged: 2 })
  })

  it('whose undo failed is unchanged, can be undone again, and blocks no other run', async () => {
    const { sure, likely } = await makeReaders()
    await search()
    const { batch } = await mergeLikelyDuplicates(ctx, { publicationId, minConfidence: 0.5 })
    await runBulkMerge(batch?.id)
    await undoMerges(ctx, { batchId: batch?.id })
    expect(await failAllAttempts(batch?.id)).toMatchObject({
      state: 'done',
      undone: 0,
      problem: expect.stringContaining('disk'),
    })
    const gwen = { firstName: 'Gwen', lastName: 'Harris', addressOne: '9 Moor', city: 'Ely', postCode: 'CB7 4AB' }
    for (const email of ['gwen@example.org', 'gwen@example.org'])
      await makeReader(services, publicationId, { ...gwen, email })
    await search()
    const next = await mergeLikelyDuplicates(ctx, { publicationId, minConfidence: 0.97 })
    expect(await runBulkMerge(next.batch?.id)).toMatchObject({ state: 'done', merged: 1 })
    await undoMerges(ctx, { batchId: batch?.id })
    expect(await runBulkMerge(batch?.id)).toMatchObject({ state: 'undone' })
    const remaining = await Promise.all([...sure, ...likely].map((id) => readerRow(services, id)))
    expect(remaining.filter(Boolean)).toHaveLength(4)
  })

  it('stops when the user who requested it is deactivated, and reports it', async () => {
    const { sure } = await makeReaders()
    await search()
    const { batch } = await mergeLikelyDuplicates(ctx, { publicationId, minConfidence: 0.5 })
    await services.db.run(`UPDATE users SET is_active = :no WHERE id = :id`, { no: false, id: publisherId })
    expect(await runBulkMerge(batch?.id)).toMatchObject({
      state: 'failed',
      merged: 0,
      problem: expect.stringContaining('deactivated'),
    })
    expect(await readerRow(services, sure[1] as number)).toBeDefined()
  })

  it('is not undone while another run is under way, and says what to do about it', async () => {
    await makeReaders()
    await search()
    const first = await mergeLikelyDuplicates(ctx, { publicationId })
    await runBulkMerge(first.batch?.id)
    const second = await mergeLikelyDuplicates(ctx, { publicationId, minConfidence: 0.5 })
    await expect(undoMerges(ctx, { batchId: second.batch?.id })).rejects.toMatchObject({
      kind: 'conflict',
      hint: expect.stringContaining('stop it first'),
    })
    await expect(undoMerges(ctx, { batchId: first.batch?.id })).rejects.toMatchObject({
      kind: 'conflict',
      message: 'A bulk merge is under way in this publication (0 of 1 group)',
      hint: 'Wait until it has finished, or stop it first: Manage Data, Likely duplicates.',
    })
    await runBulkMerge(second.batch?.id)
    await undoMerges(ctx, { batchId: first.batch?.id })
    await expect(undoMerges(ctx, { batchId: second.batch?.id })).rejects.toMatchObject({
      message: 'The undo of a bulk merge is under way in this publication (0 of 1 group)',
    })
    expect(await runBulkMerge(first.batch?.id)).toMatchObject({ state: 'undone' })
  })

  it('can be stopped during its undo: restored readers stay, and the rest can be undone later', async () => {
    await makeReaders()
    await search()
    const { batch } = await mergeLikelyDuplicates(ctx, { publicationId, minConfidence: 0.5 })
    await runBulkMerge(batch?.id)
    await undoMerges(ctx, { batchId: batch?.id })
    expect(await cancelLikelySearch(ctx, { publicationId })).toMatchObject({ batches: 1 })
    expect(await runBulkMerge(batch?.id)).toMatchObject({ state: 'done', undone: 0, problem: null })
    await undoMerges(ctx, { batchId: batch?.id })
    expect(await runBulkMerge(batch?.id)).toMatchObject({ state: 'undone', undone: 2 })
  })

  it('that was interrupted can be resumed, even by another user', async () => {
    await makeReaders()
    await search()
    const { batch } = await mergeLikelyDuplicates(ctx, { publicationId, minConfidence: 0.5 })
    await services.db.run(
      `UPDATE tasks SET state = 'interrupted', cursor = '{"merged":0}', attempts = 3 WHERE kind = 'merge-duplicates' AND subject_id = :id`,
      { id: batch?.id ?? 0 },
    )
    await services.db.run(`UPDATE users SET is_active = :no WHERE id = :id`, { no: false, id: publisherId })
    const operatorCtx = services.as(operator)
    expect((await listMerges(operatorCtx, { publicationId })).batches).toMatchObject([
      { state: 'cancelled', canResume: true },
    ])
    await resumeMerges(operatorCtx, { batchId: batch?.id })
    await runWorker(services)
    expect((await listMerges(operatorCtx, { publicationId })).batches).toMatchObject([
      { state: 'done', merged: 2, canResume: false },
    ])
    await expect(resumeMerges(operatorCtx, { batchId: batch?.id })).rejects.toMatchObject({ kind: 'conflict' })
  })

  it('stops when it is cancelled, and cannot be undone when it merged nothing', async () => {
    await makeReaders()
    await search()
    const { batch } = await mergeLikelyDuplicates(ctx, { publicationId, minConfidence: 0.5 })
    await cancelLikelySearch(ctx, { publicationId })
    expect(await runBulkMerge(batch?.id)).toMatchObject({ state: 'cancelled', merged: 0 })
    await expect(undoMerges(ctx, { batchId: batch?.id })).rejects.toMatchObject({ kind: 'conflict' })
  })

  it('that was cancelled between two chunks is undone as far as it came', async () => {
    for (const { source } of labelledReaders('mixed', 120, 1010)) {
      const { id: _, ...fields } = source
      await makeReader(services, publicationId, fields)
    }
    await search()
    const storedReaders = async () => {
      const rows = await services.db.query<{ id: number }>(
        `SELECT id FROM readers WHERE publication_id = :publicationId ORDER BY id`,
        { publicationId },
      )
      return rows.map(({ id }) => id)
    }
    const before = await storedReaders()
    const { batch } = await mergeLikelyDuplicates(ctx, { publicationId })
    // A chunk has twenty groups: the last one is in the second chunk.
    expect(batch?.groups).toBeGreaterThan(20)
    expect(batch?.groups).toBeLessThanOrEqual(40)
    const [last] = await services.db.query<{ id: number }>(
      `SELECT g.id FROM likely_groups g JOIN likely_searches s ON s.id = g.search_id
       WHERE s.publication_id = :publicationId AND confidence >= 0.97 AND shipped >= 0.97 ORDER BY confidence, g.id LIMIT 1`,
      { publicationId },
    )
    const freeDisk = await fillDisk(services, `NEW.group_id = ${last?.id}`, { table: 'reader_merges' })
    await runWorker(services)
    await freeDisk()
    await cancelLikelySearch(ctx, { publicationId })
    expect(await runBulkMerge(batch?.id, 60)).toMatchObject({ state: 'cancelled', merged: 20 })
    expect((await storedReaders()).length).toBeLessThan(before.length)
    await undoMerges(ctx, { batchId: batch?.id })
    expect(await runBulkMerge(batch?.id)).toMatchObject({ state: 'undone', undone: 20, problem: null })
    expect(await storedReaders()).toEqual(before)
  })

  it('cannot be undone or resumed by another publisher', async () => {
    await makeReaders()
    await search()
    const { batch } = await mergeLikelyDuplicates(ctx, { publicationId, minConfidence: 0.5 })
    await runBulkMerge(batch?.id)
    const stranger = services.as(await actorOf(services, 'publisher'))
    const admin = services.as(await actorOf(services, 'admin', publisherId))
    for (const call of [undoMerges, resumeMerges]) {
      await expect(call(stranger, { batchId: batch?.id })).rejects.toMatchObject({ kind: 'notFound' })
      await expect(call(admin, { batchId: batch?.id })).rejects.toMatchObject({ kind: 'denied' })
      await expect(call(ctx, { batchId: 999_999 })).rejects.toMatchObject({ kind: 'notFound' })
    }
  })
})

it('lists more than one page of groups, the most certain first', async () => {
  const readers = labelledReaders('mixed', 900, 1010)
  for (const { source } of readers) {
    const { id: _, ...fields } = source
    await makeReader(services, publicationId, fields)
  }
  await findLikelyDuplicates(services.as(operator), { publicationId })
  await runWorker(services)
  const list = await listLikely(ctx, { publicationId, size: 100, min: 0.97 })
  expect(list.search).toMatchObject({ readers: readers.length })
  expect(list.total).toBeGreaterThan(100)
  expect(list.rows).toHaveLength(100)
  const confidences = list.rows.map(({ confidence }) => confidence)
  expect(confidences).toEqual([...confidences].sort((a, b) => b - a))
})
