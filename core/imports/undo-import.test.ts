import { beforeAll, describe, expect, it } from 'vitest'
import { getPublication } from '#core/publications/get-publication.query.ts'
import type { PublicationRow } from '#core/publications/publications.rows.ts'
import { editReader } from '#core/readers/edit-reader.ts'
import { getReader } from '#core/readers/get-reader.query.ts'
import { linkByEmail } from '#core/readers/readers.rows.ts'
import { removeReader } from '#core/readers/remove-reader.ts'
import { clearRemovedReaders } from '#core/readers/removed-readers.rows.ts'
import { restoreReader } from '#core/readers/restore-reader.ts'
import { actorOf, makeBuyer, makePublication, operator } from '#tests/support/factories.ts'
import { withPostcodeFile } from '#tests/support/postcode-files.ts'
import { readerFiles, refusal } from '#tests/support/reader-files.ts'
import { makeReader } from '#tests/support/readers.ts'
import { rowsOf } from '#tests/support/shop.ts'
import { setSmallCommits } from '#tests/support/small-commits.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { textOf } from '#tests/support/text-of.ts'
import { clearOldBackups } from './clear-old-backups.ts'
import { exportBackup } from './export-backup.ts'
import { getUpload } from './get-upload.query.ts'
import { undoImport } from './undo-import.ts'

setSmallCommits()

let services: TestServices
const { importInto, exported, stored } = readerFiles(() => services)

beforeAll(async () => {
  services = await openTestServices()
})

const undo = (uploadId: number | null, options: object = {}) =>
  undoImport(services.as(operator), { uploadId, ...options })

/** Readers of all three origins, one of them deactivated, one with a name that a spreadsheet would run as a formula. */
async function makeMixedTitle(): Promise<PublicationRow> {
  const title = await makePublication(services)
  const lines = Array.from(
    { length: 30 },
    (_, n) => `M${n},Reader ${n},Fowey,PL23 1AQ,print,31/12/2026,${n}.50,"note, ${n}"`,
  )
  await importInto(
    title,
    `UniqueReference,FullName,City,PostCode,SubType,SubExpiry,SubPaid,SubHistory\n${lines.join('\n')}\n`,
    'add',
  )
  await makeReader(services, title.id, { uniqueReference: 'SHOP', fullName: '=SUM(A1)', origin: 'storefront' })
  const gone = await makeReader(services, title.id, { uniqueReference: 'STAFF', fullName: 'Left Us', origin: 'staff' })
  await services.db.run(`UPDATE readers SET is_deleted = :yes WHERE id = :gone`, { yes: true, gone })
  return title
}

const changes =
  'UniqueReference,FullName,City,SubExpiry\nM1,Reader One,,\nM2,,Leeds,31/12/2028\nN1,New,Ely,\n,Nameless,Bath,\nSHOP,,Truro,\n'

const touch = (title: { id: number }, reference: string) =>
  services.db.run(
    `UPDATE readers SET job_title = 'Changed since', version = version + 1 WHERE publication_id = :id AND unique_reference = :reference`,
    { id: title.id, reference },
  )

describe('an import that is undone', () => {
  it.each(['add', 'combine', 'replace'] as const)('in mode %s restores every reader', async (mode) => {
    const title = await makeMixedTitle()
    const before = await stored(title)
    const report = await importInto(title, changes, mode)
    expect(await stored(title)).not.toEqual(before)
    const preview = await undo(report.uploadId, { dryRun: true })
    expect(await stored(title)).not.toEqual(before)
    const undone = await undo(report.uploadId)
    expect(undone).toMatchObject({
      removed: report.added,
      restored: report.updated,
      broughtBack: report.removed,
      leftAlone: 0,
      left: [],
      isFinished: true,
    })
    expect({ ...preview, dryRun: false }).toEqual(undone)
    expect(await stored(title)).toEqual(before)
    expect(await getUpload(services.as(operator), { uploadId: report.uploadId })).toMatchObject({
      state: 'undone',
      restored: report.added + report.updated + report.removed,
      leftAlone: 0,
      undoneAt: expect.any(Date),
      canUndo: false,
    })
    const { lastImport } = await getPublication(services.as(operator), { urlKey: title.urlKey })
    expect(lastImport).toMatchObject({ state: 'undone', added: report.added })
    expect(await refusal(undo(report.uploadId))).toMatchObject({
      kind: 'conflict',
      message: 'This import has already been undone',
    })
  })

  it('of two, the later first, restores every reader', async () => {
    const title = await makeMixedTitle()
    const before = await stored(title)
    const firstImport = await importInto(title, changes, 'combine')
    const secondImport = await importInto(title, 'UniqueReference,City\nM1,York\nN1,York\nM3,York\n', 'combine')
    await undo(secondImport.uploadId)
    expect(await undo(firstImport.uploadId)).toMatchObject({ leftAlone: 0 })
    expect(await stored(title)).toEqual(before)
  })

  it('skips readers changed since, and lists them', async () => {
    const title = await makeMixedTitle()
    const report = await importInto(title, changes, 'replace')
    for (const reference of ['M1', 'N1']) await touch(title, reference)
    const conflictingReader = await makeReader(services, title.id, {
      uniqueReference: 'M7',
      fullName: 'Has the reference now',
    })
    const counts = { leftAlone: 3, removed: 1, restored: 2, broughtBack: 28 }
    expect(await undo(report.uploadId, { dryRun: true })).toMatchObject(counts)
    const undone = await undo(report.uploadId)
    expect(undone).toMatchObject(counts)
    expect(undone.left.map(({ uniqueReference, isThere }) => [uniqueReference, isThere])).toEqual([
      ['M1', true],
      ['M7', false],
      ['N1', true],
    ])
    const rows = await stored(title)
    expect(rows.find((row) => row.unique_reference === 'M1')).toMatchObject({
      full_name: 'Reader One',
      job_title: 'Changed since',
    })
    expect(rows.find((row) => row.unique_reference === 'M7')?.id).toBe(conflictingReader)
    expect(rows.find((row) => row.unique_reference === 'M8')).toMatchObject({ full_name: 'Reader 8' })
  })

  it('does not let a form opened before it overwrite the next import', async () => {
    const title = await makeMixedTitle()
    const as = services.as(operator)
    const savedNow = services.clock.now
    const importCity = async (city: string) => {
      services.clock.advance({ minutes: 1 })
      return (await importInto(title, `UniqueReference,City\nM1,${city}\n`, 'combine')).uploadId
    }
    const wrongFile = await importCity('Leeds')
    const id = Number((await stored(title)).find((row) => row.unique_reference === 'M1')?.id)
    const opened = await getReader(as, { id })
    await undo(wrongFile)
    await importCity('York')
    const current = await getReader(as, { id })
    expect(current).toMatchObject({ version: opened.version, city: 'York' })
    const form = { id, city: 'Hull', version: opened.version, versionAt: opened.updatedAt.toISOString() }
    expect(await refusal(editReader(as, form))).toMatchObject({
      kind: 'conflict',
      fields: { city: 'Is now “York”' },
    })
    expect(await editReader(as, { ...form, versionAt: current.updatedAt.toISOString() })).toMatchObject({
      changed: ['city'],
    })
    services.clock.now = savedNow
  })

  it('skips a reader whose record was added to an account since', async () => {
    const title = await makeMixedTitle()
    const email = 'new@example.test'
    const report = await importInto(title, `UniqueReference,FullName,Email\nN1,New,${email}\nM1,,${email}\n`, 'combine')
    const { id: buyerId } = await makeBuyer(services, title.id)
    const claim = { publicationId: title.id, keyEmail: email, buyerId }
    expect(await linkByEmail(services.as(operator), claim)).toBe(2)
    expect(await undo(report.uploadId)).toMatchObject({ leftAlone: 2, removed: 0, restored: 0 })
    const rows = (await stored(title)).filter((row) => row.email === email)
    expect(rows.map((row) => row.buyer_id)).toEqual([buyerId, buyerId])
  })

  it('resumes where it was stopped', async () => {
    const title = await makePublication(services)
    const lines = Array.from({ length: 2_500 }, (_, n) => `B${n},Reader ${n}`)
    await importInto(title, `UniqueReference,FullName\n${lines.join('\n')}\n`, 'add')
    const before = await stored(title)
    const report = await importInto(
      title,
      `UniqueReference,City\n${lines.map((_, n) => `B${n},Leeds`).join('\n')}\n`,
      'combine',
    )
    expect(report).toMatchObject({ updated: 2_500 })
    const stop = new AbortController()
    const interrupted = await undo(report.uploadId, { signal: stop.signal, onProgress: () => stop.abort() })
    expect(interrupted.isFinished).toBe(false)
    expect(interrupted.restored).toBeGreaterThan(0)
    expect(interrupted.restored).toBeLessThan(2_500)
    const uploadView = () => getUpload(services.as(operator), { uploadId: report.uploadId })
    expect(await uploadView()).toMatchObject({
      state: 'undo-interrupted',
      canUndo: true,
      problem: 'Stopped on request',
    })
    // It blocks no other import.
    const otherImport = await importInto(title, 'UniqueReference\nX\n', 'add')
    await undo(otherImport.uploadId)
    const resumed = await undo(report.uploadId)
    expect(interrupted.restored + resumed.restored).toBe(2_500)
    expect(await stored(title)).toEqual(before)
  })

  it('checks the postcodes of the readers it restored, even if it was stopped', async () => {
    const title = await makePublication(services)
    const lines = Array.from({ length: 2_500 }, (_, n) => `B${n},Reader ${n},PL23 1AQ`)
    await importInto(title, `UniqueReference,FullName,PostCode\n${lines.join('\n')}\n`, 'add')
    const report = await importInto(
      title,
      `UniqueReference,PostCode\n${lines.map((_, n) => `B${n},SW1A 1AA`).join('\n')}\n`,
      'combine',
    )
    await withPostcodeFile(services, title, ['SW1A1AA'])
    const stop = new AbortController()
    const { restored } = await undo(report.uploadId, { signal: stop.signal, onProgress: () => stop.abort() })
    expect(restored).toBeGreaterThan(0)
    expect(restored).toBeLessThan(2_500)
    const rows = (await stored(title)).filter((row) => row.post_code === 'PL23 1AQ')
    expect(rows).toHaveLength(restored)
    expect(new Set(rows.map((row) => row.post_code_state))).toEqual(new Set(['queried']))
  })

  it('must be of the publisher’s own title, less than thirty days old, and have changed something', async () => {
    const title = await makeMixedTitle()
    const report = await importInto(title, changes, 'combine')
    const stranger = services.as(await actorOf(services, 'publisher'))
    for (const useCase of [undoImport, exportBackup])
      expect(await refusal(useCase(stranger, { uploadId: report.uploadId }))).toMatchObject({ kind: 'notFound' })
    const repeated = await importInto(title, changes, 'combine', { again: true })
    // The row without a reference adds a reader every time.
    expect(repeated.added).toBe(1)
    const unchanged = await importInto(title, 'UniqueReference,City\nM2,Leeds\n', 'combine')
    expect(await refusal(undo(unchanged.uploadId))).toMatchObject({
      message: expect.stringContaining('nothing to undo'),
    })
    const savedNow = services.clock.now
    services.clock.now = new Date(savedNow.getTime() + 30 * 86_400_000)
    expect(await refusal(undo(report.uploadId))).toMatchObject({ kind: 'gone' })
    services.clock.now = savedNow
    expect(await undo(report.uploadId)).toMatchObject({ leftAlone: 0 })
    const [audit] = await services.db.query<{ publisher_id: number }>(
      `SELECT publisher_id FROM audit_log WHERE action = 'undo-import' ORDER BY id DESC LIMIT 1`,
    )
    expect(audit?.publisher_id).toBe(title.publisherId)
  })
})

describe('the backup of an import', () => {
  it('is downloaded as the readers were before the import, and is gone after an undo', async () => {
    const title = await makeMixedTitle()
    const before = await exported(title)
    const report = await importInto(title, 'UniqueReference,FullName\nM1,Reader One\nM2,Reader 2\n', 'replace')
    const { chunks, total, fileName } = await exportBackup(services.as(operator), {
      uploadId: report.uploadId,
      bom: false,
    })
    const text = await textOf(chunks)
    expect(total).toBe(report.updated + report.removed)
    expect(fileName).toMatch(new RegExp(`_21112026_before_import_${report.uploadId}\\.csv$`))
    expect(text).toBe(before)
    await undo(report.uploadId)
    expect(await refusal(exportBackup(services.as(operator), { uploadId: report.uploadId }))).toMatchObject({
      kind: 'notFound',
    })
    expect(await exported(title)).toBe(before)
  })

  it('is combined back, as a reader file', async () => {
    const title = await makeMixedTitle()
    const contents = async () => (await exported(title)).replaceAll(/^\d+,/gm, ',').split('\r\n').toSorted()
    const before = await contents()
    const { uploadId } = await importInto(title, 'UniqueReference,FullName\nM1,Reader One\nM2,Reader 2\n', 'replace')
    expect(await contents()).not.toEqual(before)
    const { chunks, total } = await exportBackup(services.as(operator), { uploadId })
    const text = await textOf(chunks)
    expect(await importInto(title, text, 'combine')).toMatchObject({ rows: total, failed: 0 })
    expect(await contents()).toEqual(before)
  })

  it('is named after the business day of the import', async () => {
    const title = await makeMixedTitle()
    const savedNow = services.clock.now
    // Half past midnight in London.
    services.clock.now = new Date('2027-06-05T23:30:00Z')
    const { uploadId } = await importInto(title, 'UniqueReference,FullName\nM1,Reader One\n', 'replace')
    const { fileName } = await exportBackup(services.as(operator), { uploadId })
    services.clock.now = savedNow
    expect(fileName).toContain('_662027_before_import_')
  })

  it('is deleted after thirty days, with the history of deleted readers', async () => {
    const title = await makeMixedTitle()
    const [firstReader] = await stored(title)
    await services.db.run(
      `INSERT INTO reader_events (reader_id, publication_id, kind, note, actor_kind, created_at) VALUES (:id, :title, 'edited', '', 'operator', :now)`,
      { id: firstReader?.id ?? 0, title: title.id, now: services.clock.now },
    )
    const report = await importInto(title, 'UniqueReference,FullName\nM1,Reader One\n', 'replace')
    const history = () =>
      services.db.query(`SELECT id FROM reader_events WHERE reader_id = :id`, { id: firstReader?.id ?? 0 })
    expect(await clearOldBackups(services.as(operator), services.now())).toBe(0)
    expect(await history()).toHaveLength(1)
    services.clock.advance({ days: 31 })
    expect(await clearOldBackups(services.as(operator), services.now())).toBeGreaterThanOrEqual(
      report.updated + report.removed,
    )
    expect(await history()).toHaveLength(0)
    expect(await refusal(exportBackup(services.as(operator), { uploadId: report.uploadId }))).toMatchObject({
      kind: 'notFound',
    })
  })

  it('leaves the history of a reader as long as the reader can be restored', async () => {
    const savedNow = services.clock.now
    const title = await makeMixedTitle()
    await importInto(title, 'UniqueReference,SubExpiry\nM2,31/12/2028\n', 'combine')
    const id = Number((await stored(title)).find((row) => row.unique_reference === 'M2')?.id)
    const ctx = services.as(operator)
    const history = async () => (await rowsOf(services, 'reader_events', title.id)).map(({ kind }) => kind)
    const onDay = async (day: number) => {
      services.clock.now = new Date(savedNow.getTime() + day * 86_400_000)
      await clearRemovedReaders(ctx, ctx.now())
      await clearOldBackups(ctx, ctx.now())
    }
    const historyBefore = await history()
    expect(historyBefore.length).toBeGreaterThan(0)
    await onDay(20)
    await removeReader(ctx, { id })
    await onDay(31)
    expect(await history()).toEqual(historyBefore)
    await restoreReader(ctx, { id })
    expect(await history()).toEqual([...historyBefore, 'restored'])
    await removeReader(ctx, { id })
    await onDay(60)
    expect(await history()).toEqual([...historyBefore, 'restored'])
    await onDay(62)
    expect(await history()).toEqual([])
    services.clock.now = savedNow
  })

  it('has every column of a reader', async () => {
    const { db } = services
    const columnsOf = async (table: string) => {
      const rows = await db.query<{ name: string }>(
        db.dialect === 'sqlite'
          ? `SELECT name FROM pragma_table_info('${table}')`
          : `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = '${table}'`,
      )
      return rows.map(({ name }) => name).toSorted()
    }
    const readers = (await columnsOf('readers')).map((name) => (name === 'upload_id' ? 'from_upload_id' : name))
    expect(await columnsOf('reader_backups')).toEqual([...readers, 'kind', 'upload_id', 'version_after'].toSorted())
  })
})
