import { beforeAll, describe, expect, it } from 'vitest'
import { publisherSettings } from '#core/accounts/publisher-settings.query.ts'
import { makePublication, operator } from '#tests/support/factories.ts'
import { readerFiles, refusal } from '#tests/support/reader-files.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { holdLease } from '../tasks/lease.ts'
import { selectTasks } from '../tasks/tasks.rows.ts'
import { cancelUpload } from './cancel-upload.ts'
import { getUpload } from './get-upload.query.ts'
import { importReaders } from './import-readers.ts'
import type { ImportProgress } from './import-report.ts'
import { inspectFile } from './load/inspect-file.ts'
import { loadFile } from './load/load-file.ts'
import { mapHeader } from './map-header.rules.ts'
import type { ImportCursor } from './upload-row.ts'

let services: TestServices
const { fileOf, importInto, stored } = readerFiles(() => services)

beforeAll(async () => {
  services = await openTestServices()
})

const modes = ['add', 'combine', 'replace'] as const

describe.each(modes)('invalid rows of a file in mode %s', (mode) => {
  it('are rejected one by one, each with its reason, and never stop the good ones', async () => {
    const title = await makePublication(services)
    const giant = 'x'.repeat(1_000_001)
    const report = await importInto(
      title,
      [
        'UniqueReference,FullName,Email,SubStart,SubPaid,PubOffers,Country',
        'G1,Good One,one@example.org,01/02/2026,10.50,TRUE,GB',
        'N1,Bad\0Name,,,,,',
        'B2,Calendar,,31/02/2026,,,',
        'B3,Comma,,,"1.234,50",,',
        'B4,Flag,,,,perhaps,',
        'B5,Nowhere,,,,,Atlantis',
        'B6,Too,few',
        'B7,Too,,,,,,,,,many',
        `B8,${giant},,,,,`,
        `B9,"${giant}",,,,,`,
        'B10,"Never closed,,,,,',
        '__proto__,constructor,,,,,',
        "F1,=1+1,,,,,\r\nF2,'=1+1,,,,,",
        'G2,Good Two,two@example.org,1/2/26,"1,234.50",n,France',
      ].join('\n'),
      mode,
    )
    const reasons = Object.fromEntries(
      report.reasons.map(({ column, reason, firstLine }) => [firstLine, `${column} ${reason}`.trim()]),
    )
    expect(reasons).toMatchObject({
      3: expect.stringContaining('FullName has bytes that are not a character'),
      4: 'SubStart is not a day of the calendar; write DD/MM/YYYY',
      5: 'SubPaid is not an amount; write it as 10.50',
      6: 'PubOffers is not TRUE or FALSE',
      7: expect.stringContaining('Country is not a country'),
      8: 'has 3 cells where the header has 7',
      9: 'has 11 cells where the header has 7',
      12: 'has a quote that is never closed',
    })
    expect(report).toMatchObject({ rows: 15, added: 5, failed: 10 })
    const names = (await stored(title)).map((row) => [row.unique_reference, row.full_name])
    expect(names).toEqual([
      ['G1', 'Good One'],
      ['__proto__', 'constructor'],
      ['F1', '=1+1'],
      ['F2', '=1+1'],
      ['G2', 'Good Two'],
    ])
  })
})

describe('rows with the same reference, in mode add', () => {
  it('import the first of them, even when a later one would fit on an earlier database page', async () => {
    const title = await makePublication(services)
    const pairs = Array.from({ length: 2_000 }, (_, number) => number)
    const longText = (number: number) => 'x'.repeat(1 + ((number * 397) % 900))
    const rows = pairs.flatMap((number) => [`P${number},First,${longText(number)}`, `P${number},Second,`])
    const report = await importInto(title, ['UniqueReference,FullName,SubHistory', ...rows].join('\n'), 'add')
    expect(report).toMatchObject({ added: 2_000, failed: 2_000 })
    const added = await stored(title)
    expect(added.filter((row) => row.full_name !== 'First').map((row) => row.unique_reference)).toEqual([])
    expect(added.map((row) => row.unique_reference)).toEqual(pairs.map((number) => `P${number}`))
  })
})

const manyRows = (rows: number) => Array.from({ length: rows }, (_, n) => `K${n},Reader ${n},Leeds`).join('\n')

describe.each(modes)('an import in mode %s that is stopped from outside', (mode) => {
  /** Imports while something else is done concurrently: once the first rows are committed or, in mode replace, are read. */
  async function importWhile(action: (uploadId: number) => Promise<unknown>, rows = 150_000) {
    const title = await makePublication(services)
    await importInto(title, 'UniqueReference,FullName,City\nK1,Was There,Fowey\nOLD,Was There,Fowey\n', 'add')
    const before = await stored(title)
    const file = fileOf(`UniqueReference,FullName,City\n${manyRows(rows)}\n`)
    let meanwhile: Promise<unknown> | undefined
    const report = await importInto(title, file, mode, {
      onProgress: ({ phase, rows: settledRows }: ImportProgress) => {
        const isReplacing = mode === 'replace'
        if (settledRows === 0 || phase !== (isReplacing ? 'reading' : 'writing')) return
        meanwhile ??= services.db
          .query<{ id: number }>(`SELECT max(id) AS id FROM uploads WHERE publication_id = :id`, { id: title.id })
          .then(([upload]) => action(Number(upload?.id)))
      },
    })
    await meanwhile
    const upload = await getUpload(services.as(operator), { uploadId: report.uploadId }).catch(() => null)
    const [task] = await selectTasks(services.db, `kind = 'import-readers' AND subject_id = :id`, {
      id: report.uploadId,
    })
    return { title, before, file, report, upload, task }
  }

  it('stops at a checkpoint; committed rows stay, a replacement leaves no trace', async () => {
    const { title, before, report, upload, task } = await importWhile((uploadId) =>
      cancelUpload(services.as(operator), { uploadId }),
    )
    expect(task).toMatchObject({ leaseUntil: null })
    if (mode === 'replace') {
      expect(report.rows).toBe(0)
      expect(upload).toMatchObject({ state: 'cancelled', problem: 'Stopped on request' })
      expect(await stored(title)).toEqual(before)
      return
    }
    expect(report.rows).toBeGreaterThan(0)
    expect(report.rows).toBeLessThan(150_000)
    expect(upload).toMatchObject({ state: 'interrupted', problem: 'Stopped on request' })
    // No user is locked out: the beginning of the same file can be imported, even if part of it is imported already.
    const rerun = await importInto(title, fileOf(`UniqueReference,FullName,City\n${manyRows(20_000)}\n`), mode)
    expect(rerun.added + rerun.updated + rerun.unchanged + rerun.failed).toBe(20_000)
  })

  it('ends when the publication is removed', async () => {
    const { title, file, report, task } = await importWhile(() =>
      services.db.run(`UPDATE publications SET removed_at = :now WHERE id = (SELECT max(id) FROM publications)`, {
        now: services.clock.now,
      }),
    )
    expect(report.rows).toBeLessThan(150_000)
    expect(task).toMatchObject({ state: 'cancelled', problem: 'The publication was removed', leaseUntil: null })
    expect(await refusal(importReaders(services.as(operator), { urlKey: title.urlKey, file, mode }))).toMatchObject({
      kind: 'notFound',
    })
  })
})

describe.each(modes)('a run in mode %s that stalled', (mode) => {
  it('does nothing more once another run has its upload, or once it was ended', async () => {
    const title = await makePublication(services)
    const text = 'UniqueReference,LastName\nA1,Lee\n,Ray\n'
    const file = fileOf(text)
    const { uploadId } = await importInto(title, file, 'add')
    const before = await stored(title)
    const inspected = await inspectFile(fileOf('UniqueReference,LastName\nA1,Changed\n,New\n'))
    const plan = {
      mode,
      target: 'all' as const,
      publicationId: title.id,
      publicationName: title.publicationName,
      uploadId,
      file: inspected,
      lenient: false,
      columns: mapHeader(inspected.header, mode).columns,
      ...(await publisherSettings(services.as(operator), title.publisherId)),
      skip: 0,
      modifiedBy: null,
      actorKind: 'operator' as const,
      newestReaderId: Number.MAX_SAFE_INTEGER,
      now: services.clock.now,
      today: '2026-11-21',
    }
    const [task] = await selectTasks<ImportCursor>(services.db, `kind = 'import-readers' AND subject_id = :uploadId`, {
      uploadId,
    })
    if (!task) throw new Error('An import has a task')
    // The task as it was when its run began.
    const lease = holdLease<ImportCursor>(services.as(operator), { ...task, state: 'running', cursor: null })
    const run = () => loadFile(services.db, plan, { run: lease, rejected() {}, settled() {}, skippedCells() {} })
    const changeTask = (assignments: string) =>
      services.db.run(`UPDATE tasks SET ${assignments} WHERE id = :id`, { id: task.id })
    for (const change of [
      `state = 'running', token = ${task.token + 1}`,
      `state = 'interrupted', token = ${task.token}`,
    ]) {
      await changeTask(change)
      await expect(run()).rejects.toMatchObject({ kind: 'conflict', detail: { isLeaseLost: true } })
      expect(await stored(title)).toEqual(before)
    }
    await changeTask(`state = 'running', token = ${task.token}`)
    await run()
    await lease.end()
    expect(await stored(title)).not.toEqual(before)
  })
})
