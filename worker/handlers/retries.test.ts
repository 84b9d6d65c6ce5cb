import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import type { Actor } from '#core/access/actor.ts'
import { confirmUpload } from '#core/imports/confirm-upload.ts'
import { getUpload } from '#core/imports/get-upload.query.ts'
import { undoUpload } from '#core/imports/undo-upload.ts'
import { startBullDrain } from '#core/platform/queue/bull-drain.ts'
import { type Drain, startEmbeddedDrain } from '#core/platform/queue/embedded-drain.ts'
import { actorOf, makePublication } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { upload } from '#tests/support/uploads.ts'
import { handlers } from './index.ts'

const redisUrl = inject('redisUrl')
const queues = ['embedded', ...(redisUrl ? ['bull'] : [])] as const

describe.each(queues)('what an error of long work means to the %s queue', (kind) => {
  let services: TestServices
  let drain: Drain
  let publication: Awaited<ReturnType<typeof makePublication>>
  let actor: Actor

  beforeAll(async () => {
    services = await openTestServices()
    drain =
      kind === 'bull'
        ? startBullDrain(services, handlers, redisUrl, services.databaseUrl, 20)
        : startEmbeddedDrain(services, handlers, 20)
  })
  afterAll(() => drain.stop())
  beforeEach(async () => {
    publication = await makePublication(services)
    actor = await actorOf(services, 'publisher', publication.publisherId)
  })
  const seconds = (count: number) => new Date(services.now().getTime() + count * 1000)
  afterEach(() => drain.idle())

  const view = (uploadId: number) => getUpload(services.as(actor), { uploadId })
  const lastJob = async (name: string) => {
    const [job] = await services.db.query<{ state: string; attempts: number; problem: string | null }>(
      `SELECT state, attempts, problem FROM jobs WHERE name = :name ORDER BY id DESC LIMIT 1`,
      { name },
    )
    return job
  }
  /** An upload that was checked, and waits for somebody to confirm it. */
  async function checked(): Promise<number> {
    const text = 'UniqueReference,FirstName,LastName\nU1,Ann,Lee\n'
    const { uploadId } = await upload(services, actor, { publicationId: publication.id, text })
    await drain.idle()
    return uploadId
  }
  async function imported(): Promise<number> {
    const uploadId = await checked()
    await confirmUpload(services.as(actor), { uploadId })
    await drain.idle()
    return uploadId
  }
  /** As another process holds an upload that it works on, or one that was killed a moment ago. */
  const hold = (uploadId: number, state: string) =>
    services.db.run(`UPDATE uploads SET state = :state, locked_until = :until WHERE id = :uploadId`, {
      uploadId,
      state,
      until: seconds(10),
    })

  it('an undo that another process holds is tried again when its lease has run out', async () => {
    const uploadId = await imported()
    await services.db.transaction(async () => {
      await undoUpload(services.as(actor), { uploadId })
      await hold(uploadId, 'undoing')
    })
    await drain.idle()
    expect(await lastJob('undo-import')).toMatchObject({
      state: 'waiting',
      problem: expect.stringMatching(/^unavailable/),
    })
    expect(await view(uploadId)).toMatchObject({ state: 'undoing', problem: null })
    services.clock.now = seconds(16)
    await drain.idle()
    expect(await lastJob('undo-import')).toMatchObject({ state: 'done', attempts: 2 })
    expect((await view(uploadId)).state).toBe('undone')
  })

  it('an undo that can never be done is tried once, and says why', async () => {
    const uploadId = await imported()
    await services.db.transaction(async () => {
      await undoUpload(services.as(actor), { uploadId })
      await services.db.run(`UPDATE uploads SET started_at = :longAgo WHERE id = :uploadId`, {
        uploadId,
        longAgo: seconds(-31 * 86_400),
      })
    })
    await drain.idle()
    expect(await lastJob('undo-import')).toMatchObject({
      state: 'failed',
      attempts: 1,
      problem: expect.stringMatching(/^gone/),
    })
    expect((await view(uploadId)).problem).toBe('This import is more than 30 days old and cannot be undone any more')
  })

  it('an import that another process holds is tried again when its lease has run out', async () => {
    const uploadId = await checked()
    await services.db.transaction(async () => {
      await confirmUpload(services.as(actor), { uploadId })
      await hold(uploadId, 'running')
    })
    await drain.idle()
    expect(await lastJob('run-import')).toMatchObject({
      state: 'waiting',
      problem: expect.stringMatching(/^unavailable/),
    })
    services.clock.now = seconds(16)
    await drain.idle()
    expect(await lastJob('run-import')).toMatchObject({ state: 'done', attempts: 2 })
    expect(await view(uploadId)).toMatchObject({ state: 'done', added: 1 })
  })

  it('work whose asker has left is not tried again', async () => {
    const uploadId = await imported()
    await services.db.transaction(async () => {
      await undoUpload(services.as(actor), { uploadId })
      await services.db.run(`UPDATE users SET is_active = :no WHERE id = :id`, {
        no: false,
        id: actor.kind === 'staff' ? actor.userId : 0,
      })
    })
    await drain.idle()
    expect(await lastJob('undo-import')).toMatchObject({
      state: 'failed',
      attempts: 1,
      problem: expect.stringMatching(/^denied/),
    })
  })
})
