import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { ensureReaderIndexes, missingReaderIndexes } from '#core/imports/load/indexes.ts'
import { closedMonthDifferences } from '#core/ledger/verify-closed-months.ts'
import { checkLedgerTotals } from '#core/ledger/verify-ledger.ts'
import { doctor, readInstallation } from '#core/platform/doctor.ts'
import type { PublicationRow } from '#core/publications/publications.rows.ts'
import { unreachableHandles } from '#core/publications/unreachable-handles.query.ts'
import { senderFindings } from '#core/senders/get-sender.query.ts'
import { seededRandom } from '#tests/support/duplicates/seeded-random.ts'
import { actorOf, makePublication, operator } from '#tests/support/factories.ts'
import { killedWhile } from '#tests/support/killed-process.ts'
import { withPostcodeFile } from '#tests/support/postcode-files.ts'
import { readerFiles } from '#tests/support/reader-files.ts'
import { makeReader } from '#tests/support/readers.ts'
import { setSmallCommits } from '#tests/support/small-commits.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { upload } from '#tests/support/uploads.ts'
import { runWorker } from '#tests/support/worker.ts'
import { cancelUpload } from './cancel-upload.ts'
import { confirmUpload } from './confirm-upload.ts'
import { findStoppedImport } from './find-stopped-import.query.ts'
import { getUpload } from './get-upload.query.ts'
import { importReaders } from './import-readers.ts'
import { undoImport } from './undo-import.ts'

/** Decides after which commit a run is killed: another seed kills at other points. */
const random = seededRandom(20261122)

let services: TestServices
/** Rows per commit that only adds readers, and per commit that changes them. */
const { added: addChunk, changed: chunk, big } = setSmallCommits()
const { fileOf, importInto, exported, stored } = readerFiles(() => services)

beforeAll(async () => {
  services = await openTestServices()
})

type Title = PublicationRow
type Report = Record<string, unknown>

const asOperator = () => services.as(operator)

/** Readers with numbers from `from`; every hundredth has an invalid address. */
function lines(from: number, to: number, city: string): string {
  const rows = ['UniqueReference,FullName,City,Email']
  for (let n = from; n < to; n++) rows.push(`K${n},Reader ${n},${city},${n % 100 === 0 ? 'none' : ''}`)
  return `${rows.join('\n')}\n`
}

const killedImport = (title: Title, file: string, mode: string, shouldKill: (report: Report) => boolean) =>
  killedWhile(services, {
    imports: `import { importReaders } from '#core/imports/import-readers.ts'`,
    body: `await importReaders(ctx, { ...${JSON.stringify({ urlKey: title.urlKey, file, mode })}, onProgress: tell })`,
    shouldKill,
  })

const isCommitted =
  (rows: number) =>
  ({ phase, rows: done }: Report) =>
    phase === 'writing' && Number(done) >= rows

async function newestImport(title: Title) {
  const [row] = await services.db.query<{ id: number }>(
    `SELECT max(id) AS id FROM uploads WHERE publication_id = :id`,
    { id: title.id },
  )
  return getUpload(asOperator(), { uploadId: row?.id })
}

/** A hash of all readers without the numbers, which differ between runs. */
async function contentHash(title: Title): Promise<string> {
  const lines = (await exported(title)).split('\r\n').map((line) => line.replace(/^\d+,/, ''))
  return hash(lines.toSorted())
}

/** A hash of all readers as they are stored, if need be without one of them. */
const storedHash = async (title: Title, exceptId?: number) =>
  hash((await stored(title)).filter(({ id }) => id !== exceptId))

const hash = (rows: unknown) => createHash('sha256').update(JSON.stringify(rows)).digest('hex')

/** The imports check of `doctor`. */
async function importsCheck() {
  const env = {
    DATABASE_URL: services.databaseUrl,
    DATA_DIR: services.dataDir,
    APP_SECRET: 'x'.repeat(40),
    NODE_ENV: 'test' as const,
  }
  const areas = {
    storedTotals: checkLedgerTotals,
    closedMonths: closedMonthDifferences,
    unreachableHandles,
    missingReaderIndexes,
    senders: senderFindings,
  }
  for await (const check of doctor(readInstallation(env, undefined), areas)) if (check.name === 'Imports') return check
  throw new Error('The check of imports is missing')
}

const rejectsOf = async (uploadId: number | null) =>
  services.db.query(`SELECT line, reason FROM upload_rejects WHERE upload_id = :uploadId ORDER BY line`, { uploadId })

describe('an import at the command line that is killed', () => {
  it('blocks nobody, says how to resume, and then adds nobody twice and loses nobody', async () => {
    // Big enough for the key indexes to be dropped meanwhile.
    const rows = big
    const title = await makePublication(services)
    const file = fileOf(lines(0, rows, 'Leeds'))
    await killedImport(title, file, 'add', isCommitted(addChunk * (1 + random.roll(2))))
    const killed = await newestImport(title)
    expect(killed).toMatchObject({ state: 'interrupted', canUndo: true })
    expect(killed.rows).toBeGreaterThanOrEqual(addChunk)
    expect(killed.rows).toBeLessThan(rows)
    expect(killed.added + killed.failed).toBe(killed.rows)
    expect(await ensureReaderIndexes(services.db)).not.toEqual([])
    expect(await importsCheck()).toMatchObject({
      found: expect.stringContaining(`interrupted: import ${killed.id} of`),
      fix: expect.stringMatching(/import --resume .*imports cancel .*imports undo/),
    })

    await importInto(title, 'UniqueReference,LastName\nOther-1,Lee\n', 'combine')
    expect(await getUpload(asOperator(), { uploadId: killed.id })).toMatchObject({
      state: 'interrupted',
      problem: 'The process that worked on it has ended',
    })
    expect(await findStoppedImport(asOperator(), { urlKey: title.urlKey })).toMatchObject({ uploadId: killed.id, file })
    const onOtherMachine = { ...asOperator(), processes: { ...services.processes, host: 'another-machine' } }
    await expect(findStoppedImport(onOtherMachine, { urlKey: title.urlKey })).rejects.toMatchObject({
      kind: 'conflict',
    })
    const changedFile = fileOf(lines(1, 10, 'Leeds'))
    await expect(
      importReaders(asOperator(), { urlKey: title.urlKey, file: changedFile, mode: 'add', uploadId: killed.id }),
    ).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('has changed since its import began'),
    })

    const report = await importInto(title, file, 'add')
    expect(report).toMatchObject({ uploadId: killed.id, rows, resumedAt: killed.rows, added: rows * 0.99 })
    const [counts] = await services.db.query<{ readers: number; lines: number }>(
      `SELECT count(*) AS readers, count(DISTINCT upload_line) AS lines FROM readers WHERE upload_id = :id`,
      { id: killed.id },
    )
    expect(counts).toEqual({ readers: report.added, lines: report.added })
    expect(await rejectsOf(killed.id)).toHaveLength(rows / 100)
    expect(await ensureReaderIndexes(services.db)).toEqual([])
  })

  it('checks the postcodes of the readers it committed, even if nobody resumes it', async () => {
    const title = await withPostcodeFile(services, await makePublication(services), ['SW1A1AA'])
    const rows = Array.from({ length: addChunk * 2 }, (_, n) => `P${n},PL23 1AQ\n`).join('')
    await killedImport(title, fileOf(`UniqueReference,PostCode\n${rows}`), 'add', isCommitted(addChunk))
    const states = async () => new Set((await stored(title)).map((row) => row.post_code_state))
    expect(await states()).toEqual(new Set(['ok']))
    await runWorker(services, 60)
    expect((await newestImport(title)).state).toBe('interrupted')
    expect(await states()).toEqual(new Set(['queried']))
  })

  it('that is killed after the single commit of a replacement only has to report it', async () => {
    const title = await makePublication(services)
    await importInto(title, 'UniqueReference,FullName\nR1,Ann\nR2,Bo\n', 'add')
    const file = fileOf('UniqueReference,FullName\nR1,Ann\nN1,New\n')
    const report = await importInto(title, file, 'replace')
    await services.db.run(
      `UPDATE tasks SET state = 'running', lease_until = NULL WHERE kind = 'import-readers' AND subject_id = :id`,
      { id: report.uploadId },
    )
    await makeReader(services, title.id, { uniqueReference: 'LATER', origin: 'storefront' })
    const resumed = await importInto(title, file, 'replace')
    expect(resumed).toMatchObject({ uploadId: report.uploadId, rows: 2, added: 1, unchanged: 1, removed: 1 })
    expect((await stored(title)).map((row) => row.unique_reference)).toEqual(['R1', 'N1', 'LATER'])
    expect((await newestImport(title)).state).toBe('done')
  })

  it.each([
    ['is refused again', 2, async () => {}],
    [
      'can be applied by then',
      1,
      (title: Title) =>
        services.db.run(`UPDATE readers SET origin = 'file' WHERE publication_id = :id`, { id: title.id }),
    ],
  ])('after its replacement was refused, and %s, stores each rejected row once', async (_, failed, change) => {
    const title = await makePublication(services)
    await makeReader(services, title.id, { uniqueReference: 'R1', origin: 'storefront' })
    const file = fileOf('UniqueReference,City,Email\nR1,Leeds,\nR2,Leeds,none\n')
    const replace = () => importInto(title, file, 'replace', { target: 'imported' })
    await expect(replace()).rejects.toMatchObject({ message: expect.stringContaining('nothing was replaced') })
    const { id } = await newestImport(title)
    expect(await rejectsOf(id)).toHaveLength(2)
    // As if it had been killed after the commit of the rejected rows, before its task was ended.
    await services.db.run(
      `UPDATE tasks SET state = 'running', lease_until = NULL WHERE kind = 'import-readers' AND subject_id = :id`,
      { id },
    )
    await change(title)
    await replace().catch(() => {})
    expect(await newestImport(title)).toMatchObject({ id, failed })
    expect(await rejectsOf(id)).toHaveLength(failed)
  })

  it.each([
    ['reads', ({ phase }: Report) => phase === 'reading'],
    ['compares', ({ phase }: Report) => phase === 'comparing'],
    ['writes', ({ phase }: Report) => phase === 'writing'],
  ])('that is killed while a replacement %s has changed nothing, and is run again', async (_, shouldKill) => {
    const title = await makePublication(services)
    await importInto(title, lines(0, 1_000, 'Fowey'), 'add')
    const before = await storedHash(title)
    const file = fileOf(lines(500, 1_500, 'Leeds'))
    await killedImport(title, file, 'replace', shouldKill)
    expect(await newestImport(title)).toMatchObject({ state: 'interrupted', rows: 0, canUndo: false })
    expect(await storedHash(title)).toBe(before)
    const late = await makeReader(services, title.id, { uniqueReference: 'LATE', origin: 'storefront' })
    const report = await importInto(title, file, 'replace')
    expect(report).toMatchObject({ rows: 1_000, added: 495, updated: 495, failed: 10, resumedAt: 0 })
    expect((await stored(title)).some(({ id }) => id === late)).toBe(true)
    await undoImport(asOperator(), { uploadId: report.uploadId })
    expect(await storedHash(title, late)).toBe(before)
  })
})

/** Runs the newest task in a separate worker and kills it once the condition holds for what it reports. */
const killedWorker = (kind: string, shouldKill: (report: Report) => boolean) =>
  killedWhile(services, {
    imports: `import { runTask } from '#core/tasks/run-task.ts'
      import { taskHandlers } from '#worker/task-handlers.ts'`,
    body: `
      const kind = taskHandlers['${kind}']
      const open = (ctx, run) => kind.open(ctx, { ...run, reportProgress(at) { run.reportProgress(at); tell(at) } })
      const [task] = await ctx.db.query("SELECT id, token FROM tasks WHERE kind = '${kind}' AND state = 'waiting' ORDER BY id DESC LIMIT 1")
      await runTask({ ...taskHandlers, '${kind}': { ...kind, open } })({ ...ctx, actor: { kind: 'system' } }, { taskId: task.id, token: task.token })`,
    shouldKill,
  })

describe('an upload whose worker is killed', () => {
  it('during its check or import is resumed, with the same result', async () => {
    const rows = Math.floor(chunk * 1.4)
    const title = await makePublication(services)
    const uninterrupted = await makePublication(services)
    const known = fileOf(lines(0, rows / 2, 'Fowey'))
    for (const { urlKey } of [title, uninterrupted]) await importInto({ urlKey }, known, 'add')
    const actor = await actorOf(services, 'publisher', title.publisherId)
    const text = lines(rows / 7, rows, 'Leeds')

    const { uploadId } = await upload(services, actor, { publicationId: title.id, text, mode: 'combine' })
    await killedWorker('check-upload', ({ done }) => Number(done) > 0)
    expect(await getUpload(asOperator(), { uploadId })).toMatchObject({ state: 'checking', preview: null })
    await runWorker(services, 60)
    const { preview } = await getUpload(asOperator(), { uploadId })
    await confirmUpload(services.as(actor), { uploadId })
    await killedWorker('import-readers', ({ phase, done }) => phase === 'writing' && Number(done) >= chunk)
    const killed = await getUpload(asOperator(), { uploadId })
    expect(killed.state).toBe('running')
    expect(killed.rows).toBeGreaterThanOrEqual(chunk)
    expect(killed.rows).toBeLessThan(preview?.rows ?? 0)
    await runWorker(services, 60)

    const done = await getUpload(asOperator(), { uploadId })
    const wholeReport = await importInto(uninterrupted, text, 'combine')
    const { added, updated, unchanged, repeated, failed } = wholeReport
    expect(done).toMatchObject({ state: 'done', rows: wholeReport.rows, added, updated, unchanged, repeated, failed })
    expect(preview).toMatchObject({ rows: wholeReport.rows, added, updated, unchanged, repeated, failed })
    expect(await contentHash(title)).toEqual(await contentHash(uninterrupted))
    expect(await rejectsOf(uploadId)).toEqual(await rejectsOf(wholeReport.uploadId))
    expect(await ensureReaderIndexes(services.db)).toEqual([])
    const nextUpload = await upload(services, actor, { publicationId: title.id, text: 'UniqueReference\nX1\n' })
    await cancelUpload(services.as(actor), { uploadId: nextUpload.uploadId })
  })
})

describe('combining a file in another order than the readers, killed after each commit in turn', () => {
  const known = () => Math.floor(chunk * 1.2)
  const rows = () => Math.floor(chunk * 2.5)
  /** Known readers in random order alternate with new ones until they are used up. Some readers occur twice, some rows are invalid. */
  function shuffled(): string {
    const { roll } = seededRandom(7)
    const numbers = Array.from({ length: known() }, (_, n) => n)
    for (let index = numbers.length - 1; index > 0; index--) {
      const otherIndex = roll(index + 1)
      const value = numbers[index] as number
      const otherValue = numbers[otherIndex] as number
      numbers[index] = otherValue
      numbers[otherIndex] = value
    }
    const lines = ['UniqueReference,City,Email', 'K5,Repeated,', 'N5,Repeated,']
    for (let n = known(); n < rows(); n++) {
      const knownNumber = numbers[n - known()]
      if (knownNumber !== undefined) lines.push(`K${knownNumber},Leeds,${knownNumber % 100 === 0 ? 'none' : ''}`)
      lines.push(`N${n},Leeds,${n % 100 === 0 ? 'none' : ''}`)
    }
    return `${[...lines, 'N5,Leeds,'].join('\n')}\n`
  }

  it('is applied once, keeps concurrent changes, and is undone completely', async () => {
    const title = await makePublication(services)
    const uninterrupted = await makePublication(services)
    const start = fileOf(lines(0, known(), 'Fowey').replaceAll(',none', ','))
    for (const { urlKey } of [title, uninterrupted]) await importInto({ urlKey }, start, 'add')
    const before = await stored(title)
    const file = fileOf(shuffled())
    const wholeReport = await importInto(uninterrupted, file, 'combine')
    const isWriting = ({ phase }: Report) => phase === 'writing'

    // After the first commit the readers with the lowest ids are changed, wherever they are in the file, and no new reader is added.
    await killedImport(title, file, 'combine', isWriting)
    const afterFirstKill = await newestImport(title)
    expect(afterFirstKill).toMatchObject({
      state: 'interrupted',
      rows: chunk,
      updated: chunk,
      added: 0,
      unchanged: 0,
      failed: 0,
    })
    const cities = (await stored(title)).map(({ city }) => city)
    const withValidEmail = cities.map((_, n) => n).filter((n) => n % 100 !== 0)
    expect(withValidEmail.map((n) => cities[n] === 'Leeds')).toEqual(withValidEmail.map((_, index) => index < chunk))

    // A user changes a processed reader and an unprocessed one, removes a processed one and changes the reference of another.
    const change = (reference: string, set: string) =>
      services.db.run(
        `UPDATE readers SET ${set}, version = version + 1 WHERE publication_id = :id AND unique_reference = :reference`,
        {
          id: title.id,
          reference,
        },
      )
    const last = `K${known() - 1}`
    await change('K1', `city = 'Ely'`)
    await change(last, `full_name = 'Moved Meanwhile'`)
    await services.db.run(`DELETE FROM readers WHERE publication_id = :id AND unique_reference = 'K2'`, {
      id: title.id,
    })
    await change('K3', `unique_reference = 'K3-NEW'`)

    // After the last commit of known readers, and after the first of the others.
    await killedImport(title, file, 'combine', isWriting)
    const afterSecondKill = await newestImport(title)
    expect(afterSecondKill).toMatchObject({
      rows: wholeReport.updated,
      updated: wholeReport.updated,
      added: 0,
      unchanged: 0,
      repeated: 0,
      failed: 0,
    })
    await killedImport(title, file, 'combine', isWriting)
    const afterThirdKill = await newestImport(title)
    expect(afterThirdKill.updated).toBe(wholeReport.updated)
    expect(afterThirdKill.added).toBeGreaterThan(0)
    expect(afterThirdKill.rows).toBe(
      afterThirdKill.added +
        afterThirdKill.updated +
        afterThirdKill.unchanged +
        afterThirdKill.repeated +
        afterThirdKill.failed,
    )
    expect(afterThirdKill.rows).toBeLessThan(wholeReport.rows)

    const report = await importInto(title, file, 'combine')
    const { added, updated, unchanged, repeated, failed } = wholeReport
    expect(report).toMatchObject({
      uploadId: afterFirstKill.id,
      rows: wholeReport.rows,
      added,
      updated,
      unchanged,
      repeated,
      failed,
    })
    expect(added + updated + unchanged + repeated + failed).toBe(wholeReport.rows)
    expect(await rejectsOf(report.uploadId)).toEqual(await rejectsOf(wholeReport.uploadId))
    const contents = async (ofTitle: Title) =>
      (await stored(ofTitle)).map(({ unique_reference, city, full_name, version }) => [
        unique_reference,
        city,
        full_name,
        Number(version),
      ])
    const changedMeanwhile: Record<string, unknown[]> = {
      K1: ['K1', 'Ely', 'Reader 1', 3],
      K3: ['K3-NEW', 'Leeds', 'Reader 3', 3],
      [last]: [last, 'Leeds', 'Moved Meanwhile', 3],
    }
    const expected = (await contents(uninterrupted)).filter(([reference]) => reference !== 'K2')
    expect(await contents(title)).toEqual(expected.map((row) => changedMeanwhile[String(row[0])] ?? row))

    const undone = await undoImport(asOperator(), { uploadId: report.uploadId })
    expect(undone).toMatchObject({ removed: added, restored: updated - 3, leftAlone: 3 })
    const touched = new Set(['K1', 'K2', 'K3', 'K3-NEW', last])
    const untouched = (readers: typeof before) =>
      readers.filter(({ unique_reference }) => !touched.has(unique_reference))
    expect(untouched(await stored(title))).toEqual(untouched(before))
  })

  it('is refused once its changes can no longer be determined', async () => {
    const title = await makePublication(services)
    await importInto(title, fileOf(lines(0, 100, 'Fowey')), 'add')
    const [header, ...rows] = lines(0, 200, 'Leeds').trimEnd().split('\n')
    const file = fileOf(`${[header, ...rows.toReversed()].join('\n')}\n`)
    await killedImport(title, file, 'combine', ({ phase }) => phase === 'writing')
    const { id, updated } = await newestImport(title)
    expect(updated).toBe(99)
    await services.db.run(`DELETE FROM reader_backups WHERE upload_id = :id`, { id })
    await expect(importInto(title, file, 'combine')).rejects.toMatchObject({ kind: 'gone' })
    expect((await stored(title)).length).toBe(99)
  })
})

describe('an undo at the command line that is killed', () => {
  it('blocks nobody, resumes where it stopped, and restores every reader', async () => {
    const rows = Math.floor(chunk * 1.2)
    const title = await makePublication(services)
    await importInto(title, lines(0, rows, 'Fowey'), 'add')
    const before = await storedHash(title)
    const { uploadId } = await importInto(title, lines(0, rows, 'Leeds'), 'combine')
    await killedWhile(services, {
      imports: `import { undoImport } from '#core/imports/undo-import.ts'`,
      body: `await undoImport(ctx, { uploadId: ${uploadId}, onProgress: tell })`,
      shouldKill: ({ readers }) => Number(readers) > 0,
    })
    expect(await newestImport(title)).toMatchObject({ state: 'undo-interrupted', canUndo: true, restored: chunk })
    expect(await storedHash(title)).not.toBe(before)
    expect(await importsCheck()).toMatchObject({ fix: `subscriptions imports undo ${uploadId}` })
    const otherImport = await importInto(title, 'UniqueReference,LastName\nOther-2,Lee\n', 'add')
    await undoImport(asOperator(), { uploadId: otherImport.uploadId })
    const undone = await undoImport(asOperator(), { uploadId })
    expect(undone).toMatchObject({ leftAlone: 0, isFinished: true })
    expect(await getUpload(asOperator(), { uploadId })).toMatchObject({ state: 'undone', restored: rows * 0.99 })
    expect(await storedHash(title)).toBe(before)
  })
})
