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

describe.each(queues)('an error in long work on the %s queue', (queue) => {
  let services: TestServices
  let worker: WorkerLoop
  let publication: Awaited<ReturnType<typeof makePublication>>
  let actor: Actor

  beforeAll(async () => {
    services = await openTestServices()
    worker =
      queue === 'bull'
        ? startBullWorker(services, handlers, redisUrl, services.databaseUrl, 20)
        : startEmbeddedWorker(services, handlers, 20)
  })
  afterAll(() => worker.stop())
  beforeEach(async () => {
    publication = await makePublication(services)
    actor = await actorOf(services, 'publisher', publication.publisherId)
  })
  const secondsFromNow = (count: number) => new Date(services.now().getTime() + count * 1000)
  afterEach(() => worker.idle())

  const view = (uploadId: number) => getUpload(services.as(actor), { uploadId })
  const lastTask = async () => (await selectTasks(services.db, 'id = (SELECT max(id) FROM tasks)'))[0]
  const countTaskJobs = async () => {
    const [row] = await services.db.query<{ n: number }>(`SELECT count(*) AS n FROM jobs WHERE name = 'run-task'`)
    return Number(row?.n)
  }
  /** Uploads a file and has it checked, so that it waits for confirmation. */
  async function checkedUpload(): Promise<number> {
    const text = 'UniqueReference,FirstName,LastName\nU1,Ann,Lee\n'
    const { uploadId } = await upload(services, actor, { publicationId: publication.id, text })
    await worker.idle()
    return uploadId
  }
  async function importedUpload(): Promise<number> {
    const uploadId = await checkedUpload()
    await confirmUpload(services.as(actor), { uploadId })
    await worker.idle()
    return uploadId
  }
  /** Requests a task, and has it held by another process that no longer sends heartbeats. */
  const requestHeldElsewhere = (requestTask: () => Promise<unknown>) =>
    services.db.transaction(async () => {
      await requestTask()
      const task = await lastTask()
      if (task) await takeLease(services.as(system), task)
      await services.db.run(`UPDATE tasks SET owner = 'another-machine 7 x' WHERE id = :id`, { id: task?.id ?? 0 })
    })

  it.each(['import', 'undo'])('an %s locked by another process is done once that lease has expired', async (action) => {
    const uploadId = await (action === 'undo' ? importedUpload() : checkedUpload())
    const requestTask = action === 'undo' ? undoUpload : confirmUpload
    await requestHeldElsewhere(() => requestTask(services.as(actor), { uploadId }))
    await worker.idle()
    expect(await view(uploadId)).toMatchObject({ state: action === 'undo' ? 'undoing' : 'running', problem: null })
    services.clock.now = secondsFromNow(61)
    await worker.idle()
    await expect.poll(async () => (await view(uploadId)).state).toBe(action === 'undo' ? 'undone' : 'done')
    expect(await view(uploadId)).toMatchObject({ added: 1 })
  })

  it('an undo that can never succeed is tried once, and says why', async () => {
    const uploadId = await importedUpload()
    await services.db.transaction(async () => {
      await undoUpload(services.as(actor), { uploadId })
      await services.db.run(`UPDATE uploads SET started_at = :longAgo WHERE id = :uploadId`, {
        uploadId,
        longAgo: secondsFromNow(-31 * 86_400),
      })
    })
    await worker.idle()
    expect(await lastTask()).toMatchObject({ kind: 'undo-import', state: 'failed', attempts: 1 })
    expect(await view(uploadId)).toMatchObject({
      state: 'done',
      problem: 'This import is more than 30 days old and can no longer be undone',
    })
  })

  it('work whose user has left is not retried', async () => {
    const uploadId = await importedUpload()
    await services.db.transaction(async () => {
      await undoUpload(services.as(actor), { uploadId })
      await services.db.run(`UPDATE users SET is_active = :no WHERE id = :id`, {
        no: false,
        id: actor.kind === 'staff' ? actor.userId : 0,
      })
    })
    const jobsBefore = await countTaskJobs()
    await worker.idle()
    expect(await lastTask()).toMatchObject({
      kind: 'undo-import',
      state: 'failed',
      attempts: 1,
      problem: expect.stringContaining('has been deactivated'),
    })
    expect(await countTaskJobs()).toBe(jobsBefore)
  })
})
