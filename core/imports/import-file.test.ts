import { beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '#core/maintenance/clean-up.ts'
import { deactivateUser } from '#core/users/deactivate-user.ts'
import { actorOf, makePublication, operator, system } from '#tests/support/factories.ts'
import { fillDisk } from '#tests/support/full-disk.ts'
import { killedWhile } from '#tests/support/killed-process.ts'
import { refusal } from '#tests/support/reader-files.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { pieces } from '#tests/support/uploads.ts'
import { runWorker, withRunningWorker } from '#tests/support/worker.ts'
import { selectTasks } from '../tasks/tasks.rows.ts'
import { cancelUpload } from './cancel-upload.ts'
import { confirmUpload } from './confirm-upload.ts'
import { getUpload } from './get-upload.query.ts'
import { importFile } from './import-file.ts'
import { listImports } from './list-imports.query.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

async function makeFixture() {
  const publication = await makePublication(services)
  const actor = await actorOf(services, 'publisher', publication.publisherId)
  const send = (text: string, options: object = {}) =>
    importFile(services.as(actor), {
      publicationId: publication.id,
      mode: 'add',
      fileName: 'sent.csv',
      chunks: pieces(text),
      ...options,
    })
  const newestImport = async () => (await listImports(services.as(operator), { publicationId: publication.id })).rows[0]
  return { publication, actor, send, newestImport }
}

const text = 'UniqueReference,LastName,Email\nA1,Lee,\nA2,Ray,nobody\n'
const waitingTasks = (id: number) => selectTasks(services.db, `publication_id = :id AND state = 'waiting'`, { id })

describe('a file sent by a program', () => {
  it('is imported only by the worker, and the response waits for the end', async () => {
    const { publication, send, newestImport } = await makeFixture()
    const response = send(text)
    await expect.poll(() => waitingTasks(publication.id)).toHaveLength(1)
    expect(await newestImport()).toMatchObject({ state: 'waiting', added: 0, fileName: 'sent.csv' })
    await runWorker(services)
    expect(await response).toEqual({
      uploadId: (await newestImport())?.id,
      rows: 2,
      added: 1,
      updated: 0,
      unchanged: 0,
      removed: 0,
      repeated: 0,
      failed: 1,
      rejected: [{ line: 3, column: 'Email', value: 'nobody', reason: 'is not an email address' }],
      skippedCells: [],
    })
  })

  it('from a killed web process is imported by the worker, and blocks nobody', async () => {
    const { publication, send, newestImport } = await makeFixture()
    await killedWhile(services, {
      imports: `import { importFile } from '#core/imports/import-file.ts'
        import { setTimeout } from 'node:timers/promises'`,
      body: `
        const chunks = (async function* () { yield Buffer.from(${JSON.stringify(text)}) })()
        void importFile(ctx, { publicationId: ${publication.id}, mode: 'add', fileName: 'sent.csv', chunks })
        for (;;) {
          const tasks = await ctx.db.query("SELECT id FROM tasks WHERE state = 'waiting' AND publication_id = ${publication.id}")
          tell({ tasks: tasks.length })
          await setTimeout(10)
        }`,
      shouldKill: ({ tasks }) => tasks === 1,
    })
    // The job is due by the clock of the process that enqueued it.
    services.clock.now = new Date(Date.now() + 1000)
    await runWorker(services)
    expect(await newestImport()).toMatchObject({ state: 'done', added: 1, failed: 1 })
    const otherText = 'UniqueReference,LastName\nB1,Bo\n'
    expect(await withRunningWorker(services, () => send(otherText))).toMatchObject({ added: 1 })
  })

  it('without a valid row replaces nobody, and says where its rejected rows are', async () => {
    const { send, newestImport } = await makeFixture()
    const invalidText = 'UniqueReference,Email\nA1,nobody\n'
    const preview = await withRunningWorker(services, () => send(invalidText, { mode: 'replace', dryRun: true }))
    expect(preview).toMatchObject({ rows: 1, removed: 0, failed: 1 })
    const error = await refusal(withRunningWorker(services, () => send(invalidText, { mode: 'replace' })))
    const failedImport = await newestImport()
    expect(failedImport).toMatchObject({ state: 'failed', failed: 1 })
    expect(error).toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining(`The rejected rows of import ${failedImport?.id} say why`),
      hint: `To see them: GET /subscriber/rejectedrows/${failedImport?.id}`,
    })
  })

  it('in a dry run leaves nothing, and blocks nobody', async () => {
    const { publication, send, newestImport } = await makeFixture()
    const response = send(text, { dryRun: true })
    await expect.poll(() => waitingTasks(publication.id)).toHaveLength(1)
    expect(await withRunningWorker(services, () => send(text))).toMatchObject({ added: 1, failed: 1 })
    expect(await response).toMatchObject({ uploadId: null, rows: 2, failed: expect.any(Number) })
    const imports = await listImports(services.as(operator), { publicationId: publication.id })
    expect(imports).toMatchObject({ total: 1, open: null })
    expect(imports.rows[0]?.id).toBe((await newestImport())?.id)
  })

  it('on a full disk is answered with the reason, and imported automatically later', async () => {
    const { send, newestImport } = await makeFixture()
    const freeDisk = await fillDisk(services, `NEW.unique_reference = 'A1'`)
    const response = refusal(withRunningWorker(services, () => send(text)))
    expect(await response).toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(/^The disk is full.* so far: no reader was changed$/),
      hint: expect.stringContaining('retried automatically'),
    })
    await freeDisk()
    expect(await newestImport()).toMatchObject({
      state: 'waiting',
      problem: expect.stringContaining('The disk is full'),
    })
    await runWorker(services, 20)
    expect(await newestImport()).toMatchObject({ state: 'done', added: 1, problem: null })
  })

  it('that somebody cancels reports what was imported and how to undo it', async () => {
    const { publication, actor, send } = await makeFixture()
    const response = refusal(send(text))
    await expect.poll(() => waitingTasks(publication.id)).toHaveLength(1)
    await cancelUpload(services.as(actor), { uploadId: await openImportId(publication.id) })
    expect(await response).toMatchObject({
      kind: 'conflict',
      message: expect.stringMatching(/^The import was cancelled\. Import \d+ so far: no reader was changed$/),
      hint: expect.stringMatching(/undoimport\/\d+$/),
    })
  })

  it('of a user deactivated meanwhile is not imported in their name, but in that of the user who resumes it', async () => {
    const { publication, send, newestImport } = await makeFixture()
    const admin = await actorOf(services, 'pubadmin', publication.publisherId)
    const response = refusal(
      importFile(services.as(admin), {
        publicationId: publication.id,
        mode: 'add',
        fileName: 'sent.csv',
        chunks: pieces(text),
      }),
    )
    await expect.poll(() => waitingTasks(publication.id)).toHaveLength(1)
    const uploadId = await openImportId(publication.id)
    // The import had begun before the user was deactivated.
    await services.db.run(`UPDATE tasks SET cursor = '{"records":0}' WHERE publication_id = :id`, {
      id: publication.id,
    })
    await deactivateUser(services.as(operator), { id: admin.kind === 'staff' ? admin.userId : 0 })
    await runWorker(services)
    expect(await response).toMatchObject({ message: expect.stringContaining('has been deactivated') })
    expect(await newestImport()).toMatchObject({ state: 'interrupted', added: 0 })

    const owner = services.as(await actorOf(services, 'publisher', publication.publisherId))
    await confirmUpload(owner, { uploadId })
    await runWorker(services)
    expect(await getUpload(owner, { uploadId })).toMatchObject({ state: 'done', added: 1, who: expect.any(String) })
    await cleanUp(services.as(system), {})
    expect(await withRunningWorker(services, () => send('UniqueReference,LastName\nB1,Bo\n'))).toMatchObject({
      added: 1,
    })
  })
})

async function openImportId(publicationId: number): Promise<number | undefined> {
  const [task] = await selectTasks(
    services.db,
    `kind = 'import-readers' AND publication_id = :publicationId ORDER BY id DESC`,
    {
      publicationId,
    },
  )
  return task?.subjectId ?? undefined
}
