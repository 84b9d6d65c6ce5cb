import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AppContext, contextFor } from '#core/context.ts'
import { fixReaders } from '#core/fixes/fix-readers.ts'
import { addDays, dayOf } from '#core/kernel/calendar.ts'
import { formatDay } from '#core/kernel/dates.ts'
import { saveBlanketOffer } from '#core/series/blanket-offers.ts'
import { Users } from '#core/users/users.rows.ts'
import { actorOf } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { makeShop } from '#tests/support/shop.ts'
import { staffCookie } from '#tests/support/staff-session.ts'
import { type StoppedClock, stopClock } from '#tests/support/stopped-clock.ts'
import { someImport } from '#tests/support/uploads.ts'
import { startTestServer, type TestServer } from '#tests/support/web-server.ts'

/** The first view of running work, before any script of the page can have measured its pace. */
let server: TestServer
let clock: StoppedClock | undefined
let ctx: AppContext
let publicationId: number
let importId: number
let cookie: string
beforeAll(async () => {
  server = await startTestServer({ seed: false })
  const { services } = server
  const shop = await makeShop(services)
  publicationId = shop.id
  ctx = contextFor(services, await actorOf(services, 'publisher', shop.publisherId), { entryPoint: 'test' })
  const email = (await Users.find(services, { id: shop.publisherId }))?.email ?? ''
  cookie = await staffCookie(services, email)
  importId = await someImport({ fixture: { services }, tenant: { publicationId, marker: 'Quay' } })
  clock = stopClock(server)
})
afterAll(async () => {
  clock?.release()
  await server.stop()
})

/** A task that has done 5,000 of 20,000 in its first ten seconds, so that 30 s are left; `token` 2 is its second run. */
async function insertRunningTask(
  kind: string,
  {
    subjectId,
    phase = null,
    token = 1,
    undoOf = null,
  }: { subjectId: number; phase?: string | null; token?: number; undoOf?: number | null },
): Promise<number> {
  const now = server.services.now()
  const [task] = await server.services.db.query<{ id: number }>(
    `INSERT INTO tasks (kind, publication_id, subject_id, state, phase, done, total, token, undo_of, counts, actor_kind, on_lost, asked_at, started_at, lease_until)
     VALUES (:kind, :publicationId, :subjectId, 'running', :phase, 5000, 20000, :token, :undoOf, '{}', 'system', 'resume', :startedAt, :startedAt, :leaseUntil)
     RETURNING id`,
    {
      kind,
      publicationId,
      subjectId,
      phase,
      token,
      undoOf,
      startedAt: new Date(now.getTime() - 10_000),
      leaseUntil: new Date(now.getTime() + 60_000),
    },
  )
  return Number(task?.id)
}

const endTasks = () => server.services.db.run(`UPDATE tasks SET state = 'done' WHERE state = 'running'`)

async function progressOn(path: string): Promise<string | undefined> {
  const response = await fetch(server.url + path, { headers: { cookie } })
  const text = (await response.text()).replaceAll('<!-- -->', '')
  return text.match(/<p role="status"[^>]*>([^<]*5,000[^<]*)</)?.[1]
}

it('the first view of an import and of its undo says how long is left', async () => {
  const subjectId = importId
  const page = `/uploadaddandcombine/${publicationId}?upload=${subjectId}`
  await insertRunningTask('import-readers', { subjectId, phase: 'reading' })
  expect(await progressOn(page)).toBe('5,000 of 20,000 rows, about 30 s left, 1 rejected')
  await endTasks()
  // The time since the start includes the earlier phases.
  await insertRunningTask('import-readers', { subjectId, phase: 'writing' })
  expect(await progressOn(page)).toBe('5,000 of 20,000 rows, 1 rejected')
  await endTasks()
  await insertRunningTask('undo-import', { subjectId, phase: 'undoing' })
  expect(await progressOn(page)).toBe('5,000 of 20,000 readers, about 30 s left')
  await endTasks()
})

it('the first view of a fix and of its undo says how long is left, except after an interruption', async () => {
  const readerIds = [
    await makeReader(server.services, publicationId, { firstName: 'Ida', lastName: 'Finch', fullName: '' }),
  ]
  const { id: subjectId } = await fixReaders(ctx, { publicationId, kind: 'full-names', readerIds })
  const page = `/managedata?publication=${publicationId}`
  const progress = '5,000 of 20,000 readers, about 30 s left. You may leave this page: the work continues.'
  const startRun = (token: number) =>
    server.services.db.run(
      `UPDATE tasks SET state = 'running', done = 5000, total = 20000, token = :token, started_at = :startedAt WHERE kind = 'fix-readers'`,
      { token, startedAt: new Date(server.services.now().getTime() - 10_000) },
    )
  await startRun(1)
  expect(await progressOn(page)).toBe(progress)
  await startRun(2)
  expect(await progressOn(page)).toBe(progress.replace(', about 30 s left', ''))
  await endTasks()
  const [fix] = await server.services.db.query<{ id: number }>(`SELECT id FROM tasks WHERE kind = 'fix-readers'`)
  await insertRunningTask('undo-fix', { subjectId, undoOf: Number(fix?.id) })
  expect(await progressOn(page)).toBe(progress)
  await endTasks()
})

it('the first view of an offer that is being sent says how long is left', async () => {
  const today = dayOf(server.services.now(), server.services.settings.timeZone)
  const { id: subjectId } = await saveBlanketOffer(ctx, {
    publicationId,
    id: null,
    name: 'Summer',
    status: 'ended',
    offerPercent: '20',
    validUntil: formatDay(addDays(today, 30)),
  })
  await server.services.db.run(`UPDATE blanket_offers SET sent_on = :today WHERE id = :subjectId`, { today, subjectId })
  await insertRunningTask('send-offer', { subjectId })
  expect(await progressOn(`/renewals/offers?offer=${subjectId}`)).toBe(
    '5,000 of 20,000 readers, about 30 s left. You may leave this page: the work continues.',
  )
})
