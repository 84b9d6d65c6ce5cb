import { beforeAll, describe, expect, it } from 'vitest'
import type { AppContext } from '#core/context.ts'
import { AppError } from '#core/kernel/errors.ts'
import { actorOf } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { cancelDownload } from './cancel-download.ts'
import type { DownloadFile } from './download-file.ts'
import { downloadProgress } from './download-progress.query.ts'
import { Downloads } from './downloads.rows.ts'
import { saveIntervalMs, trackDownload } from './track-download.ts'

let services: TestServices
let ctx: AppContext
let stranger: AppContext

beforeAll(async () => {
  services = await openTestServices()
  ctx = services.as(await actorOf(services, 'publisher'))
  stranger = services.as(await actorOf(services, 'publisher'))
})

let sequence = 0
const newToken = () => `token-of-a-page-${String(sequence++).padStart(8, '0')}`

/** Three pieces with twenty rows each; `beforePiece` runs before each. */
function makeFile(beforePiece: (piece: number) => unknown = () => {}): DownloadFile {
  let sent = 0
  async function* chunks() {
    for (let piece = 0; piece < 3; piece++) {
      await beforePiece(piece)
      sent += 20
      yield Buffer.from('x'.repeat(100))
    }
  }
  return { fileName: 'readers.csv', chunks: chunks(), rows: () => ({ sent, total: 60 }) }
}

async function read(file: DownloadFile): Promise<number> {
  let bytes = 0
  for await (const chunk of file.chunks) bytes += chunk.length
  return bytes
}

/** A download that is recorded as running, and whose lease nobody renews. */
async function makeAbandonedDownload(): Promise<string> {
  const token = newToken()
  for await (const _ of (await trackDownload(ctx, token, async () => makeFile())).chunks) break
  await services.db.run(`UPDATE downloads SET state = 'running', problem = NULL WHERE token = :token`, { token })
  return token
}

describe('the progress of a download', () => {
  it('shows how far it is and when it is done, only to its own user', async () => {
    const token = newToken()
    expect(await downloadProgress(ctx, { token })).toMatchObject({ state: 'unknown' })
    const seen: unknown[] = []
    const file = await trackDownload(ctx, token, async () =>
      makeFile(async (piece) => {
        if (piece === 2) services.clock.advance({ ms: saveIntervalMs })
        seen.push(await downloadProgress(ctx, { token }))
      }),
    )
    const pieces = file.chunks[Symbol.asyncIterator]()
    for (let step = await pieces.next(); !step.done; step = await pieces.next())
      services.clock.advance({ ms: saveIntervalMs })
    expect(seen.at(-1)).toMatchObject({
      state: 'running',
      fileName: 'readers.csv',
      rows: 40,
      rowsTotal: 60,
      bytes: 100,
    })
    const end = { state: 'done', fileName: 'readers.csv', bytes: 300, rows: 60, rowsTotal: 60, problem: null }
    expect(await downloadProgress(ctx, { token })).toEqual(end)
    expect(await downloadProgress(stranger, { token })).toMatchObject({ state: 'unknown', fileName: '' })
  })

  it('stops when its user cancels it, not when a stranger does, and never starts when cancelled before', async () => {
    const token = newToken()
    const file = await trackDownload(ctx, token, async () =>
      makeFile(async (piece) => {
        if (piece === 1) await cancelDownload(stranger, { token })
        if (piece === 2) await cancelDownload(ctx, { token })
        services.clock.advance({ ms: saveIntervalMs })
      }),
    )
    const receivedSizes: number[] = []
    const readAll = async () => {
      for await (const chunk of file.chunks) receivedSizes.push(chunk.length)
    }
    await expect(readAll()).rejects.toMatchObject({ kind: 'gone' })
    expect(receivedSizes).toEqual([100, 100])
    expect(await downloadProgress(ctx, { token })).toMatchObject({ state: 'cancelled' })

    const cancelledToken = newToken()
    await cancelDownload(ctx, { token: cancelledToken })
    let isMade = false
    const cancelledFile = await trackDownload(ctx, cancelledToken, async () =>
      makeFile(() => {
        isMade = true
      }),
    )
    await expect(read(cancelledFile)).rejects.toMatchObject({ kind: 'gone' })
    expect(isMade).toBe(false)
  })

  it('shows why it failed: before its first chunk, in the middle, and when the client disconnects', async () => {
    const refused = newToken()
    const broken = newToken()
    const disconnected = newToken()
    const refusal = new AppError('notFound', 'The publication was not found', { hint: 'Look at the list.' })
    await expect(trackDownload(ctx, refused, () => Promise.reject(refusal))).rejects.toBe(refusal)
    expect(await downloadProgress(ctx, { token: refused })).toMatchObject({
      state: 'failed',
      problem: 'The publication was not found. Look at the list.',
    })
    const file = await trackDownload(ctx, broken, async () =>
      makeFile((piece) => {
        if (piece === 1) throw new Error('secret: the disk is on fire')
      }),
    )
    await expect(read(file)).rejects.toThrow('on fire')
    const progress = await downloadProgress(ctx, { token: broken })
    expect(progress).toMatchObject({ state: 'failed' })
    expect(progress.problem).not.toContain('secret')
    for await (const _ of (await trackDownload(ctx, disconnected, async () => makeFile())).chunks) break
    expect(await downloadProgress(ctx, { token: disconnected })).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('interrupted'),
    })
  })

  it('has failed once the process that sent it has ended', async () => {
    const token = newToken()
    const pieces = (await trackDownload(ctx, token, async () => makeFile())).chunks[Symbol.asyncIterator]()
    await pieces.next()
    expect(await downloadProgress(ctx, { token })).toMatchObject({ state: 'running', problem: null })
    const owner = services.processes.self.replace(/\w+$/, 'before')
    await services.db.run(`UPDATE downloads SET owner = :owner WHERE token = :token`, { owner, token })
    expect(await downloadProgress(ctx, { token })).toMatchObject({
      state: 'failed',
      problem: 'The server was restarted while it made the file. Start the download again.',
    })
    await pieces.return?.()
  })

  it.each([
    { state: 'running', late: 'a second', ms: 1000, shown: { problem: null } },
    // Another process may have been given its id since.
    { state: 'failed', late: 'more than an hour', ms: 3_600_001, shown: {} },
  ])('is $state when its process seems to run and its lease is $late late', async ({ state, ms, shown }) => {
    const token = await makeAbandonedDownload()
    await services.db.run(`UPDATE downloads SET lease_until = :over WHERE token = :token`, {
      over: new Date(services.clock.now.getTime() - ms),
      token,
    })
    expect(await downloadProgress(ctx, { token })).toMatchObject({ state, ...shown })
  })

  it('has failed when the machine of its process is gone: nobody renews its lease', async () => {
    const token = await makeAbandonedDownload()
    const owner = `a-replaced-container${services.processes.self.slice(services.processes.self.indexOf(' '))}`
    await services.db.run(`UPDATE downloads SET owner = :owner WHERE token = :token`, { owner, token })
    expect(await downloadProgress(ctx, { token })).toMatchObject({ state: 'running', problem: null })
    services.clock.advance({ minutes: 2 })
    expect(await downloadProgress(ctx, { token })).toMatchObject({
      state: 'failed',
      problem: 'The server was restarted while it made the file. Start the download again.',
    })
  })

  it('keeps its lease while the browser reads nothing', async () => {
    const token = newToken()
    const pieces = (await trackDownload(ctx, token, async () => makeFile())).chunks[Symbol.asyncIterator]()
    await pieces.next()
    services.clock.advance({ minutes: 10 })
    const lease = async () => (await Downloads.find(ctx, { token }))?.leaseUntil?.getTime()
    await expect.poll(lease, { timeout: 30_000 }).toBeGreaterThan(services.clock.now.getTime())
    await pieces.return?.()
  })

  it('is not recorded under an invalid token, and is deleted after a day', async () => {
    expect(await read(await trackDownload(ctx, 'short', async () => makeFile()))).toBe(300)
    const token = newToken()
    await read(await trackDownload(ctx, token, async () => makeFile()))
    services.clock.advance({ hours: 25 })
    await read(await trackDownload(ctx, newToken(), async () => makeFile()))
    expect(await downloadProgress(ctx, { token })).toMatchObject({ state: 'unknown' })
  })
})
