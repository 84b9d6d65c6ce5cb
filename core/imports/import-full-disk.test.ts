import { beforeAll, describe, expect, it } from 'vitest'
import { deactivateReader } from '#core/readers/deactivate-reader.ts'
import { makePublication, operator } from '#tests/support/factories.ts'
import { fillDisk } from '#tests/support/full-disk.ts'
import { readerFiles, refusal } from '#tests/support/reader-files.ts'
import { makeReader } from '#tests/support/readers.ts'
import { setSmallCommits } from '#tests/support/small-commits.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { selectTasks } from '../tasks/tasks.rows.ts'
import { importReaders } from './import-readers.ts'
import { undoImport } from './undo-import.ts'

setSmallCommits()

let services: TestServices
const { fileOf, importInto, stored } = readerFiles(() => services)

beforeAll(async () => {
  services = await openTestServices()
})

const rows = 2_200
const header = 'UniqueReference,FullName,City'
const fileWithReaders = (city: string) =>
  fileOf(`${header}\n${Array.from({ length: rows }, (_, n) => `K${n},Reader ${n},${city}`).join('\n')}\n`)
const lastTask = async (id: number) =>
  (await selectTasks(services.db, 'publication_id = :id ORDER BY id DESC LIMIT 1', { id }))[0]
const makeRoomHint = expect.stringContaining('Make room')

describe('on a disk that fills up', () => {
  it('an addition keeps what was imported, reports the reason, and continues when there is room', async () => {
    const title = await makePublication(services)
    const file = fileWithReaders('Leeds')
    const freeDisk = await fillDisk(services, 'NEW.upload_line > 2120')
    const failure = await refusal(importReaders(services.as(operator), { urlKey: title.urlKey, file, mode: 'add' }))
    expect(failure).toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(
        /^The disk is full. This run has imported 2,\d{3} readers; running it again imports none of them twice.$/,
      ),
      hint: makeRoomHint,
    })
    expect(await lastTask(title.id)).toMatchObject({
      state: 'interrupted',
      problem: expect.stringContaining('The disk is full'),
      leaseUntil: null,
    })
    const imported = (await stored(title)).length
    expect(imported).toBeGreaterThanOrEqual(2_000)
    expect(imported).toBeLessThan(2_150)
    await freeDisk()
    expect(await importInto(title, file, 'add')).toMatchObject({ added: rows, resumedAt: imported })
    expect(await stored(title)).toHaveLength(rows)
  })

  it('combining, replacing and undoing change nothing of the chunk that did not fit, and the undo continues later', async () => {
    const title = await makePublication(services)
    await importInto(title, fileWithReaders('Leeds'), 'add')
    const before = await stored(title)
    const file = fileWithReaders('Hull')
    let freeDisk = await fillDisk(services, `NEW.unique_reference = 'K2150'`, { event: 'UPDATE' })
    const importFile = (mode: 'combine' | 'replace') =>
      refusal(importReaders(services.as(operator), { urlKey: title.urlKey, file, mode }))
    expect(await importFile('replace')).toMatchObject({ message: 'The disk is full. Nothing was changed by this run.' })
    expect(await stored(title)).toEqual(before)
    expect(await lastTask(title.id)).toMatchObject({ state: 'failed', cursor: null })
    expect(await importFile('combine')).toMatchObject({
      message: expect.stringMatching(/^The disk is full. This run has imported 2,000 readers/),
    })
    const partly = await stored(title)
    expect(partly.filter(({ city }) => city === 'Hull')).toHaveLength(2_000)
    await freeDisk()
    const { uploadId, updated } = await importInto(title, file, 'combine')
    expect(updated).toBe(rows)

    freeDisk = await fillDisk(services, `NEW.unique_reference = 'K2150'`, { event: 'UPDATE' })
    const failure = await refusal(undoImport(services.as(operator), { uploadId }))
    expect(failure).toMatchObject({
      message: expect.stringMatching(/^The disk is full. 2,000 readers are restored; run it again to continue/),
      hint: makeRoomHint,
    })
    expect(await lastTask(title.id)).toMatchObject({
      kind: 'undo-import',
      state: 'interrupted',
      problem: expect.stringContaining('The disk is full'),
    })
    await freeDisk()
    expect(await undoImport(services.as(operator), { uploadId })).toMatchObject({ restored: 200, isFinished: true })
    expect(await stored(title)).toEqual(before)
  })

  it('an action that cannot store anything reports that instead of an internal error', async () => {
    const title = await makePublication(services)
    const readerId = await makeReader(services, title.id, { uniqueReference: 'ONE' })
    const freeDisk = await fillDisk(services, `NEW.unique_reference = 'ONE'`, { event: 'UPDATE' })
    expect(await refusal(deactivateReader(services.as(operator), { id: readerId }))).toMatchObject({
      kind: 'unavailable',
      message: 'The disk of the database is full: nothing can be stored at the moment',
    })
    await freeDisk()
  })
})
