import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { Actor } from '#core/access/actor.ts'
import { cleanUp } from '#core/maintenance/clean-up.ts'
import { storePostcodes } from '#core/postcode-files/store-postcodes.ts'
import { deactivateUser } from '#core/users/deactivate-user.ts'
import { deferred } from '#tests/support/deferred.ts'
import { actorOf, makePublication, makeUser, operator, system } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { pieces } from '#tests/support/uploads.ts'
import { runWorker, withRunningWorker } from '#tests/support/worker.ts'
import { cancelUpload } from './cancel-upload.ts'
import { confirmUpload } from './confirm-upload.ts'
import { getUpload } from './get-upload.query.ts'
import { importFile } from './import-file.ts'
import { storeUpload } from './store-upload.ts'

let services: TestServices
let publisherId: number
let actor: Actor
beforeAll(async () => {
  services = await openTestServices()
})
beforeEach(async () => {
  publisherId = (await makeUser(services)).id
  actor = await actorOf(services, 'publisher', publisherId)
})

const text = 'UniqueReference,FirstName\nU1,Ann\n'
const storedFiles = (id: number) => {
  try {
    return readdirSync(join(services.dataDir, 'uploads')).filter((name) => name.startsWith(`upload-${id}-`))
  } catch {
    return []
  }
}
const contextWithLimits = (limits: object) => {
  const ctx = services.as(actor)
  return { ...ctx, settings: { ...ctx.settings, ...limits } }
}
const makeTitle = async () => (await makePublication(services, { publisherId })).id
const store = async (ctx: ReturnType<typeof contextWithLimits>, input: object = {}) =>
  storeUpload(ctx, {
    publicationId: await makeTitle(),
    mode: 'add',
    fileName: 'readers.csv',
    chunks: pieces(text),
    ...input,
  })

it('one publisher can have only a limited number of waiting files, through every entry point; cancelling one makes room', async () => {
  const ctx = contextWithLimits({ uploadWaitingFiles: 2 })
  const firstUpload = await store(ctx)
  await storePostcodes(ctx, {
    publicationId: await makeTitle(),
    fileName: 'codes.csv',
    chunks: pieces('PostCode\nPL1 1AA\n'),
  })
  const refused = { kind: 'conflict', message: 'A publisher may have only 2 files waiting to be imported' }
  await expect(store(ctx)).rejects.toMatchObject(refused)
  await expect(
    importFile(ctx, { publicationId: await makeTitle(), csvdata: [{ FullName: 'A' }] }),
  ).rejects.toMatchObject(refused)
  expect(storedFiles(publisherId)).toHaveLength(2)
  const otherPublisher = await actorOf(services, 'publisher', (await makePublication(services)).publisherId)
  const otherContext = { ...ctx, actor: otherPublisher }
  const { id } = await makePublication(services, {
    publisherId: Number(otherPublisher.kind === 'staff' && otherPublisher.userId),
  })
  expect(await store(otherContext, { publicationId: id })).toMatchObject({ state: 'checking' })

  await cancelUpload(ctx, { uploadId: firstUpload.uploadId })
  await expect.poll(() => storedFiles(publisherId)).toHaveLength(1)
  expect(await store(ctx)).toMatchObject({ state: 'checking' })
})

it('uploads in progress count towards the limit like waiting ones, and what exceeds the limit is refused at once or during the transfer', async () => {
  const ctx = contextWithLimits({ uploadWaitingBytes: 40 * 1024 * 1024 })
  const released = deferred()
  const large = new Uint8Array(20 * 1024 * 1024).fill(65)
  const started = deferred()
  async function* heldChunks() {
    yield new TextEncoder().encode(text)
    yield large
    started.resolve()
    await released.promise
  }
  const slowUpload = store(ctx, { chunks: heldChunks() })
  await started.promise
  const refused = {
    kind: 'conflict',
    message: 'A publisher’s files waiting to be imported may take up 40 MB in total',
  }
  let isRead = false
  async function* watchedChunks() {
    isRead = true
    yield large
  }
  await expect(store(ctx, { chunks: watchedChunks(), announcedBytes: 21 * 1024 * 1024 })).rejects.toMatchObject(refused)
  expect(isRead).toBe(false)
  let bytesRead = 0
  async function* endless() {
    for (;;) {
      bytesRead += 1024 * 1024
      yield large.subarray(0, 1024 * 1024)
    }
  }
  await expect(store(ctx, { chunks: endless() })).rejects.toMatchObject(refused)
  expect(bytesRead).toBeLessThan(60 * 1024 * 1024)
  expect(storedFiles(publisherId)).toHaveLength(1)
  released.resolve()
  await slowUpload
})

it('a disk without enough room is reported before a byte is read', async () => {
  let isRead = false
  async function* watchedChunks() {
    isRead = true
    yield* pieces(text)
  }
  const refused = { kind: 'unavailable', message: 'The server’s disk is full: the file could not be stored' }
  const chunks = watchedChunks()
  await expect(store(contextWithLimits({ uploadFreeBytes: 2 ** 60 }), { chunks })).rejects.toMatchObject(refused)
  const tooLong = { chunks, announcedBytes: 2 ** 60 }
  await expect(store(contextWithLimits({ uploadWaitingBytes: 2 ** 61 }), tooLong)).rejects.toMatchObject(refused)
  expect(isRead).toBe(false)
  expect(storedFiles(publisherId)).toEqual([])
})

const makeCheckedUpload = async (ctx = contextWithLimits({})) => {
  const { uploadId } = await store(ctx)
  await runWorker(services)
  return uploadId
}

it('an interrupted import keeps its file until it is cancelled', async () => {
  const uploadId = await makeCheckedUpload()
  await confirmUpload(services.as(actor), { uploadId })
  await services.db.run(
    `UPDATE tasks SET state = 'interrupted', cursor = '{"records":0}' WHERE kind = 'import-readers' AND subject_id = :uploadId`,
    { uploadId },
  )
  await runWorker(services)
  expect(storedFiles(publisherId)).toHaveLength(1)
  expect(await cancelUpload(services.as(actor), { uploadId })).toEqual({
    state: 'cancelled',
    added: 0,
    updated: 0,
    removed: 0,
  })
  await expect.poll(() => storedFiles(publisherId)).toEqual([])
})

it('a finished import keeps no file, even when a process died before deleting it', async () => {
  const uploadId = await makeCheckedUpload()
  await confirmUpload(services.as(actor), { uploadId })
  expect(storedFiles(publisherId)).toHaveLength(1)
  await runWorker(services)
  expect(await getUpload(services.as(actor), { uploadId })).toMatchObject({ state: 'done', added: 1 })
  expect(storedFiles(publisherId)).toEqual([])
  for (const dryRun of [false, true]) {
    await withRunningWorker(services, async () =>
      importFile(services.as(actor), {
        publicationId: await makeTitle(),
        mode: 'add',
        csvdata: [{ FullName: 'A B' }],
        dryRun,
      }),
    )
    expect(storedFiles(publisherId)).toEqual([])
  }

  const leftover = join(services.dataDir, 'uploads', `upload-${publisherId}-${'0'.repeat(32)}.csv`)
  mkdirSync(join(services.dataDir, 'uploads'), { recursive: true })
  writeFileSync(leftover, text)
  await services.db.run(`UPDATE uploads SET stored_file = :left WHERE id = :uploadId`, { left: leftover, uploadId })
  const copy = join(services.dataDir, 'uploads', `stdin-${'0'.repeat(16)}.csv`)
  const ownFile = join(services.dataDir, 'uploads', 'stdin-of-mine.csv')
  for (const path of [copy, ownFile]) writeFileSync(path, text)
  services.clock.now = new Date(Date.now() + 2 * 86_400_000)
  await cleanUp(services.as(system), {})
  expect(storedFiles(publisherId)).toEqual([])
  expect([copy, ownFile].map((path) => existsSync(path))).toEqual([false, true])
})

it('the worker does nothing on behalf of a user whose publisher was deactivated', async () => {
  const admin = await actorOf(services, 'pubadmin', publisherId)
  const uploadId = await makeCheckedUpload({ ...contextWithLimits({}), actor: admin })
  await confirmUpload(services.as(admin), { uploadId })
  await deactivateUser(services.as(operator), { id: publisherId })
  await runWorker(services)
  expect(await getUpload(services.as(operator), { uploadId })).toMatchObject({
    state: 'failed',
    added: 0,
    problem: expect.stringContaining('has been deactivated'),
  })
})
