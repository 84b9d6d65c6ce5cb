import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Actor } from '#core/access/actor.ts'
import { cancelUpload } from '#core/imports/cancel-upload.ts'
import { chooseMapping } from '#core/imports/choose-mapping.ts'
import { confirmUpload } from '#core/imports/confirm-upload.ts'
import { downloadRejects } from '#core/imports/download-rejects.ts'
import { getUpload } from '#core/imports/get-upload.query.ts'
import { importReaders } from '#core/imports/import-readers.ts'
import { lastImport, listImports } from '#core/imports/list-imports.query.ts'
import { storeUpload } from '#core/imports/store-upload.ts'
import { cleanUp } from '#core/maintenance/clean-up.ts'
import { takeLease } from '#core/tasks/start-task.ts'
import type { Task } from '#core/tasks/task.ts'
import type { TaskKindName } from '#core/tasks/task-kinds.ts'
import { selectTasks } from '#core/tasks/tasks.rows.ts'
import { deferred } from '#tests/support/deferred.ts'
import { actorOf, makePublication, operator, system } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { textOf } from '#tests/support/text-of.ts'
import { pieces, upload } from '#tests/support/uploads.ts'
import { untilBlocked } from '#tests/support/while-locked.ts'
import { runWorker } from '#tests/support/worker.ts'
import { handlers } from './index.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

async function makeFixture() {
  const publication = await makePublication(services)
  const actor = await actorOf(services, 'publisher', publication.publisherId)
  const ctx = services.as(actor)
  return { id: publication.id, urlKey: publication.urlKey, actor, ctx }
}

const view = (actor: Actor, uploadId: number) => getUpload(services.as(actor), { uploadId })
const tasksOf = (uploadId: number, kind: TaskKindName) =>
  selectTasks(services.db, `kind = '${kind}' AND subject_id = :uploadId ORDER BY id DESC`, { uploadId })
const template = 'UniqueReference,FirstName,LastName,Email,SubExpiry\n'
const otherColumns = 'Surname,Mail,Post Town,Whatever\n'
const storedFiles = () => {
  try {
    return readdirSync(join(services.dataDir, 'uploads'))
  } catch {
    return []
  }
}
async function countReaders(publicationId: number): Promise<number> {
  const [row] = await services.db.query<{ n: number }>(
    `SELECT count(*) AS n FROM readers WHERE publication_id = :publicationId`,
    { publicationId },
  )
  return Number(row?.n)
}
describe('an upload', () => {
  it('with the template’s columns is checked at once, and changes nothing until it is confirmed', async () => {
    const fixture = await makeFixture()
    const text = `${template}U1,Ann,Lee,ann@example.org,31/12/2027\nU2,Bob,Ray,bob@example.org,31/02/2027\nU1,Cy,Day,cy@example.org,\n`
    const { uploadId, state } = await upload(services, fixture.actor, { publicationId: fixture.id, text })
    expect(state).toBe('checking')
    await runWorker(services)
    const checked = await view(fixture.actor, uploadId)
    expect(checked).toMatchObject({
      state: 'checked',
      mappedBy: 'template',
      mode: 'add',
      needsHandle: false,
      preview: { rows: 3, added: 1, updated: 0, removed: 0, failed: 2 },
      importedBefore: null,
    })
    expect(checked.preview?.firstRejects).toMatchObject([
      { line: 3, column: 'SubExpiry', value: '31/02/2027' },
      { line: 4, column: 'UniqueReference', value: 'U1' },
    ])
    expect(await countReaders(fixture.id)).toBe(0)
    expect((await listImports(fixture.ctx, { publicationId: fixture.id })).rows).toEqual([])

    await confirmUpload(fixture.ctx, { uploadId })
    expect((await view(fixture.actor, uploadId)).state).toBe('waiting')
    await runWorker(services)
    const done = await view(fixture.actor, uploadId)
    expect(done).toMatchObject({
      state: 'done',
      added: 1,
      failed: 2,
      canUndo: true,
      who: expect.stringContaining('Ada'),
    })
    expect(done.reasons).toHaveLength(2)
    expect(await countReaders(fixture.id)).toBe(1)
    const { last, open } = await lastImport(fixture.ctx, { publicationId: fixture.id })
    expect(last).toMatchObject({ id: uploadId, added: 1, failed: 2, fileName: 'readers.csv' })
    expect(open).toBeNull()
    const rejects = await downloadRejects(fixture.ctx, { uploadId })
    expect(rejects.fileName).toBe('readers.rejected.csv')
    expect(await textOf(rejects.chunks)).toContain('U2,Bob,Ray,bob@example.org,31/02/2027,3,SubExpiry')
  })

  it('with other columns asks for a column map, refuses two columns for one field, and remembers the map', async () => {
    const fixture = await makeFixture()
    const text = `${otherColumns}Lee,ann@example.org,York,1\nRay,bob@example.org,Hull,2\n`
    const { uploadId, state } = await upload(services, fixture.actor, { publicationId: fixture.id, text })
    expect(state).toBe('stored')
    const stored = await view(fixture.actor, uploadId)
    expect(stored.columns).toEqual([
      { header: 'Surname', importAs: 'LastName', samples: ['Lee', 'Ray'] },
      { header: 'Mail', importAs: 'Email', samples: ['ann@example.org', 'bob@example.org'] },
      { header: 'Post Town', importAs: 'City', samples: ['York', 'Hull'] },
      { header: 'Whatever', importAs: '', samples: ['1', '2'] },
    ])
    await expect(
      chooseMapping(fixture.ctx, { uploadId, mapping: ['LastName', 'LastName', '', ''] }),
    ).rejects.toMatchObject({
      fields: { 'column.1': 'LastName is already taken by the column "Surname"' },
    })
    await chooseMapping(fixture.ctx, { uploadId, mapping: ['LastName', 'Email', 'City', 'ReaderType'] })
    await runWorker(services)
    expect((await view(fixture.actor, uploadId)).preview).toMatchObject({ added: 2, failed: 0 })
    await cancelUpload(fixture.ctx, { uploadId })

    // The same columns in another order and case.
    const secondUpload = await upload(services, fixture.actor, {
      publicationId: fixture.id,
      text: 'MAIL,whatever,surname,Post Town\ncy@example.org,3,Day,Leeds\n',
    })
    expect(secondUpload.state).toBe('checking')
    const secondView = await view(fixture.actor, secondUpload.uploadId)
    expect(secondView.mappedBy).toBe('kept')
    expect(secondView.columns.map(({ importAs }) => importAs)).toEqual(['Email', 'ReaderType', 'LastName', 'City'])
    await cancelUpload(fixture.ctx, { uploadId: secondUpload.uploadId })

    const otherFixture = await makeFixture()
    const otherUpload = await upload(services, otherFixture.actor, { publicationId: otherFixture.id, text })
    expect(otherUpload.state).toBe('stored')
  })

  it('is one per publication: a second is refused with a link to the first, and nothing of it is stored', async () => {
    const fixture = await makeFixture()
    const first = await upload(services, fixture.actor, { publicationId: fixture.id, text: `${template}U1,A,B,,\n` })
    const filesBefore = storedFiles().length
    await expect(
      upload(services, fixture.actor, { publicationId: fixture.id, text: `${template}U2,A,B,,\n`, mode: 'combine' }),
    ).rejects.toMatchObject({
      kind: 'conflict',
      detail: { uploadId: first.uploadId, page: `/uploadadditional/${fixture.id}?upload=${first.uploadId}` },
    })
    expect(storedFiles()).toHaveLength(filesBefore)
    await cancelUpload(fixture.ctx, { uploadId: first.uploadId })
    expect(
      (await upload(services, fixture.actor, { publicationId: fixture.id, text: `${template}U2,A,B,,\n` })).state,
    ).toBe('checking')
  })

  it('is accepted once if it is sent twice at the same moment', async () => {
    const fixture = await makeFixture()
    const text = `${template}U1,A,B,,\n`
    const results = await Promise.allSettled(
      [1, 2].map(() => upload(services, fixture.actor, { publicationId: fixture.id, text })),
    )
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  it.each([
    ['readers.xlsx', template, 'Invalid file type'],
    ['.csv', template, 'Invalid file type'],
    ['empty.csv', '', 'The file is empty'],
    ['header.csv', template, '"header.csv" has a header but no rows'],
    ['book.csv', 'PK\x03\x04\x00\x00', '"book.csv" is not a CSV file: it is an Excel workbook or a zip file'],
  ])('named %s is refused with its own message, and no file is stored', async (fileName, text, message) => {
    const fixture = await makeFixture()
    const filesBefore = storedFiles().length
    await expect(upload(services, fixture.actor, { publicationId: fixture.id, fileName, text })).rejects.toMatchObject({
      kind: 'invalid',
      fields: { file: message },
    })
    expect(storedFiles()).toHaveLength(filesBefore)
  })

  it('over the limit is refused, whatever its declared length, and nothing of it is stored', async () => {
    const fixture = await makeFixture()
    const filesBefore = storedFiles().length
    const ctx = { ...fixture.ctx, settings: { ...fixture.ctx.settings, uploadMaxBytes: 2048 } }
    let bytesRead = 0
    async function* endless() {
      for (;;) {
        bytesRead += 1024
        yield new Uint8Array(1024).fill(65)
      }
    }
    const input = { publicationId: fixture.id, mode: 'add', fileName: 'big.csv', chunks: endless() }
    await expect(storeUpload(ctx, input)).rejects.toMatchObject({
      kind: 'tooLarge',
      message: 'The file is larger than 2 kB',
    })
    expect(bytesRead).toBeLessThan(5000)
    expect(storedFiles()).toHaveLength(filesBefore)
  })

  it('that is cut off leaves nothing', async () => {
    const fixture = await makeFixture()
    const filesBefore = storedFiles().length
    async function* broken() {
      yield new TextEncoder().encode(template)
      throw new Error('the wire was cut')
    }
    const input = { publicationId: fixture.id, mode: 'add', fileName: 'cut.csv', chunks: broken() }
    await expect(storeUpload(fixture.ctx, input)).rejects.toThrow('the wire was cut')
    expect(storedFiles()).toHaveLength(filesBefore)
    expect((await lastImport(fixture.ctx, { publicationId: fixture.id })).open).toBeNull()
  })

  it('to another publisher’s publication is not found, before a byte is read', async () => {
    const mine = await makeFixture()
    const theirs = await makeFixture()
    const { uploadId } = await upload(services, theirs.actor, {
      publicationId: theirs.id,
      text: `${template}U1,A,B,,\n`,
    })
    let isRead = false
    async function* spied() {
      isRead = true
      yield* pieces('x')
    }
    const input = { publicationId: theirs.id, mode: 'add', fileName: 'x.txt', chunks: spied() }
    const notFound = { kind: 'notFound' }
    await expect(storeUpload(mine.ctx, input)).rejects.toMatchObject(notFound)
    expect(isRead).toBe(false)
    for (const call of [getUpload, cancelUpload, confirmUpload, downloadRejects])
      await expect(call(mine.ctx, { uploadId })).rejects.toMatchObject(notFound)
    await expect(chooseMapping(mine.ctx, { uploadId, mapping: [] })).rejects.toMatchObject(notFound)
    await expect(getUpload(theirs.ctx, { uploadId, publicationId: mine.id })).rejects.toMatchObject(notFound)
    await expect(listImports(mine.ctx, { publicationId: theirs.id })).rejects.toMatchObject(notFound)
    const admin = await actorOf(services, 'admin', (await makePublication(services)).publisherId)
    await expect(getUpload(services.as(admin), { uploadId })).rejects.toMatchObject({ kind: 'denied' })
  })

  it('whose check lost its worker is checked by the next one', async () => {
    const fixture = await makeFixture()
    const { uploadId } = await upload(services, fixture.actor, {
      publicationId: fixture.id,
      text: `${template}U1,A,B,,\n`,
    })
    const [task] = await tasksOf(uploadId, 'check-upload')
    await services.db.transaction(() => takeLease(services.as(system), task as Task))
    await services.db.run(`UPDATE tasks SET owner = 'another-machine 7 x' WHERE id = :id`, { id: task?.id ?? 0 })
    await runWorker(services)
    expect((await view(fixture.actor, uploadId)).state).toBe('checking')
    services.clock.advance({ seconds: 61 })
    await runWorker(services)
    expect((await view(fixture.actor, uploadId)).state).toBe('checked')
  })

  it('that was cancelled, or whose columns were changed, is not touched by the earlier job', async () => {
    const fixture = await makeFixture()
    const { uploadId } = await upload(services, fixture.actor, {
      publicationId: fixture.id,
      text: `${otherColumns}Lee,a@example.org,York,1\n`,
    })
    await chooseMapping(fixture.ctx, { uploadId, mapping: ['LastName', '', '', ''] })
    const [earlierTask] = await tasksOf(uploadId, 'check-upload')
    await runWorker(services)
    await chooseMapping(fixture.ctx, { uploadId, mapping: ['FullName', '', '', ''] })
    await handlers['run-task'](services.as(system), { taskId: earlierTask?.id ?? 0, token: earlierTask?.token ?? 0 })
    expect((await view(fixture.actor, uploadId)).state).toBe('checking')
    await cancelUpload(fixture.ctx, { uploadId })
    await runWorker(services)
    expect(await view(fixture.actor, uploadId)).toMatchObject({ state: 'cancelled', columns: [], preview: null })
    await expect(confirmUpload(fixture.ctx, { uploadId })).rejects.toMatchObject({ kind: 'conflict' })
    await expect(cancelUpload(fixture.ctx, { uploadId })).rejects.toMatchObject({ kind: 'conflict' })
  })

  it('that another process is running is left alone, and taken over when that process is gone', async () => {
    const fixture = await makeFixture()
    const { uploadId } = await upload(services, fixture.actor, {
      publicationId: fixture.id,
      text: `${template}U1,A,B,,\n`,
    })
    await runWorker(services)
    await confirmUpload(fixture.ctx, { uploadId })
    // A worker whose job was taken over while it was suspended.
    const [task] = await tasksOf(uploadId, 'import-readers')
    await services.db.transaction(() => takeLease(services.as(system), task as Task))
    await services.db.run(`UPDATE tasks SET owner = 'another-machine 7 x' WHERE id = :id`, { id: task?.id ?? 0 })
    await runWorker(services)
    expect(await view(fixture.actor, uploadId)).toMatchObject({ state: 'running', problem: null })
    services.clock.advance({ minutes: 2 })
    await runWorker(services)
    expect(await view(fixture.actor, uploadId)).toMatchObject({ state: 'done', added: 1 })
  })

  it('started by the command line is resumed with its own columns, and not with another file', async () => {
    const fixture = await makeFixture()
    const file = join(services.dataDir, 'from-the-command-line.csv')
    const text = 'A,B\nU1,Lee\nU2,Ray\n'
    writeFileSync(file, text)
    const mapping = ['UniqueReference', 'LastName']
    const ctx = services.as(operator)
    const { uploadId } = await importReaders(ctx, { urlKey: fixture.urlKey, file, mode: 'add', mapping })
    // As if the import had been stopped after the first row.
    await services.db.run(`DELETE FROM readers WHERE publication_id = :id AND unique_reference = 'U2'`, {
      id: fixture.id,
    })
    await services.db.run(
      `UPDATE tasks SET state = 'interrupted', cursor = '{"records":1}' WHERE kind = 'import-readers' AND subject_id = :uploadId`,
      { uploadId },
    )
    writeFileSync(file, text.replace('U1', 'U0'))
    await confirmUpload(fixture.ctx, { uploadId })
    await runWorker(services)
    expect(await view(fixture.actor, Number(uploadId))).toMatchObject({
      state: 'interrupted',
      problem: expect.stringContaining('has changed since its import began'),
    })
    writeFileSync(file, text)
    await confirmUpload(fixture.ctx, { uploadId })
    await runWorker(services)
    expect((await view(fixture.actor, Number(uploadId))).state).toBe('done')
    expect(await countReaders(fixture.id)).toBe(2)
  })

  it('that is cancelled while somebody confirms it is not run', async () => {
    const fixture = await makeFixture()
    const { uploadId } = await upload(services, fixture.actor, {
      publicationId: fixture.id,
      text: `${template}U1,A,B,,\n`,
    })
    await runWorker(services)
    const locked = deferred()
    const gate = deferred()
    const holding = services.db.transaction(async () => {
      if (services.db.dialect === 'postgres')
        await services.db.query(`SELECT id FROM publications WHERE id = :id FOR UPDATE`, { id: fixture.id })
      locked.resolve()
      await gate.promise
    })
    await locked.promise
    // On SQLite one transaction waits for another in this process, in the order of the calls.
    const blocked = (count: number) => services.db.dialect === 'postgres' && untilBlocked(services, count)
    const confirmed = confirmUpload(fixture.ctx, { uploadId })
    await blocked(1)
    const cancelled = cancelUpload(fixture.ctx, { uploadId })
    await blocked(2)
    gate.resolve()
    await holding
    expect((await Promise.allSettled([confirmed, cancelled]))[1]).toMatchObject({ value: { state: 'cancelled' } })
    await runWorker(services)
    expect(await view(fixture.actor, uploadId)).toMatchObject({ state: 'cancelled', added: 0 })
  })

  it('with column names that a spreadsheet could run returns them guarded, and recognises them again', async () => {
    const fixture = await makeFixture()
    const text = '=1+1,Surname,Mail\nx,Lee,nobody\ny,Ray,ray@example.org\n'
    const { uploadId } = await upload(services, fixture.actor, { publicationId: fixture.id, text })
    await chooseMapping(fixture.ctx, { uploadId, mapping: ['', 'LastName', 'Email'] })
    await runWorker(services)
    await confirmUpload(fixture.ctx, { uploadId })
    await runWorker(services)
    const rejects = await textOf((await downloadRejects(fixture.ctx, { uploadId })).chunks)
    expect(rejects).toMatch(/^\ufeff'=1\+1,Surname,Mail,/)
    const corrected = { publicationId: fixture.id, text: rejects.replace('nobody', 'lee@example.org') }
    expect((await upload(services, fixture.actor, corrected)).state).toBe('checking')
    await runWorker(services)
  })

  it('with too many columns to review is refused', async () => {
    const fixture = await makeFixture()
    const header = Array.from({ length: 501 }, (_, index) => `Column ${index}`).join(',')
    await expect(
      upload(services, fixture.actor, { publicationId: fixture.id, text: `${header}\n${',x'.repeat(500)}\n` }),
    ).rejects.toMatchObject({ fields: { file: '"readers.csv" has 501 columns: at most 500 can be read' } })
  })

  it('that replaces all readers requires the handle to be typed, and one without a valid row is not run', async () => {
    const fixture = await makeFixture()
    const replacement = await upload(services, fixture.actor, {
      publicationId: fixture.id,
      text: `${template}U1,A,B,,\n`,
      mode: 'replace',
    })
    await runWorker(services)
    expect((await view(fixture.actor, replacement.uploadId)).needsHandle).toBe(true)
    await expect(confirmUpload(fixture.ctx, { uploadId: replacement.uploadId, handle: 'yes' })).rejects.toMatchObject({
      fields: { handle: `Type ${fixture.urlKey} to replace all readers` },
    })
    await confirmUpload(fixture.ctx, { uploadId: replacement.uploadId, handle: ` ${fixture.urlKey.toUpperCase()} ` })
    await cancelUpload(fixture.ctx, { uploadId: replacement.uploadId })
    const withoutValidRow = await upload(services, fixture.actor, {
      publicationId: fixture.id,
      text: `${template}U1,A,B,nobody,\n`,
    })
    await runWorker(services)
    await expect(confirmUpload(fixture.ctx, { uploadId: withoutValidRow.uploadId })).rejects.toMatchObject({
      kind: 'conflict',
    })
    await cancelUpload(fixture.ctx, { uploadId: withoutValidRow.uploadId })
  })

  it('by a user who was deactivated in the meantime ends with a message', async () => {
    const fixture = await makeFixture()
    const { uploadId } = await upload(services, fixture.actor, {
      publicationId: fixture.id,
      text: `${template}U1,A,B,,\n`,
    })
    await services.db.run(`UPDATE users SET is_active = :no WHERE id = :id`, {
      no: false,
      id: fixture.actor.kind === 'staff' ? fixture.actor.userId : 0,
    })
    await runWorker(services)
    expect(await getUpload(services.as(operator), { uploadId })).toMatchObject({
      state: 'failed',
      problem: 'The user who requested this, or their publisher, has been deactivated',
    })
  })

  it('that nobody confirms is cancelled after a day; the file and rejected rows of an import are deleted after thirty', async () => {
    const fixture = await makeFixture()
    const imported = await upload(services, fixture.actor, {
      publicationId: fixture.id,
      text: `${template}U1,A,B,,\nU2,A,B,nobody,\n`,
    })
    await runWorker(services)
    await confirmUpload(fixture.ctx, { uploadId: imported.uploadId })
    await runWorker(services)
    const unconfirmed = await upload(services, fixture.actor, {
      publicationId: fixture.id,
      text: `${template}U3,A,B,,\n`,
    })
    services.clock.advance({ hours: 25 })
    await cleanUp(services.as(system), {})
    expect((await view(fixture.actor, unconfirmed.uploadId)).state).toBe('cancelled')
    expect((await view(fixture.actor, imported.uploadId)).reasons).toHaveLength(1)
    services.clock.advance({ days: 31 })
    await cleanUp(services.as(system), {})
    expect(await view(fixture.actor, imported.uploadId)).toMatchObject({
      added: 1,
      failed: 1,
      reasons: [],
      columns: [],
      canUndo: false,
    })
    const [row] = await services.db.query<{ stored_file: string | null }>(
      `SELECT stored_file FROM uploads WHERE id = :id`,
      { id: imported.uploadId },
    )
    expect(row?.stored_file).toBeNull()
  })
})
