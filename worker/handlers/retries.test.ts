import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import type { Actor } from '#core/access/actor.ts'
import { confirmUpload } from '#core/imports/confirm-upload.ts'
import { getUpload } from '#core/imports/get-upload.query.ts'
import { undoUpload } from '#core/imports/undo-upload.ts'
import { startBullWorker } from '#core/platform/queue/bull-worker.ts'
import { startEmbeddedWorker, type WorkerLoop } from '#core/platform/queue/embedded-worker.ts'
import { takeLease } from '#core/tasks/start-task.ts'
import { selectTasks } from '#core/tasks/tasks.rows.ts'
import { actorOf, makePublication, system } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { upload } from '#tests/support/uploads.ts'
import { handlers } from './index.ts'

const redisUrl = inject('redisUrl')
const queues = ['embedded', ...(redisUrl ? ['bull'] : [])] as const

describe.each(queues)('an error in long work on the %s queue', (kind) => {
  let services: TestServices
  let loop: WorkerLoop
  let publication: Awaited<ReturnType<typeof makePublication>>
  let actor: Actor

  beforeAll(async () => {
    services = await openTestServices()
    loop =
      kind === 'bull'
        ? startBullWorker(services, handlers, redisUrl, services.databaseUrl, 20)
        : startEmbeddedWorker(services, handlers, 20)
  })
  afterAll(() => loop.stop())
  beforeEach(async () => {
    publication = await makePublication(services)
    actor = await actorOf(services, 'publisher', publication.publisherId)
  })
  const seconds = (count: number) => new Date(services.now().getTime() + count * 1000)
  afterEach(() => loop.idle())

  const view = (uploadId: number) => getUpload(services.as(actor), { uploadId })
  const lastTask = async () => (await selectTasks(services.db, 'id = (SELECT max(id) FROM tasks)'))[0]
  const jobsOf = async () => {
    const [row] = await services.db.query<{ n: number }>(`SELECT count(*) AS n FROM jobs WHERE name = 'run-task'`)
    return Number(row?.n)
  }
  /** An upload that was checked, and waits for confirmation. */
  async function checked(): Promise<number> {
    const text = 'UniqueReference,FirstName,LastName\nU1,Ann,Lee\n'
    const { uploadId } = await upload(services, actor, { publicationId: publication.id, text })
    await loop.idle()
    return uploadId
  }
  async function imported(): Promise<number> {
    const uploadId = await checked()
    await confirmUpload(services.as(actor), { uploadId })
    await loop.idle()
    return uploadId
  }
  /** The requested task, started by another process that no longer sends heartbeats. */
  const heldElsewhere = (ask: () => Promise<unknown>) =>
    services.db.transaction(async () => {
      await ask()
      const task = await lastTask()
      if (task) await takeLease(services.as(system), task)
      await services.db.run(`UPDATE tasks SET owner = 'another-machine 7 x' WHERE id = :id`, { id: task?.id ?? 0 })
    })

  it.each(['import', 'undo'])('an %s locked by another process is done once that lease has expired', async (what) => {
    const uploadId = await (what === 'undo' ? imported() : checked())
    const ask = what === 'undo' ? undoUpload : confirmUpload
    await heldElsewhere(() => ask(services.as(actor), { uploadId }))
    await loop.idle()
    expect(await view(uploadId)).toMatchObject({ state: what === 'undo' ? 'undoing' : 'running', problem: null })
    services.clock.now = seconds(61)
    await loop.idle()
    await expect.poll(async () => (await view(uploadId)).state).toBe(what === 'undo' ? 'undone' : 'done')
    expect(await view(uploadId)).toMatchObject({ added: 1 })
  })

  it('an undo that can never succeed is tried once, and says why', async () => {
    const uploadId = await imported()
    await services.db.transaction(async () => {
      await undoUpload(services.as(actor), { uploadId })
      await services.db.run(`UPDATE uploads SET started_at = :longAgo WHERE id = :uploadId`, {
        uploadId,
        longAgo: seconds(-31 * 86_400),
      })
    })
    await loop.idle()
    expect(await lastTask()).toMatchObject({ kind: 'undo-import', state: 'failed', attempts: 1 })
    expect(await view(uploadId)).toMatchObject({
      state: 'done',
      problem: 'This import is more than 30 days old and can no longer be undone',
    })
  })

  it('work whose user has left is not retried', async () => {
    const uploadId = await imported()
    await services.db.transaction(async () => {
      await undoUpload(services.as(actor), { uploadId })
      await services.db.run(`UPDATE users SET is_active = :no WHERE id = :id`, {
        no: false,
        id: actor.kind === 'staff' ? actor.userId : 0,
      })
    })
    const jobs = await jobsOf()
    await loop.idle()
    expect(await lastTask()).toMatchObject({
      kind: 'undo-import',
      state: 'failed',
      attempts: 1,
      problem: expect.stringContaining('has been deactivated'),
    })
    expect(await jobsOf()).toBe(jobs)
  })
})
