import { beforeAll, describe, expect, it } from 'vitest'
import { ensureReaderIndexes } from '#core/imports/load/indexes.ts'
import type { PublicationRow } from '#core/publications/publications.rows.ts'
import { readerLines } from '#tests/load/reader-file-generator.ts'
import { makePublication, operator, system } from '#tests/support/factories.ts'
import { killedWhile } from '#tests/support/killed-process.ts'
import { readerFiles } from '#tests/support/reader-files.ts'
import { makeReader } from '#tests/support/readers.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { sweepUploads } from './lost-uploads.ts'
import { runUpload } from './run-upload.ts'
import { stoppedImport } from './stopped-import.query.ts'
import { undoImport } from './undo-import.ts'

let services: TestServices
const { fileOf, importInto, exported, stored } = readerFiles(() => services)

beforeAll(async () => {
  services = await openTestServices()
})

type Title = PublicationRow
type Mode = 'add' | 'combine' | 'replace'

const killedImport = (title: Title, file: string, mode: Mode, isTime: (told: Record<string, unknown>) => boolean) =>
  killedWhile(services, {
    imports: `import { importReaders } from '#core/imports/import-readers.ts'`,
    body: `await importReaders(ctx, { ...${JSON.stringify({ urlKey: title.urlKey, file, mode })}, onProgress: tell })`,
    isTime,
  })

async function uploadOf(title: Title) {
  const [row] = await services.db.query<{ id: number; state: string; records_done: number }>(
    `SELECT id, state, records_done FROM uploads WHERE publication_id = :id ORDER BY id DESC LIMIT 1`,
    { id: title.id },
  )
  return row
}

const isCommitted = ({ phase, rows }: Record<string, unknown>) => phase === 'writing' && Number(rows) > 0

it('a killed addition is run again: nothing doubled, nothing lost, the indexes back', async () => {
  const rows = 60_000
  const title = await makePublication(services)
  const file = fileOf([...readerLines(rows)].join(''))
  // The first commit has been told of: the next chunk is under way.
  await killedImport(title, file, 'add', isCommitted)
  const killed = await uploadOf(title)
  expect(killed?.state).toBe('running')
  expect(killed?.records_done).toBeGreaterThan(0)
  expect(killed?.records_done).toBeLessThan(rows)
  await ensureReaderIndexes(services.db)

  const report = await importInto(title, file, 'add')
  expect(report).toMatchObject({ rows, resumedAt: killed?.records_done })
  expect(report.added + report.failed).toBe(rows)
  const [found] = await services.db.query<{ readers: number; lines: number }>(
    `SELECT count(*) AS readers, count(DISTINCT upload_line) AS lines FROM readers WHERE publication_id = :id`,
    { id: title.id },
  )
  expect(found).toEqual({ readers: report.added, lines: report.added })
  const [rejects] = await services.db.query<{ rejects: number }>(
    `SELECT count(*) AS rejects FROM upload_rejects WHERE upload_id = :id`,
    { id: report.uploadId },
  )
  expect(rejects?.rejects).toBe(report.failed)
  expect(await ensureReaderIndexes(services.db)).toEqual([])
})

/** A publication that knows half of the readers of the file. */
async function halfKnown(rows: number): Promise<{ title: Title; file: string }> {
  const title = await makePublication(services, { publicationName: 'Half Known' })
  const known = [...readerLines(rows / 2, 7)]
  await importInto(title, fileOf(known.join('')), 'add')
  return { title, file: fileOf([...readerLines(rows, 9)].join('')) }
}

/** All readers without the numbers that differ from run to run. */
const contentOf = async (title: Title) =>
  (await exported(title))
    .split('\r\n')
    .map((line) => line.replace(/^\d+,/, ''))
    .toSorted()

describe('combining', () => {
  it('goes on after a kill, and comes to what it would have come to', async () => {
    const rows = 50_000
    const [{ title, file }, straight] = [await halfKnown(rows), await halfKnown(rows)]
    await killedImport(title, file, 'combine', isCommitted)
    const killed = await uploadOf(title)
    expect(killed?.state).toBe('running')
    expect(killed?.records_done).toBeGreaterThan(0)
    expect(killed?.records_done).toBeLessThan(rows)
    const report = await importInto(title, file, 'combine')
    expect(report).toMatchObject({ rows, resumedAt: killed?.records_done })
    const { added, updated, unchanged, repeated, failed } = report
    expect(added + updated + unchanged + repeated + failed).toBe(rows)
    const whole = await importInto(straight.title, file, 'combine')
    expect({ added, updated, unchanged, repeated, failed, reasons: report.reasons }).toEqual({
      added: whole.added,
      updated: whole.updated,
      unchanged: whole.unchanged,
      repeated: whole.repeated,
      failed: whole.failed,
      reasons: whole.reasons,
    })
    expect(await contentOf(title)).toEqual(await contentOf(straight.title))
    expect(await ensureReaderIndexes(services.db)).toEqual([])
  })
})

describe('replacing', () => {
  it.each([
    ['while it reads', ({ phase, rows }: Record<string, unknown>) => phase === 'reading' && Number(rows) > 5_000],
    ['while it compares', ({ phase }: Record<string, unknown>) => phase === 'comparing'],
    ['while it writes', ({ phase }: Record<string, unknown>) => phase === 'writing'],
  ])('killed %s has changed nothing, and is run again', async (_, isTime) => {
    const { title, file } = await halfKnown(20_000)
    const before = await stored(title)
    await killedImport(title, file, 'replace', isTime)
    expect((await uploadOf(title))?.state).toBe('running')
    expect(await stored(title)).toEqual(before)
    const late = await makeReader(services, title.id, { uniqueReference: 'LATE', origin: 'storefront' })
    const report = await importInto(title, file, 'replace')
    expect(report).toMatchObject({ rows: 20_000 })
    expect(report.added + report.updated + report.unchanged + report.repeated + report.failed).toBe(20_000)
    const after = await stored(title)
    expect(after).toHaveLength(before.length + report.added - report.removed + 1)
    expect(after.some(({ id }) => id === late)).toBe(true)
    await undoImport(services.as(operator), { uploadId: report.uploadId })
    expect((await stored(title)).filter(({ id }) => id !== late)).toEqual(before)
  })

  it('killed behind its one commit has only to say so', async () => {
    const title = await makePublication(services)
    await importInto(title, 'UniqueReference,FullName\nR1,Ann\nR2,Bo\n', 'add')
    const file = fileOf('UniqueReference,FullName\nR1,Ann\nN1,New\n')
    const report = await importInto(title, file, 'replace')
    await services.db.run(`UPDATE uploads SET state = 'running', locked_until = NULL WHERE id = :id`, {
      id: report.uploadId,
    })
    await makeReader(services, title.id, { uniqueReference: 'LATER', origin: 'storefront' })
    const again = await importInto(title, file, 'replace')
    expect(again).toMatchObject({ uploadId: report.uploadId, rows: 2, added: 1, unchanged: 1, removed: 1 })
    expect((await stored(title)).map((row) => row.unique_reference)).toEqual(['R1', 'N1', 'LATER'])
    expect((await uploadOf(title))?.state).toBe('done')
  })
})

describe('undoing', () => {
  it('goes on after a kill, and leaves every reader as it was', async () => {
    const { title, file } = await halfKnown(60_000)
    const before = await stored(title)
    const { uploadId } = await importInto(title, file, 'combine')
    await killedWhile(services, {
      imports: `import { undoImport } from '#core/imports/undo-import.ts'`,
      body: `await undoImport(ctx, { uploadId: ${uploadId}, onProgress: tell })`,
      isTime: ({ readers }) => Number(readers) > 0,
    })
    expect((await uploadOf(title))?.state).toBe('undoing')
    expect(await stored(title)).not.toEqual(before)
    await ensureReaderIndexes(services.db)
    const undone = await undoImport(services.as(operator), { uploadId })
    expect(undone).toMatchObject({ leftAlone: 0, isFinished: true })
    expect(await stored(title)).toEqual(before)
  })
})

describe('an import whose process was killed', () => {
  const rows = 60_000

  it('blocks nobody: another file goes in, and it is gone on with afterwards', async () => {
    const title = await makePublication(services)
    const file = fileOf([...readerLines(rows)].join(''))
    await killedImport(title, file, 'add', isCommitted)
    const killed = await uploadOf(title)
    expect(killed?.state).toBe('running')

    await importInto(title, fileOf('UniqueReference,LastName\nOther-1,Lee\n'), 'combine')
    const [now] = await services.db.query<{ state: string; problem: string }>(
      `SELECT state, problem FROM uploads WHERE id = :id`,
      { id: killed?.id ?? 0 },
    )
    expect(now).toEqual({ state: 'interrupted', problem: 'The process that ran this import has ended' })
    const stopped = await stoppedImport(services.as(operator), { urlKey: title.urlKey })
    expect(stopped).toMatchObject({ uploadId: killed?.id, file })
    const report = await importInto(title, file, 'add')
    expect(report).toMatchObject({ rows, resumedAt: killed?.records_done })
  })

  it('is gone on with by the worker where the file is kept, as that of a program is', async () => {
    const title = await makePublication(services)
    const limits = { fileBytes: 1e9, waitingFiles: 9, waitingBytes: 1e9, freeBytes: 0 }
    const { path } = await services.uploadFiles.keep(
      (async function* () {
        for (const line of readerLines(rows)) yield Buffer.from(line)
      })(),
      { publisherId: title.publisherId, limits },
    )
    await killedImport(title, path, 'add', isCommitted)
    const killed = await uploadOf(title)
    expect(killed?.state).toBe('running')

    await sweepUploads(services.as(system), {})
    const waiting = await uploadOf(title)
    expect(waiting).toMatchObject({ id: killed?.id, state: 'waiting', records_done: killed?.records_done })
    const [job] = await services.db.query<{ turn: number }>(`SELECT turn FROM uploads WHERE id = :id`, {
      id: killed?.id ?? 0,
    })
    await runUpload(services.as(system), { uploadId: Number(killed?.id), turn: Number(job?.turn) })
    expect(await uploadOf(title)).toMatchObject({ state: 'done', records_done: rows })
    expect(await services.uploadFiles.isKept(path)).toBe(false)
    const [found] = await services.db.query<{ readers: number; lines: number }>(
      `SELECT count(*) AS readers, count(DISTINCT upload_line) AS lines FROM readers WHERE publication_id = :id`,
      { id: title.id },
    )
    expect(found?.lines).toBe(found?.readers)
  })
})
