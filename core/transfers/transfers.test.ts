import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { mailSender, queuedEmails } from '#tests/support/emails.ts'
import { actorOf, makePublication, operator, system } from '#tests/support/factories.ts'
import { atFileEnd } from '#tests/support/file-end.ts'
import { makeReader } from '#tests/support/readers.ts'
import { type SftpServer, sshKey, startSftpServer } from '#tests/support/sftp-server.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { pieces } from '#tests/support/uploads.ts'
import { runWorker } from '#tests/support/worker.ts'
import type { AppContext } from '../context.ts'
import { cancelUpload } from '../imports/cancel-upload.ts'
import { chooseMapping } from '../imports/choose-mapping.ts'
import { storeUpload } from '../imports/store-upload.ts'
import { undoImport } from '../imports/undo-import.ts'
import { MailingFiles } from '../mailing/mailing-files.rows.ts'
import { cleanUp } from '../maintenance/clean-up.ts'
import { checkTransfer } from './check-transfer.ts'
import { getTransfer, listTransfers, type ShownRun } from './list-transfers.query.ts'
import { removeLayout } from './remove-layout.ts'
import { runTransfer, runTransferHere, startTransfers } from './run-transfer.ts'
import { saveLayout } from './save-layout.ts'
import { addTransfer, changeTransfer, confirmHostKey, removeTransfer } from './save-transfer.ts'

let services: TestServices
let server: SftpServer
beforeAll(async () => {
  services = await openTestServices({ TRANSFERS_TO_LOOPBACK: '1', TRANSFER_SETTLE_SECONDS: '0' })
})
beforeEach(async () => {
  server = await startSftpServer()
})

interface Fixture {
  owner: AppContext
  publicationId: number
  urlKey: string
  publisherId: number
}

async function makeFixture(): Promise<Fixture> {
  const { id: publicationId, publisherId, urlKey } = await makePublication(services)
  const owner = services.as(await actorOf(services, 'publisher', publisherId))
  return { owner, publicationId, publisherId, urlKey }
}

const transferFields = ({ publicationId, publisherId }: Fixture, fields: Record<string, unknown> = {}) => ({
  publicationId,
  kind: 'import',
  protocol: 'sftp',
  name: 'From the CRM',
  host: '127.0.0.1',
  port: server.port,
  login: 'mailing',
  password: server.password,
  filePattern: '*.csv',
  importMode: 'combine',
  runAt: '02:30',
  alertUsers: [publisherId],
  ...fields,
})

/** Adds a transfer and confirms its host key. */
async function addConfirmedTransfer(fixture: Fixture, fields: Record<string, unknown> = {}): Promise<number> {
  const { id: transferId } = await addTransfer(fixture.owner, transferFields(fixture, fields))
  const check = await checkTransfer(fixture.owner, { transferId })
  if (check.kind === 'host-key') await confirmHostKey(fixture.owner, { transferId, hostKey: check.hostKey })
  return transferId
}

/** Runs a transfer by the worker, and returns the outcome. */
async function run({ owner }: Fixture, transferId: number): Promise<ShownRun> {
  await runTransfer(owner, { transferId })
  await runWorker(services)
  return lastRun({ owner }, transferId)
}

async function lastRun({ owner }: Pick<Fixture, 'owner'>, transferId: number): Promise<ShownRun> {
  const [newest] = (await getTransfer(owner, { transferId })).runs
  if (!newest) throw new Error('There is no run')
  return newest
}

const fileStates = ({ files }: ShownRun) => files.map(({ name, state }) => [name, state])
const csv = (...names: string[]) =>
  `UniqueReference,FirstName,LastName\n${names.map((name) => `${name},${name},Reader\n`).join('')}`
const readerNames = async ({ publicationId }: Fixture) =>
  (
    await services.db.query<{ name: string }>(
      `SELECT first_name AS name FROM readers WHERE publication_id = :publicationId ORDER BY first_name`,
      { publicationId },
    )
  ).map(({ name }) => name)

describe('fetched files', () => {
  it('are imported, moved away and logged, and the same bytes are not imported twice', async () => {
    const fixture = await makeFixture()
    const transferId = await addConfirmedTransfer(fixture)
    server.put('b.csv', csv('Bob'))
    server.put('a.csv', csv('Ann', 'Amy'))
    server.put('notes.txt', 'nothing of ours')
    const firstRun = await run(fixture, transferId)
    expect(firstRun).toMatchObject({ state: 'done', startedBy: 'staff', problem: null })
    expect(firstRun.files).toMatchObject([
      { name: 'a.csv', state: 'imported', readers: 2, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      { name: 'b.csv', state: 'imported', readers: 1 },
    ])
    expect(await readerNames(fixture)).toEqual(['Amy', 'Ann', 'Bob'])
    expect(Object.keys(server.files())).toEqual(['notes.txt'])
    expect(Object.keys(server.files('done')).sort()).toEqual(['a.csv', 'b.csv'])

    server.put('again.csv', csv('Bob'))
    server.put('a.csv', csv('Ann', 'Ada'))
    expect(fileStates(await run(fixture, transferId))).toEqual([
      ['a.csv', 'imported'],
      ['again.csv', 'repeated'],
    ])
    expect(await readerNames(fixture)).toEqual(['Ada', 'Amy', 'Ann', 'Bob'])
    // A file whose name exists there gets another name.
    expect(Object.keys(server.files('done')).sort()).toEqual(['a-2.csv', 'a.csv', 'again.csv', 'b.csv'])
    expect((await run(fixture, transferId)).files).toEqual([])
    expect(await queuedEmails(services, 'transfer-failed')).toEqual([])
  })

  it('that a cancelled run has not reached are not reported as done, and are imported by the next one', async () => {
    const fixture = await makeFixture()
    const transferId = await addConfirmedTransfer(fixture)
    server.put('a.csv', csv('Ann'))
    server.put('b.csv', csv('Bob'))
    const stop = new AbortController()
    const ctx = services.as(operator)
    const remoteFiles: typeof ctx.remoteFiles = {
      ...ctx.remoteFiles,
      async openFolder(...args) {
        const folder = await ctx.remoteFiles.openFolder(...args)
        // A file is moved away once it is imported: the run is stopped after the first one.
        return { ...folder, moveInto: (...moveArgs) => folder.moveInto(...moveArgs).then(() => stop.abort()) }
      },
    }
    const stopped = await runTransferHere({ ...ctx, remoteFiles }, { transferId, signal: stop.signal })
    expect(fileStates(stopped)).toEqual([['a.csv', 'imported']])
    expect(stopped.state).toBe('cancelled')
    expect(fileStates(await run(fixture, transferId))).toEqual([['b.csv', 'imported']])
    expect(await readerNames(fixture)).toEqual(['Ann', 'Bob'])
  })

  it('stay in place if the server forbids moving, and are not imported again', async () => {
    const fixture = await makeFixture()
    const transferId = await addConfirmedTransfer(fixture)
    server.isReadOnly = true
    server.put('a.csv', csv('Ann'))
    expect(fileStates(await run(fixture, transferId))).toEqual([['a.csv', 'imported']])
    const { sent } = server
    expect((await run(fixture, transferId)).files).toEqual([])
    expect(server.sent).toBe(sent)
    server.put('a.csv', csv('Ann', 'Bea'))
    expect(fileStates(await run(fixture, transferId))).toEqual([['a.csv', 'imported']])
    expect(await readerNames(fixture)).toEqual(['Ann', 'Bea'])
  })

  it('are left for the next run while they are still being written, even during the download', async () => {
    const fixture = await makeFixture()
    const transferId = await addConfirmedTransfer(fixture)
    server.put('a.csv', csv('Ann'))
    let lists = 0
    server.onRequest = (request) => {
      if (request === 'list' && ++lists === 2) server.put('a.csv', csv('Ann', 'Bea'))
      return true
    }
    expect(fileStates(await run(fixture, transferId))).toEqual([['a.csv', 'growing']])
    server.onRequest = (request) => {
      if (request === 'read') server.put('a.csv', csv('Ann', 'Bea', 'Cleo'))
      return true
    }
    expect(fileStates(await run(fixture, transferId))).toEqual([['a.csv', 'growing']])
    expect(await readerNames(fixture)).toEqual([])
    server.onRequest = () => true
    expect(fileStates(await run(fixture, transferId))).toEqual([['a.csv', 'imported']])
    expect(await readerNames(fixture)).toEqual(['Ann', 'Bea', 'Cleo'])
  })

  it('are not imported when a person has to check them (unknown columns, an empty file); the others are', async () => {
    const fixture = await makeFixture()
    const transferId = await addConfirmedTransfer(fixture)
    server.put('columns.csv', 'Foo,Bar\n1,2\n')
    server.put('empty.csv', '')
    server.put('good.csv', csv('Ann'))
    const ended = await run(fixture, transferId)
    expect(ended.state).toBe('done')
    expect(ended.files).toMatchObject([
      { name: 'columns.csv', state: 'failed', problem: expect.stringContaining('columns are not known') },
      { name: 'empty.csv', state: 'failed', problem: expect.stringContaining('empty') },
      { name: 'good.csv', state: 'imported' },
    ])
    expect(Object.keys(server.files()).sort()).toEqual(['columns.csv', 'empty.csv'])
    const [{ about } = { about: {} }] = (await queuedEmails(services, 'transfer-failed')).slice(-1)
    expect(about).toEqual({ runId: ended.id, userId: fixture.publisherId })
    // The worker has sent it.
    expect(await mailSender('transfer-failed')(services.as(system), about)).toBe(false)
    const [sent] = (await services.mail.devMailbox?.list(1)) ?? []
    for (const { name, problem } of ended.files.slice(0, 2)) {
      expect(sent?.text).toContain(name)
      expect(sent?.text).toContain(problem)
    }
    expect(sent?.text).not.toContain('good.csv')
  })

  it('over the limit of uploads are refused without being read; the others are imported', async () => {
    const fixture = await makeFixture()
    const transferId = await addConfirmedTransfer(fixture)
    server.put('large.csv', csv(...Array.from({ length: 50 }, (_, index) => `Reader${index}`)))
    server.put('small.csv', csv('Ann'))
    const ctx = services.as(operator)
    const settings = { ...ctx.settings, uploadMaxBytes: 200 }
    const { files } = await runTransferHere({ ...ctx, settings }, { transferId })
    expect(files).toMatchObject([
      { name: 'large.csv', state: 'failed', problem: expect.stringContaining('The file is larger than 200 bytes') },
      { name: 'small.csv', state: 'imported' },
    ])
    expect(server.sent).toBe(csv('Ann').length)
    expect(Object.keys(server.files())).toEqual(['large.csv'])
    expect(await readerNames(fixture)).toEqual(['Ann'])
  })

  it('have their columns matched by hand once: later ones are imported, in any column order', async () => {
    const fixture = await makeFixture()
    const transferId = await addConfirmedTransfer(fixture)
    server.put('a.csv', 'Kundennummer,Vorname\nK1,Ann\n')
    expect((await run(fixture, transferId)).files).toMatchObject([
      { state: 'failed', problem: expect.stringContaining('unknown columns "Kundennummer", "Vorname"') },
    ])
    const { uploadId } = await storeUpload(fixture.owner, {
      publicationId: fixture.publicationId,
      mode: 'add',
      fileName: 'mine.csv',
      chunks: pieces('Kundennummer,Vorname\nK0,Zoe\n'),
    })
    await chooseMapping(fixture.owner, { uploadId, mapping: ['UniqueReference', 'FirstName'] })
    await cancelUpload(fixture.owner, { uploadId })
    server.put('a.csv', 'Vorname,Kundennummer\nAnn,K1\n')
    expect(fileStates(await run(fixture, transferId))).toEqual([['a.csv', 'imported']])
    expect(await readerNames(fixture)).toEqual(['Ann'])
  })

  it('are in the log for 90 days, and permanently if they were imported', async () => {
    const fixture = await makeFixture()
    const transferId = await addConfirmedTransfer(fixture)
    const otherTransfer = await addConfirmedTransfer(fixture)
    server.put('a.csv', csv('Ann'))
    expect(fileStates(await run(fixture, transferId))).toEqual([['a.csv', 'imported']])
    server.put('bad.csv', 'Foo\n1\n')
    const failed = await run(fixture, transferId)
    const otherRun = await run(fixture, otherTransfer)
    expect(
      (await listTransfers(fixture.owner, { publicationId: fixture.publicationId })).map(
        ({ lastRun: newestRun }) => newestRun,
      ),
    ).toEqual([failed, otherRun])
    const startTime = services.clock.now
    const runsAfter = async (days: number) => {
      services.clock.now = new Date(startTime.getTime() + days * 86_400_000)
      await cleanUp(services.as(system), {})
      return (await getTransfer(fixture.owner, { transferId })).runs.map(({ files }) => files.map(({ name }) => name))
    }
    expect(await runsAfter(89)).toEqual([['bad.csv'], ['a.csv']])
    expect(await runsAfter(91)).toEqual([['a.csv']])
    expect(
      await services.db.query(`SELECT id FROM tasks WHERE kind = 'pull-readers' AND subject_id = :id`, {
        id: failed.id,
      }),
    ).toEqual([])
    services.clock.now = startTime
    server.put('again.csv', csv('Ann'))
    expect(fileStates(await run(fixture, transferId))).toContainEqual(['again.csv', 'repeated'])
  })

  it('replace nobody if more would be removed than the transfer allows', async () => {
    const fixture = await makeFixture()
    for (const reference of ['Ann', 'Bea', 'Cleo'])
      await makeReader(services, fixture.publicationId, { uniqueReference: reference, firstName: reference })
    const transferId = await addConfirmedTransfer(fixture, { importMode: 'replace', maxRemovedPercent: 40 })
    server.put('a.csv', csv('Ann'))
    expect((await run(fixture, transferId)).files).toMatchObject([
      { state: 'failed', problem: expect.stringContaining('It would remove 2 readers of 3 readers, more than 40%') },
    ])
    expect(await readerNames(fixture)).toEqual(['Ann', 'Bea', 'Cleo'])
    server.put('a.csv', 'UniqueReference,Country\nAnn,Nowhere at all\n')
    expect((await run(fixture, transferId)).files).toMatchObject([
      { state: 'failed', problem: expect.stringContaining('No row of the file can be imported') },
    ])
    server.put('a.csv', csv('Ann', 'Bea'))
    expect(fileStates(await run(fixture, transferId))).toEqual([['a.csv', 'imported']])
    expect(await readerNames(fixture)).toEqual(['Ann', 'Bea'])
  })

  it('that replace are imported again once another replacement has followed, not before', async () => {
    const fixture = await makeFixture()
    const transferId = await addConfirmedTransfer(fixture, { importMode: 'replace', maxRemovedPercent: 100 })
    const put = async (...names: string[]) => {
      server.put('a.csv', csv(...names))
      return fileStates(await run(fixture, transferId))
    }
    expect(await put('Ann')).toEqual([['a.csv', 'imported']])
    expect(await put('Ann')).toEqual([['a.csv', 'repeated']])
    expect(await put('Ann', 'Bea')).toEqual([['a.csv', 'imported']])
    expect(await put('Ann')).toEqual([['a.csv', 'imported']])
    expect(await readerNames(fixture)).toEqual(['Ann'])
  })

  it.each(['combine', 'replace'])('are imported again (%s) after their import was undone', async (importMode) => {
    const fixture = await makeFixture()
    const transferId = await addConfirmedTransfer(fixture, { importMode, maxRemovedPercent: 100 })
    server.put('a.csv', csv('Ann'))
    const { files } = await run(fixture, transferId)
    await undoImport(services.as(operator), { uploadId: files[0]?.uploadId })
    expect(await readerNames(fixture)).toEqual([])
    server.put('a.csv', csv('Ann'))
    expect(fileStates(await run(fixture, transferId))).toEqual([['a.csv', 'imported']])
    expect(await readerNames(fixture)).toEqual(['Ann'])
  })

  it('wait while another upload of the publication is open, and are imported afterwards', async () => {
    const fixture = await makeFixture()
    const transferId = await addConfirmedTransfer(fixture)
    server.put('a.csv', csv('Ann'))
    const { uploadId } = await storeUpload(fixture.owner, {
      publicationId: fixture.publicationId,
      mode: 'add',
      fileName: 'mine.csv',
      chunks: pieces(csv('Mine')),
    })
    const waiting = await run(fixture, transferId)
    expect(waiting).toMatchObject({ state: 'waiting', problem: expect.stringContaining('mine.csv'), files: [] })
    await cancelUpload(fixture.owner, { uploadId })
    await runWorker(services, 60)
    expect(await lastRun(fixture, transferId)).toMatchObject({ state: 'done', files: [{ state: 'imported' }] })
  })

  it('are fetched completely, however many chunks they have', async () => {
    const fixture = await makeFixture()
    const transferId = await addConfirmedTransfer(fixture, { filePattern: 'big*' })
    const names = Array.from({ length: 30_000 }, (_, index) => `Reader${index}`)
    server.put('big.csv', csv(...names))
    expect((await run(fixture, transferId)).files).toMatchObject([{ state: 'imported', readers: 30_000 }])
  })
})

describe('an SFTP server', () => {
  it('shows its host key first; nobody logs in before it is confirmed, nor when it has changed', async () => {
    const fixture = await makeFixture()
    const { id: transferId } = await addTransfer(fixture.owner, transferFields(fixture))
    server.put('a.csv', csv('Ann'))
    expect(await run(fixture, transferId)).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('is not confirmed'),
    })
    const check = await checkTransfer(fixture.owner, { transferId })
    expect(check).toEqual({ kind: 'host-key', hostKey: expect.stringMatching(/^SHA256:[A-Za-z0-9+/]{43}$/) })
    await expect(confirmHostKey(fixture.owner, { transferId, hostKey: 'SHA256:other' })).rejects.toMatchObject({
      kind: 'conflict',
    })
    if (check.kind === 'host-key') await confirmHostKey(fixture.owner, { transferId, hostKey: check.hostKey })
    expect(server.logins).toBe(0)
    expect(await checkTransfer(fixture.owner, { transferId })).toMatchObject({
      kind: 'files',
      files: [{ name: 'a.csv' }],
    })
    expect(server.logins).toBe(1)

    server.changeHostKey()
    expect(await run(fixture, transferId)).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('a different host key'),
    })
    expect(server.logins).toBe(1)
    await expect(checkTransfer(fixture.owner, { transferId })).rejects.toMatchObject({ kind: 'conflict' })
    const { seenHostKey } = await getTransfer(fixture.owner, { transferId })
    await confirmHostKey(fixture.owner, { transferId, hostKey: seenHostKey ?? '' })
    expect(fileStates(await run(fixture, transferId))).toEqual([['a.csv', 'imported']])
  })

  it('rejects a wrong password once, and this is reported; a key works too', async () => {
    const fixture = await makeFixture()
    const transferId = await addConfirmedTransfer(fixture, { password: 'wrong' })
    expect(await run(fixture, transferId)).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('refused the log-in'),
    })
    expect(server.logins).toBe(1)
    expect((await queuedEmails(services, 'transfer-failed')).at(-1)?.publisherId).toBe(fixture.publisherId)
    const userKey = sshKey()
    server.userKey = userKey
    await changeTransfer(fixture.owner, {
      transferId,
      ...transferFields(fixture, { password: '', privateKey: userKey }),
    })
    expect((await run(fixture, transferId)).state).toBe('done')
    await expect(
      changeTransfer(fixture.owner, {
        transferId,
        ...transferFields(fixture, { password: '', privateKey: 'rubbish' }),
      }),
    ).rejects.toMatchObject({ fields: { privateKey: expect.stringContaining('not a private key') } })
  })

  it('without the folder is reported, and not retried', async () => {
    const fixture = await makeFixture()
    const transferId = await addConfirmedTransfer(fixture, { folder: 'out/there' })
    expect(await run(fixture, transferId)).toMatchObject({
      state: 'failed',
      problem: 'The folder out/there: there is no such file or folder',
    })
  })

  it('that disconnects in the middle of a file is retried later, and nothing counts until it is complete', async () => {
    const fixture = await makeFixture()
    const transferId = await addConfirmedTransfer(fixture)
    server.put('a.csv', csv(...Array.from({ length: 20_000 }, (_, index) => `Reader${index}`)))
    let reads = 0
    server.onRequest = (request) => request !== 'read' || ++reads < 5
    expect(await run(fixture, transferId)).toMatchObject({
      state: 'waiting',
      problem: expect.stringContaining('closed'),
      files: [],
    })
    expect(await readerNames(fixture)).toEqual([])
    server.onRequest = () => true
    await runWorker(services, 60)
    expect(await lastRun(fixture, transferId)).toMatchObject({
      state: 'done',
      files: [{ state: 'imported', readers: 20_000 }],
    })
  })

  it('on the internal network is refused, by address and by resolved name', async () => {
    const guardedServices = await openTestServices()
    const { id: publicationId, publisherId } = await makePublication(guardedServices)
    const owner = guardedServices.as(await actorOf(guardedServices, 'publisher', publisherId))
    for (const host of ['127.0.0.1', 'localhost', '10.1.2.3', '::1']) {
      const { id: transferId } = await addTransfer(
        owner,
        transferFields({ owner, publicationId, publisherId, urlKey: '' }, { host }),
      )
      await expect(checkTransfer(owner, { transferId })).rejects.toMatchObject({
        kind: 'invalid',
        message: expect.stringContaining('public internet'),
      })
    }
  })

  it('never gets a password entered for another server', async () => {
    const fixture = await makeFixture()
    const transferId = await addConfirmedTransfer(fixture)
    const elsewhere = transferFields(fixture, { host: 'sftp.elsewhere.test', password: '' })
    await expect(changeTransfer(fixture.owner, { transferId, ...elsewhere })).rejects.toMatchObject({
      fields: { password: expect.any(String) },
    })
    await expect(
      changeTransfer(fixture.owner, { transferId, ...transferFields(fixture, { login: 'other', password: '' }) }),
    ).rejects.toMatchObject({ fields: { password: expect.any(String) } })
    await changeTransfer(fixture.owner, { transferId, ...elsewhere, password: 'new' })
    expect(await getTransfer(fixture.owner, { transferId })).toMatchObject({ hostKey: null })
    await changeTransfer(fixture.owner, { transferId, ...elsewhere, password: '', name: 'Renamed' })
    expect(await getTransfer(fixture.owner, { transferId })).toMatchObject({ name: 'Renamed', hasSecret: true })
  })
})

describe('a transfer that is open in a form', () => {
  it('is not overwritten by a form that was opened before another change', async () => {
    const fixture = await makeFixture()
    const transferId = await addConfirmedTransfer(fixture)
    const settings = () => getTransfer(fixture.owner, { transferId })
    const opened = await settings()
    const change = (fields: Record<string, unknown>) =>
      changeTransfer(fixture.owner, { transferId, ...transferFields(fixture, { password: '', ...fields }) })
    services.clock.advance({ minutes: 1 })
    await change({ host: 'sftp.elsewhere.test', password: 'theirs', version: opened.version })

    // The conflict comes before the other problems, such as the password that another server needs.
    const refused = { kind: 'conflict', message: 'Somebody has changed this transfer since you opened it' }
    await expect(change({ name: 'Renamed', version: opened.version })).rejects.toMatchObject(refused)
    await expect(change({ name: '', version: opened.version })).rejects.toMatchObject(refused)
    const stored = await settings()
    expect(stored).toMatchObject({ host: 'sftp.elsewhere.test', name: 'From the CRM' })
    await change({ host: 'sftp.elsewhere.test', name: 'Renamed', version: stored.version })
    expect((await settings()).name).toBe('Renamed')
  })

  it('stays as it was opened while it is checked, its host key is confirmed and it runs on schedule', async () => {
    const startTime = services.clock.now
    services.clock.now = new Date('2027-01-21T10:00:00Z')
    const fixture = await makeFixture()
    const { id: transferId } = await addTransfer(fixture.owner, transferFields(fixture))
    const version = async () => (await getTransfer(fixture.owner, { transferId })).version
    const opened = await version()
    services.clock.now = new Date('2027-01-21T11:00:00Z')
    const check = await checkTransfer(fixture.owner, { transferId })
    if (check.kind !== 'host-key') throw new Error('The host key was not shown')
    await confirmHostKey(fixture.owner, { transferId, hostKey: check.hostKey })
    services.clock.now = new Date('2027-01-22T09:00:00Z')
    await startTransfers(services.as(operator), {})
    await runWorker(services)
    expect(await lastRun(fixture, transferId)).toMatchObject({ state: 'done', startedBy: 'schedule' })
    expect(await version()).toBe(opened)
    services.clock.now = startTime
  })
})

describe('a mailing file', () => {
  it('is refused at its field if the layout was removed', async () => {
    const fixture = await makeFixture()
    const fields = transferFields(fixture, { kind: 'mailing-file', layout: 'Old labels' })
    await expect(addTransfer(fixture.owner, fields)).rejects.toMatchObject({
      kind: 'invalid',
      fields: { layout: 'Choose one of the layouts' },
    })
  })

  it('keeps its layout when that is renamed; a layout in use is neither removed nor taken from its publication', async () => {
    const fixture = await makeFixture()
    const { owner, publicationId } = fixture
    const layout = { columns: [{ column: 'FullName' }] }
    await saveLayout(owner, { publicationId, name: 'Labels', isShared: true, layout })
    const { id: transferId } = await addTransfer(
      owner,
      transferFields(fixture, { kind: 'mailing-file', name: 'To the printer', layout: 'Labels' }),
    )
    await saveLayout(owner, { publicationId, was: 'labels', name: 'Acme labels', isShared: true, layout })
    expect(await getTransfer(owner, { transferId })).toMatchObject({ layout: 'Acme labels' })
    const { publicationName } = await getTransfer(owner, { transferId })
    const inUse = {
      kind: 'conflict',
      message: `The transfer "To the printer" of ${publicationName} uses this layout`,
    }
    await expect(removeLayout(owner, { publicationId, name: 'Acme labels' })).rejects.toMatchObject(inUse)
    const otherTitle = await makePublication(services, { publisherId: fixture.publisherId })
    const narrowed = { publicationId: otherTitle.id, was: 'Acme labels', name: 'Acme labels', isShared: false, layout }
    await expect(saveLayout(owner, narrowed)).rejects.toMatchObject(inUse)
    // Its own publication may keep it alone.
    await saveLayout(owner, { ...narrowed, publicationId })
    expect(await getTransfer(owner, { transferId })).toMatchObject({ layout: 'Acme labels' })
    await removeTransfer(owner, { transferId })
    await removeLayout(owner, { publicationId, name: 'Acme labels' })
  })

  const currentReader = {
    subType: 'print',
    subStartOn: '2026-01-01',
    subEndOn: '2100-01-01',
    addressOne: '1 Quay',
    city: 'Bristol',
    postCode: 'BS1 4DJ',
    country: 'GB',
  } as const

  it('is uploaded under a temporary name, then renamed over the previous one', async () => {
    const fixture = await makeFixture()
    await makeReader(services, fixture.publicationId, { firstName: 'Ann', lastName: 'Quay', ...currentReader })
    const transferId = await addConfirmedTransfer(fixture, { kind: 'mailing-file', name: 'To the printer' })
    const written: string[] = []
    server.onRequest = (request, path) => {
      if (request === 'write') written.push(path)
      return true
    }
    const firstRun = await run(fixture, transferId)
    expect(firstRun).toMatchObject({ state: 'done', files: [{ state: 'sent', readers: 1 }] })
    const name = firstRun.files[0]?.name ?? ''
    expect(new Set(written)).toEqual(new Set([`.${name}.part`]))
    expect(Object.keys(server.files())).toEqual([name])
    expect(server.files()[name]).toContain('Quay')
    await makeReader(services, fixture.publicationId, { firstName: 'Bea', lastName: 'Pier', ...currentReader })
    expect((await run(fixture, transferId)).files).toMatchObject([{ name, readers: 2 }])
    expect(server.files()[name]).toContain('Pier')
  })

  it('is sent again after a lost connection, and is never visible in part under its name', async () => {
    const fixture = await makeFixture()
    await makeReader(services, fixture.publicationId, { ...currentReader })
    const transferId = await addConfirmedTransfer(fixture, { kind: 'mailing-file' })
    server.onRequest = (request) => request !== 'write'
    expect(await run(fixture, transferId)).toMatchObject({
      state: 'waiting',
      problem: expect.stringContaining('closed'),
    })
    expect(Object.keys(server.files()).filter((name) => !name.startsWith('.'))).toEqual([])
    server.onRequest = () => true
    await runWorker(services, 60)
    expect(await lastRun(fixture, transferId)).toMatchObject({ state: 'done', files: [{ state: 'sent' }] })
    server.isReadOnly = true
    expect(await run(fixture, transferId)).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('does not allow'),
    })
  })

  it.each([
    ['starts after midnight', '23:58', '22T00:00', '22T00:01'],
    ['starts before midnight and is sent after it', '23:50', '21T23:50', '22T00:10'],
  ])('makes the mailing file of the day it was due on when it %s', async (_, runAt, startsAt, runsAt) => {
    const setClock = (time: string) => {
      services.clock.now = new Date(`2026-11-${time}:00Z`)
    }
    setClock('21T10:00')
    const fixture = await makeFixture()
    await makeReader(services, fixture.publicationId, { lastName: 'Quay', ...currentReader })
    const transferId = await addConfirmedTransfer(fixture, { kind: 'mailing-file', runAt })
    setClock(startsAt)
    await startTransfers(services.as(system), {})
    setClock(runsAt)
    await runWorker(services)
    const [made] = await MailingFiles.rows(
      services,
      `SELECT ${MailingFiles.columns()} FROM mailing_files WHERE publication_id = :publicationId`,
      { publicationId: fixture.publicationId },
    )
    expect(made).toMatchObject({ mailingOn: '2026-11-21', included: 1 })
    const { files } = await lastRun(fixture, transferId)
    expect(files).toMatchObject([{ name: expect.stringContaining('_21112026'), readers: 1 }])
  })
})

describe('the schedule', () => {
  const setTime = (time: string) => {
    services.clock.now = new Date(`2026-11-${time}:00Z`)
  }

  it('starts each transfer once a day at its time, by one of two workers', async () => {
    setTime('21T10:00')
    const fixture = await makeFixture()
    const transferId = await addConfirmedTransfer(fixture)
    const runs = async () => (await getTransfer(fixture.owner, { transferId })).runs.length
    const start = () => Promise.all([startTransfers(services.as(system), {}), startTransfers(services.as(system), {})])
    // Its time had passed when it was added.
    await start()
    expect(await runs()).toBe(0)
    setTime('22T02:29')
    await start()
    expect(await runs()).toBe(0)
    setTime('22T02:31')
    server.put('a.csv', csv('Ann'))
    await start()
    expect(await runs()).toBe(1)
    await runWorker(services)
    expect(await lastRun(fixture, transferId)).toMatchObject({ state: 'done', startedBy: 'schedule' })
    expect(await readerNames(fixture)).toEqual(['Ann'])
    await start()
    expect(await runs()).toBe(1)
    setTime('23T09:00')
    await start()
    expect(await runs()).toBe(2)
    await expect(runTransfer(fixture.owner, { transferId })).rejects.toMatchObject({ kind: 'conflict' })
    await runWorker(services)
    await changeTransfer(fixture.owner, { transferId, ...transferFields(fixture, { isOn: false, password: '' }) })
    setTime('24T09:00')
    await start()
    expect(await runs()).toBe(2)
  })

  it.each([
    ['in the last minutes of the day', '23:58', '21T23:55', '22T00:00', '22T23:55', '23T00:00'],
    ['that was missed before midnight', '23:00', '21T22:59', '22T00:02', '22T22:59', '22T23:01'],
  ])('starts a transfer %s', async (_, runAt, before, after, nextBefore, nextAfter) => {
    setTime('21T10:00')
    const fixture = await makeFixture()
    const transferId = await addConfirmedTransfer(fixture, { runAt })
    const runsAt = async (time: string) => {
      setTime(time)
      await startTransfers(services.as(system), {})
      await runWorker(services)
      return (await getTransfer(fixture.owner, { transferId })).runs.length
    }
    expect(await runsAt(before)).toBe(0)
    expect(await runsAt(after)).toBe(1)
    expect(await runsAt(nextBefore)).toBe(1)
    expect(await runsAt(nextAfter)).toBe(2)
  })

  it('leaves a transfer that still runs at its time for the next day', async () => {
    setTime('21T10:00')
    const fixture = await makeFixture()
    const transferId = await addConfirmedTransfer(fixture)
    const runs = async () => (await getTransfer(fixture.owner, { transferId })).runs.length
    setTime('22T02:25')
    await runTransfer(fixture.owner, { transferId })
    setTime('22T02:30')
    await startTransfers(services.as(system), {})
    expect(await runs()).toBe(1)
    await runWorker(services)
    setTime('22T02:35')
    await startTransfers(services.as(system), {})
    expect(await runs()).toBe(1)
    setTime('23T02:30')
    await startTransfers(services.as(system), {})
    expect(await runs()).toBe(2)
    await runWorker(services)
  })
})

describe('the scheduled transfers of one night', () => {
  it('import the CRM’s file, then put the mailing file with its readers on the printer’s server', async () => {
    services.clock.now = new Date('2026-11-22T01:00:00Z')
    const fixture = await makeFixture()
    await addConfirmedTransfer(fixture, { runAt: '02:30' })
    await addConfirmedTransfer(fixture, { kind: 'mailing-file', name: 'To the printer', runAt: '03:30' })
    const header = 'UniqueReference,FirstName,LastName,Address1,City,PostCode,Country,SubType,SubStart,SubExpiry'
    server.put('crm.csv', `${header}\nA1,Ann,Quay,1 Quay Street,Falmouth,TR11 3LH,GB,print,01/01/2026,31/12/2026\n`)
    for (const time of ['02:31', '03:31']) {
      services.clock.now = new Date(`2026-11-22T${time}:00Z`)
      await startTransfers(services.as(system), {})
      await runWorker(services)
    }
    const [fetched, sent] = await listTransfers(fixture.owner, { publicationId: fixture.publicationId })
    expect(fetched?.lastRun).toMatchObject({ state: 'done', startedBy: 'schedule', files: [{ state: 'imported' }] })
    expect(await readerNames(fixture)).toEqual(['Ann'])
    expect(Object.keys(server.files('done'))).toEqual(['crm.csv'])
    const [[name, text] = ['', ''], ...others] = Object.entries(server.files())
    expect(others).toEqual([])
    expect(text).toContain('Quay')
    const files = [{ name, state: 'sent', readers: 1 }]
    expect(sent?.lastRun).toMatchObject({ state: 'done', startedBy: 'schedule', files })
  })
})

describe('a file from a web server', () => {
  let answer: (request: IncomingMessage, response: ServerResponse) => void
  let url: string
  beforeAll(async () => {
    const http = createServer((request, response) => answer(request, response))
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
    atFileEnd(() => {
      http.closeAllConnections()
      return new Promise((resolve) => http.close(resolve))
    })
  })
  const httpsFields = (fixture: Fixture, fields = {}) =>
    transferFields(fixture, {
      protocol: 'https',
      host: '',
      login: '',
      password: '',
      url: `${url}/readers.csv`,
      headerName: 'Authorization',
      headerValue: 'Bearer letmein',
      ...fields,
    })

  it('is imported if its version differs from the last one', async () => {
    const fixture = await makeFixture()
    const { id: transferId } = await addTransfer(fixture.owner, httpsFields(fixture))
    let lastRequest: IncomingMessage | undefined
    let text = csv('Ann')
    answer = (request, response) => {
      lastRequest = request
      const etag = `"${text.length}"`
      if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end()
      response.writeHead(200, { etag }).end(text)
    }
    expect(fileStates(await run(fixture, transferId))).toEqual([['readers.csv', 'imported']])
    expect(lastRequest?.headers.authorization).toBe('Bearer letmein')
    expect((await run(fixture, transferId)).files).toEqual([])
    text = csv('Ann', 'Bea')
    expect(fileStates(await run(fixture, transferId))).toEqual([['readers.csv', 'imported']])
    expect(await readerNames(fixture)).toEqual(['Ann', 'Bea'])
  })

  it('without a version is not imported again while it stays the same, even if its import was undone', async () => {
    const fixture = await makeFixture()
    const { id: transferId } = await addTransfer(fixture.owner, httpsFields(fixture))
    answer = (_, response) => void response.writeHead(200).end(csv('Ann'))
    const { files } = await run(fixture, transferId)
    await undoImport(services.as(operator), { uploadId: files[0]?.uploadId })
    for (const _ of [1, 2]) expect(fileStates(await run(fixture, transferId))).toEqual([['readers.csv', 'repeated']])
    expect(await readerNames(fixture)).toEqual([])
  })

  it('is requested without a condition once its address was changed', async () => {
    const fixture = await makeFixture()
    const { id: transferId } = await addTransfer(fixture.owner, httpsFields(fixture))
    const changedOn = 'Sat, 21 Nov 2026 10:00:00 GMT'
    answer = (request, response) => {
      if (request.headers['if-modified-since']) return void response.writeHead(304).end()
      const text = request.url === '/readers.csv' ? csv('Ann') : csv('Bea')
      response.writeHead(200, { 'last-modified': changedOn }).end(text)
    }
    expect(fileStates(await run(fixture, transferId))).toEqual([['readers.csv', 'imported']])
    const { kind: _, protocol: __, publicationId: ___, ...settings } = httpsFields(fixture, { url: `${url}/new.csv` })
    await changeTransfer(fixture.owner, { transferId, ...settings })
    expect(fileStates(await run(fixture, transferId))).toEqual([['new.csv', 'imported']])
    expect((await run(fixture, transferId)).files).toEqual([])
  })

  it('is fetched through redirects, without the header on another server', async () => {
    const fixture = await makeFixture()
    const { id: transferId } = await addTransfer(fixture.owner, httpsFields(fixture))
    const seen: (string | undefined)[] = []
    answer = (request, response) => {
      seen.push(request.headers.authorization)
      if (request.url === '/readers.csv')
        return void response.writeHead(302, { location: `${url.replace('127.0.0.1', 'localhost')}/other.csv` }).end()
      response.writeHead(200).end(csv('Ann'))
    }
    expect(fileStates(await run(fixture, transferId))).toEqual([['other.csv', 'imported']])
    expect(seen).toEqual(['Bearer letmein', undefined])
  })

  it('is refused on a redirect to the internal network, retried after a disconnect, and reported if the header is refused', async () => {
    const fixture = await makeFixture()
    const { id: transferId } = await addTransfer(fixture.owner, httpsFields(fixture))
    answer = (_, response) => void response.writeHead(302, { location: 'http://10.0.0.1/readers.csv' }).end()
    expect(await run(fixture, transferId)).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('public internet'),
    })
    answer = (_, response) => void response.writeHead(401).end()
    expect(await run(fixture, transferId)).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('refused'),
    })
    answer = (_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write(csv('Ann'))
      response.destroy()
    }
    expect(await run(fixture, transferId)).toMatchObject({ state: 'waiting', files: [] })
    answer = (_, response) => void response.writeHead(200).end(csv('Ann'))
    await runWorker(services, 60)
    expect(await lastRun(fixture, transferId)).toMatchObject({ state: 'done', files: [{ state: 'imported' }] })
  })
})

describe('ownership', () => {
  it('other publishers cannot see, run or change transfers, nor can reader staff', async () => {
    const fixture = await makeFixture()
    const transferId = await addConfirmedTransfer(fixture)
    const otherFixture = await makeFixture()
    for (const call of [getTransfer, runTransfer, checkTransfer, removeTransfer, runTransferHere])
      await expect(call(otherFixture.owner, { transferId })).rejects.toMatchObject({ kind: 'notFound' })
    await expect(
      changeTransfer(otherFixture.owner, { transferId, ...transferFields(otherFixture) }),
    ).rejects.toMatchObject({
      kind: 'notFound',
    })
    await expect(addTransfer(otherFixture.owner, transferFields(fixture))).rejects.toMatchObject({ kind: 'notFound' })
    expect(await listTransfers(otherFixture.owner, {})).toEqual([])
    const admin = services.as(await actorOf(services, 'admin', fixture.publisherId))
    await expect(listTransfers(admin, {})).rejects.toMatchObject({ kind: 'denied' })
    await removeTransfer(fixture.owner, { transferId })
    expect(await listTransfers(fixture.owner, { publicationId: fixture.publicationId })).toEqual([])
  })
})
