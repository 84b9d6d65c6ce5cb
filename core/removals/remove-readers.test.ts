import { beforeEach, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import type { AppContext } from '#core/context.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { clearRemovedReaders, removedReaderDays } from '#core/readers/removed-readers.rows.ts'
import { addWebhook } from '#core/webhooks/change-webhooks.ts'
import { actorOf, operator } from '#tests/support/factories.ts'
import { copyReader, makeReader, readerRow } from '#tests/support/readers.ts'
import { makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { runWorker } from '#tests/support/worker.ts'
import { removeReader } from '../readers/remove-reader.ts'
import { restoreReader } from '../readers/restore-reader.ts'
import { listRemovals } from './list-removals.query.ts'
import { clearOldRemovals } from './reader-removals.rows.ts'
import type { RemovalView } from './removal-row.ts'
import { removeReaders } from './remove-readers.ts'
import { restoreReaders } from './restore-readers.ts'
import { resumeRemoval } from './resume-removal.ts'
import { stopRemoval } from './stop-removal.ts'

const services = await openTestServices()
let shop: Awaited<ReturnType<typeof makeShop>>
let publicationId: number
let ctx: AppContext

beforeEach(async () => {
  services.clock.set('2026-11-21T10:00:00Z')
  shop = await makeShop(services)
  publicationId = shop.id
  ctx = services.as(await actorOf(services, 'publisher', shop.publisherId))
})

const addReader = (fields = {}) => makeReader(services, publicationId, { lastName: 'Finch', fullName: '', ...fields })

/** Readers without a full name. Returns the id of the first one. */
async function addReaders(count: number): Promise<number> {
  const id = await addReader({ uniqueReference: `N${publicationId}` })
  await copyReader(services, id, count - 1)
  return id
}

async function numberOf(table: string, where = '1 = 1'): Promise<number> {
  const [row] = await services.db.query<{ n: number }>(
    `SELECT COUNT(*) AS n FROM ${table} WHERE publication_id = :publicationId AND ${where}`,
    { publicationId },
  )
  return Number(row?.n)
}

/** The readers as they are stored, without the moment of their last change. */
async function content(): Promise<unknown[]> {
  const rows = await services.db.query<Record<string, unknown>>(
    `SELECT * FROM readers WHERE publication_id = :publicationId ORDER BY id`,
    { publicationId },
  )
  return rows.map(({ updated_at: _, ...row }) => row)
}

/** The list as a user sees it now. The clock moves on afterwards. */
function shown(count: number, list = 'nofullname') {
  const shownAt = services.now().toISOString()
  services.clock.advance({ minutes: 1 })
  return { publicationId, list, count, shownAt }
}

const newest = async () => (await listRemovals(services.as(operator), { publicationId }))[0]

const stopAfterFirst = () => {
  const stop = new AbortController()
  return { isWaiting: true, signal: stop.signal, onProgress: () => stop.abort() }
}

describe('removing a whole list', () => {
  it('removes 5,000 readers by the worker, with all that a removal does, and restores them unchanged', async () => {
    await addWebhook(ctx, { url: 'https://receiver.example/hook', events: ['reader.erased', 'reader.added'] })
    await addReaders(4998)
    for (const email of ['one', 'two'])
      await placeOrder(services.as(visitor), orderForm(shop, { plan: '1PR25.00', email: `${email}@${shop.id}.test` }))
    await services.db.run(`UPDATE readers SET full_name = '' WHERE publication_id = :publicationId`, { publicationId })
    const erased = `type = 'reader.erased'`
    const deliveries = async (where: string) => {
      const [row] = await services.db.query<{ n: number; readers: number }>(
        `SELECT COUNT(*) AS n, COUNT(DISTINCT about_reader) AS readers FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
         WHERE e.publisher_id = :publisherId AND ${where} AND about_reader IS NOT NULL`,
        { publisherId: shop.publisherId },
      )
      return [Number(row?.n), Number(row?.readers)]
    }
    const before = await content()
    const added = await deliveries(`type = 'reader.added'`)
    const { id, state } = await removeReaders(ctx, shown(5000))
    expect(state).toBe('waiting')
    expect(await numberOf('readers')).toBe(5000)
    await runWorker(services)
    const done = { id, state: 'done', label: 'Empty Full Names', removed: 5000, leftAlone: 0, canRestore: true }
    expect(await listRemovals(ctx, { publicationId })).toMatchObject([done])
    expect(await numberOf('readers')).toBe(0)
    expect(await numberOf('removed_readers', `removal_id = ${id}`)).toBe(5000)
    expect(await deliveries(erased)).toEqual([5000, 5000])
    expect(await numberOf('payment_agreements', `state = 'ended' AND end_reason = 'reader-gone'`)).toBe(2)
    expect(await numberOf('circulation_terms', 'ended_on IS NULL')).toBe(0)
    const audited = await services.db.query<{ action: string; facts: unknown; actor_kind: string }>(
      `SELECT action, facts, actor_kind FROM audit_log WHERE subject_type = 'publication' AND subject_id = :publicationId ORDER BY id`,
      { publicationId },
    )
    const facts = audited.map(({ facts, ...row }) => ({
      ...row,
      ...(typeof facts === 'string' ? JSON.parse(facts) : facts),
    }))
    expect(facts).toMatchObject([
      { action: 'start-removal', actor_kind: 'staff', removal: id, list: 'nofullname', readers: 5000 },
      { action: 'remove-readers', actor_kind: 'staff', removal: id, readers: 5000, renewalsEnded: 2 },
    ])

    expect(await restoreReaders(ctx, { removalId: id })).toMatchObject({ state: 'restoring' })
    await expect(restoreReaders(ctx, { removalId: id })).rejects.toMatchObject({
      message: 'These readers are already being restored',
    })
    await runWorker(services)
    expect(await newest()).toMatchObject({ state: 'done', restored: 5000, notRestored: 0, canRestore: false })
    expect(await content()).toEqual(before)
    expect(await numberOf('removed_readers')).toBe(0)
    expect(await numberOf('reader_events', `kind = 'restored'`)).toBe(5000)
    expect(await deliveries(`type = 'reader.added'`)).toEqual([(added[0] ?? 0) + 5000, 5000])
    expect(await numberOf('circulation_terms', 'ended_on IS NULL')).toBe(5000)
    // Only a reader can agree to a renewal.
    expect(await numberOf('payment_agreements', `state = 'active'`)).toBe(0)
    await expect(restoreReaders(ctx, { removalId: id })).rejects.toMatchObject({ kind: 'notFound' })
  })

  it('leaves readers who were added, changed or restored since the list was shown', async () => {
    const first = await addReaders(2100)
    const [restored, changed] = [await addReader(), await addReader()]
    await removeReader(ctx, { id: restored })
    const request = shown(2101)
    await restoreReader(ctx, { id: restored })
    const added = await addReader()
    await services.db.run(`UPDATE readers SET last_name = 'Wren', updated_at = :now WHERE id = :changed`, {
      changed,
      now: services.now(),
    })
    // In the list when it was shown, and no longer.
    await services.db.run(`UPDATE readers SET full_name = 'Ida', updated_at = :now WHERE id = :first`, {
      first,
      now: services.now(),
    })
    await removeReaders(ctx, request)
    // While it is waiting, too.
    services.clock.advance({ minutes: 1 })
    const addedLater = await addReader()
    await runWorker(services)
    expect(await newest()).toMatchObject({ state: 'done', removed: 2099, leftAlone: 4 })
    expect(await numberOf('readers')).toBe(5)
    for (const id of [first, restored, changed, added, addedLater]) expect(await readerRow(services, id)).toBeDefined()
  })

  it('is refused if more readers than were shown would be removed, or an import may have changed them', async () => {
    await addReaders(2100)
    const stale = shown(2099)
    await expect(removeReaders(ctx, stale)).rejects.toMatchObject({
      kind: 'conflict',
      message: 'The list has 2,100 readers now, not 2,099',
    })
    // A short list that has grown is still bound to its number.
    await expect(removeReaders(ctx, { ...stale, count: 12 })).rejects.toMatchObject({
      message: 'The list has 2,100 readers now, not 12',
    })
    const imported = (kind: string, values: { startedAt: Date; finishedAt: Date | null }) =>
      services.db.run(
        `INSERT INTO tasks (kind, publisher_id, publication_id, state, counts, actor_kind, on_lost, asked_at, started_at, finished_at)
         VALUES (:kind, :publisherId, :publicationId, :state, '{}', 'operator', 'resume', :startedAt, :startedAt, :finishedAt)`,
        {
          kind,
          publisherId: shop.publisherId,
          publicationId,
          state: values.finishedAt ? 'done' : 'running',
          ...values,
        },
      )
    const request = shown(2100)
    const earlier = new Date(new Date(request.shownAt).getTime() - 60_000)
    // One that has ended before does not matter, nor one that began later: its readers are newer than the list.
    await imported('import-readers', { startedAt: earlier, finishedAt: earlier })
    await imported('import-readers', { startedAt: services.now(), finishedAt: services.now() })
    await imported('import-postcodes', { startedAt: earlier, finishedAt: null })
    await removeReaders(ctx, request)
    await imported('undo-import', { startedAt: services.now(), finishedAt: null })
    await runWorker(services)
    expect(await newest()).toMatchObject({
      state: 'failed',
      removed: 0,
      problem: expect.stringContaining('An import has changed the readers of this publication'),
    })
    await expect(removeReaders(ctx, request)).rejects.toMatchObject({ kind: 'conflict' })
    expect(await numberOf('readers')).toBe(2100)
  })

  it('is of the day on which it was shown, though it runs past midnight', async () => {
    services.clock.set('2026-11-21T23:59:00Z')
    const today = await addReader({ subEndOn: '2026-11-20' })
    await copyReader(services, today, 2004)
    const tomorrow = await addReader({ subEndOn: '2026-11-21' })
    await removeReaders(ctx, shown(2005, 'expiredsubscriber'))
    services.clock.advance({ minutes: 5 })
    await runWorker(services)
    expect(await newest()).toMatchObject({ removed: 2005, leftAlone: 0 })
    expect(await readerRow(services, tomorrow)).toBeDefined()
  })

  it('can be limited to a search, however few of the readers match it', async () => {
    const wren = await addReader({ lastName: 'Wren' })
    await copyReader(services, await addReader({ lastName: 'Finch' }), 5200)
    await copyReader(services, wren, 2100)
    services.clock.advance({ minutes: 1 })
    const removal = await removeReaders(ctx, { ...shown(2101, 'all'), q: 'wren', isWaiting: true })
    expect(removal).toMatchObject({ state: 'done', removed: 2101, leftAlone: 0, label: 'All readers, “wren”' })
    expect(await numberOf('readers')).toBe(5201)
    expect(await numberOf('readers', `last_name = 'Wren'`)).toBe(0)
  })

  it('is done at once, all or none, up to 2,000', async () => {
    await addReaders(2000)
    const { id, ...removal } = await removeReaders(ctx, shown(2000))
    expect(removal).toMatchObject({ state: 'done', removed: 2000, gone: 0, isLong: false })
    expect(await restoreReaders(ctx, { removalId: id })).toMatchObject({ state: 'ended', restored: 2000, left: 0 })
    const request = shown(2000)
    await addReader()
    await expect(removeReaders(ctx, request)).rejects.toMatchObject({ kind: 'conflict' })
    expect(await numberOf('readers')).toBe(2001)
  })

  it('runs once at a time, and shows which one is running', async () => {
    await addReaders(2100)
    const { id } = await removeReaders(ctx, shown(2100))
    await expect(removeReaders(ctx, shown(2100, 'all'))).rejects.toMatchObject({
      kind: 'conflict',
      message: 'Other readers of this publication are being removed (Empty Full Names, 0 readers removed so far)',
    })
    await expect(restoreReaders(ctx, { removalId: id })).rejects.toMatchObject({
      message: 'These readers are still being removed',
    })
    // A few can be removed meanwhile: the long removal does not find them.
    const [reader] = await rowsOf(services, 'readers', publicationId)
    expect(await removeReaders(ctx, { publicationId, readerIds: [Number(reader?.id)] })).toMatchObject({ removed: 1 })
    await runWorker(services)
    expect((await listRemovals(ctx, { publicationId })).map(({ removed }) => removed)).toEqual([1, 2099])
  })

  it('is not possible for another publisher, nor without the permission', async () => {
    await addReaders(2100)
    const request = shown(2100)
    const stranger = services.as(await actorOf(services, 'publisher'))
    const admin = services.as(await actorOf(services, 'admin', shop.publisherId))
    await expect(removeReaders(stranger, request)).rejects.toMatchObject({ kind: 'notFound' })
    await expect(removeReaders(admin, request)).rejects.toMatchObject({ kind: 'denied' })
    const { id: removalId } = await removeReaders(ctx, { ...request, ...stopAfterFirst() })
    for (const call of [
      () => listRemovals(stranger, { publicationId }),
      () => stopRemoval(stranger, { removalId }),
      () => resumeRemoval(stranger, { removalId }),
      () => restoreReaders(stranger, { removalId }),
    ])
      await expect(call()).rejects.toMatchObject({ kind: 'notFound' })
    for (const call of [
      () => listRemovals(admin, { publicationId }),
      () => stopRemoval(admin, { removalId }),
      () => resumeRemoval(admin, { removalId }),
      () => restoreReaders(admin, { removalId }),
    ])
      await expect(call()).rejects.toMatchObject({ kind: 'denied' })
    expect(await newest()).toMatchObject({ removed: 500, restored: 0 })
    // Readers of another publication with the same list are not touched.
    const other = await makeShop(services)
    const theirs = await makeReader(services, other.id, { fullName: '' })
    await resumeRemoval(ctx, { removalId, isWaiting: true })
    expect(await readerRow(services, theirs)).toBeDefined()
  })
})

describe('a removal that is stopped', () => {
  it('in the middle keeps what it has done, and its readers can be restored', async () => {
    await addReaders(2600)
    const before = await content()
    let stopping: Promise<unknown> | undefined
    const removal = await removeReaders(ctx, {
      ...shown(2600),
      isWaiting: true,
      // Pressed by somebody else while the second chunk is being removed.
      onProgress: ({ id: removalId }: RemovalView) =>
        ctx.db.afterCommit(() => {
          stopping ??= stopRemoval(ctx, { removalId })
        }),
    })
    expect(await stopping).toMatchObject({ stopped: 'removal' })
    const { id: removalId } = removal
    expect(removal).toMatchObject({ state: 'stopped', canRestore: true, canResume: false })
    expect([500, 1000]).toContain(removal.removed)
    expect(await numberOf('readers')).toBe(2600 - removal.removed)
    expect(await numberOf('removed_readers')).toBe(removal.removed)
    expect(await stopRemoval(ctx, { removalId })).toMatchObject({ stopped: null })
    await expect(resumeRemoval(ctx, { removalId })).rejects.toMatchObject({ kind: 'conflict' })
    expect(await restoreReaders(ctx, { removalId })).toMatchObject({ restored: removal.removed, left: 0 })
    expect(await content()).toEqual(before)
  })

  it('before it has begun changes nothing', async () => {
    await addReaders(2100)
    const { id: removalId } = await removeReaders(ctx, shown(2100))
    expect(await stopRemoval(ctx, { removalId })).toMatchObject({ stopped: 'removal', state: 'stopped' })
    await runWorker(services)
    expect(await numberOf('readers')).toBe(2100)
    expect(await newest()).toMatchObject({ state: 'stopped', removed: 0, canRestore: false })
  })

  it('by the end of its process is resumed from where it was, and then restored in two runs', async () => {
    await addReaders(3100)
    const before = await content()
    const { id: removalId } = await removeReaders(ctx, { ...shown(3100), ...stopAfterFirst() })
    expect(await newest()).toMatchObject({ state: 'failed', removed: 500, canResume: true, canRestore: true })
    await resumeRemoval(ctx, { removalId })
    await runWorker(services)
    expect(await newest()).toMatchObject({ id: removalId, state: 'done', removed: 3100 })
    const interrupted = await restoreReaders(ctx, { removalId, ...stopAfterFirst() })
    expect(interrupted).toMatchObject({ isComplete: false, restored: 500 })
    expect(await newest()).toMatchObject({ state: 'done', restored: 500, canRestore: true })
    expect(await restoreReaders(ctx, { removalId })).toMatchObject({ state: 'restoring' })
    expect(await stopRemoval(ctx, { removalId })).toMatchObject({ stopped: 'undo' })
    expect(await restoreReaders(ctx, { removalId, isWaiting: true })).toMatchObject({
      isComplete: true,
      restored: 2600,
    })
    expect(await content()).toEqual(before)
  })

  it('cannot be resumed once some of its readers are restored', async () => {
    await addReaders(2100)
    const { id: removalId } = await removeReaders(ctx, { ...shown(2100), ...stopAfterFirst() })
    expect(await restoreReaders(ctx, { removalId })).toMatchObject({ restored: 500 })
    await expect(resumeRemoval(ctx, { removalId })).rejects.toMatchObject({ kind: 'conflict' })
    expect(await numberOf('readers')).toBe(2100)
  })
})

describe('readers removed together', () => {
  it('stay removed if their reference was given to another reader, and can be restored later', async () => {
    await addReaders(2100)
    const { id: removalId } = await removeReaders(ctx, { ...shown(2100), isWaiting: true })
    const reused = await addReader({ uniqueReference: `N${publicationId}-7` })
    const preview = { restored: 2099, left: 1 }
    expect(await restoreReaders(ctx, { removalId, dryRun: true })).toMatchObject(preview)
    expect(await numberOf('readers')).toBe(1)
    expect(await restoreReaders(ctx, { removalId, isWaiting: true })).toMatchObject(preview)
    expect(await newest()).toMatchObject({ restored: 2099, notRestored: 1, canRestore: true })
    await expect(restoreReaders(ctx, { removalId })).rejects.toMatchObject({
      message: 'The references of these readers belong to other readers now',
    })
    await removeReader(ctx, { id: reused })
    expect(await restoreReaders(ctx, { removalId })).toMatchObject({ restored: 1, left: 0 })
  })

  it('are deleted after thirty days, in chunks, with the removal and its tasks', async () => {
    await addReaders(2100)
    const { id: removalId } = await removeReaders(ctx, { ...shown(2100), isWaiting: true })
    const clean = async () => {
      const cleared = await clearRemovedReaders(ctx, services.now())
      await clearOldRemovals(ctx, services.now())
      return cleared
    }
    services.clock.advance({ days: removedReaderDays - 1 })
    expect(await clean()).toBe(0)
    expect(await newest()).toMatchObject({ id: removalId, canRestore: true })
    services.clock.advance({ days: 2 })
    expect(await newest()).toMatchObject({ canRestore: false })
    await expect(restoreReaders(ctx, { removalId })).rejects.toMatchObject({ kind: 'notFound' })
    // With those of the other tests.
    expect(await clean()).toBeGreaterThanOrEqual(2100)
    expect(await numberOf('removed_readers')).toBe(0)
    expect(await newest()).toBeUndefined()
    expect(await numberOf('tasks', `kind = 'remove-readers'`)).toBe(0)
  })
})
