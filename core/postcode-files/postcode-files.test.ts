import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { importFile } from '#core/imports/import-file.ts'
import { actorOf, makePublication, operator, system } from '#tests/support/factories.ts'
import { fillDisk } from '#tests/support/full-disk.ts'
import { makeReader } from '#tests/support/readers.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { pieces } from '#tests/support/uploads.ts'
import { runWorker, withRunningWorker } from '#tests/support/worker.ts'
import { handlers } from '#worker/handlers/index.ts'
import { postCodeStateOf } from '../postcodes/post-code-state-of.ts'
import { postcodeColumn } from '../postcodes/postcode-cell.rules.ts'
import { recheckPostCodes } from '../readers/recheck-post-codes.ts'
import { getPostcodes } from './get-postcodes.query.ts'
import { removePostcodes } from './remove-postcodes.ts'
import { readPostcodes, storePostcodes } from './store-postcodes.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

async function makeFixture() {
  const publication = await makePublication(services)
  const as = services.as(await actorOf(services, 'publisher', publication.publisherId))
  return { id: publication.id, urlKey: publication.urlKey, as }
}

async function statesOf(publicationId: number): Promise<Record<string, string>> {
  const rows = await services.db.query<{ post_code: string; post_code_state: string }>(
    `SELECT post_code, post_code_state FROM readers WHERE publication_id = :publicationId`,
    { publicationId },
  )
  return Object.fromEntries(rows.map(({ post_code, post_code_state }) => [post_code, post_code_state]))
}

const send = (fixture: { id: number; as: ReturnType<TestServices['as']> }, text: string, fileName = 'codes.csv') =>
  storePostcodes(fixture.as, { publicationId: fixture.id, fileName, chunks: pieces(text) })

describe('a postcode file', () => {
  it('marks the readers whose valid postcode it lacks, clears the mark of the others, and is removed without a trace', async () => {
    const fixture = await makeFixture()
    const codes = ['SW1A 1AA', 'M1 1AE', 'EH1 1YZ', 'XX99', 'BFPO 57', 'GIR 0AA', '']
    for (const postCode of codes) await makeReader(services, fixture.id, { postCode })
    await makeReader(services, fixture.id, { postCode: '75008', country: 'FR' })
    const before = await statesOf(fixture.id)
    expect(before).toMatchObject({ 'SW1A 1AA': 'ok', 'M1 1AE': 'ok', XX99: 'queried', '': 'missing' })
    const otherFixture = await makeFixture()
    await makeReader(services, otherFixture.id, { postCode: 'M1 1AE' })

    expect((await send(fixture, 'PostCode\r\nsw1a1aa\r\nEH1 1YZ\r\nEH11YZ\r\nnonsense\r\n')).state).toBe('waiting')
    await expect(send(fixture, 'PostCode\nM1 1AE\n')).rejects.toMatchObject({ kind: 'conflict' })
    await runWorker(services)
    const { live } = await getPostcodes(fixture.as, { publicationId: fixture.id })
    expect(live).toMatchObject({ state: 'done', rows: 4, codes: 2, failed: 1, changed: 1 })
    expect(live?.rejects).toEqual([{ line: 5, value: 'nonsense', reason: 'is not a postcode' }])
    expect(await statesOf(fixture.id)).toEqual({ ...before, 'M1 1AE': 'queried' })
    expect(await statesOf(otherFixture.id)).toEqual({ 'M1 1AE': 'ok' })

    await send(fixture, 'pcds\nM1 1AE\n')
    await runWorker(services)
    expect(await statesOf(fixture.id)).toEqual({ ...before, 'SW1A 1AA': 'queried', 'EH1 1YZ': 'queried' })
    const [storedCodes] = await services.db.query<{ n: number }>(
      `SELECT count(*) AS n FROM postcodes WHERE file_id IN (SELECT id FROM postcode_files WHERE publication_id = :id)`,
      { id: fixture.id },
    )
    expect(Number(storedCodes?.n)).toBe(1)

    expect(await removePostcodes(fixture.as, { publicationId: fixture.id })).toEqual({ codes: 1, changed: 2 })
    expect(await statesOf(fixture.id)).toEqual(before)
    await expect(removePostcodes(fixture.as, { publicationId: fixture.id })).rejects.toMatchObject({ kind: 'notFound' })
  })

  it('is used for single writes and after imports; a publication without one uses the rule', async () => {
    const fixture = await makeFixture()
    const stateOf = (postCode: string, country = 'GB') => postCodeStateOf(services, fixture.id, postCode, country)
    expect(await stateOf('M1 1AE')).toBe('ok')
    expect(await recheckPostCodes(services.db, { publicationId: fixture.id })).toBe(0)
    await send(fixture, 'SW1A 1AA\nEH1 1YZ\n')
    await runWorker(services)
    expect(
      await Promise.all(['m11ae', 'sw1a1aa', 'EH1 1YZ', 'BFPO 57', 'XX99', ''].map((code) => stateOf(code))),
    ).toEqual(['queried', 'ok', 'ok', 'ok', 'queried', 'missing'])
    expect(await stateOf('75008', 'FR')).toBe('ok')
    await makeReader(services, fixture.id, { postCode: 'M1 1AE' })
    expect(await recheckPostCodes(services.db, { publicationId: fixture.id })).toBe(1)
    expect(await recheckPostCodes(services.db, { publicationId: fixture.id })).toBe(0)
  })

  it('is used when a file adds readers, and when it changes them', async () => {
    const fixture = await makeFixture()
    await send(fixture, 'PostCode\nSW1A 1AA\n')
    await runWorker(services)
    const importRows = (mode: string, csvdata: object[]) =>
      withRunningWorker(services, () => importFile(fixture.as, { publicationId: fixture.id, mode, csvdata }))
    const added = await importRows('add', [
      { UniqueReference: 'P1', PostCode: 'SW1A 1AA' },
      { UniqueReference: 'P2', PostCode: 'm1 1ae' },
    ])
    expect(added).toMatchObject({ uploadId: expect.any(Number), added: 2 })
    expect(await statesOf(fixture.id)).toEqual({ 'SW1A 1AA': 'ok', 'M1 1AE': 'queried' })
    await importRows('combine', [{ UniqueReference: 'P2', PostCode: 'EH1 1YZ' }])
    expect(await statesOf(fixture.id)).toEqual({ 'SW1A 1AA': 'ok', 'EH1 1YZ': 'queried' })
  })

  it('that is invalid leaves the previous one in use', async () => {
    const fixture = await makeFixture()
    await send(fixture, 'PostCode\nSW1A 1AA\n')
    await runWorker(services)
    await send(fixture, 'PostCode\nnobody\nnowhere\n')
    await runWorker(services)
    const { live, latest } = await getPostcodes(fixture.as, { publicationId: fixture.id })
    expect(latest).toMatchObject({ state: 'failed', problem: expect.stringContaining('contains no postcodes') })
    expect(live).toMatchObject({ codes: 1, isLive: true })
    await expect(send(fixture, 'Name,Town\nAnn,York\n')).rejects.toMatchObject({
      fields: { file: '"codes.csv" has no postcode column' },
    })
    await expect(send(fixture, 'x', 'codes.txt')).rejects.toMatchObject({ fields: { file: 'Invalid file type' } })
  })

  it('whose job runs twice, or lost its worker, ends as if run once', async () => {
    const fixture = await makeFixture()
    const { id } = await send(
      fixture,
      `PostCode\n${Array.from({ length: 300 }, (_, n) => `M${(n % 9) + 1} ${n % 10}A${'ABDEFGHJLN'[n % 10]}`).join('\n')}\n`,
    )
    // As left by a worker that was killed while it wrote.
    await services.db.run(
      `UPDATE tasks SET state = 'running', token = 1, lease_until = NULL WHERE kind = 'import-postcodes' AND subject_id = :id`,
      { id },
    )
    await services.db.run(`INSERT INTO postcodes (file_id, post_code) VALUES (:id, 'M10AA')`, { id })
    services.clock.advance({ minutes: 1 })
    await runWorker(services)
    const { live } = await getPostcodes(fixture.as, { publicationId: fixture.id })
    const [task] = await services.db.query<{ id: number; token: number }>(
      `SELECT id, token FROM tasks WHERE kind = 'import-postcodes' AND subject_id = :id`,
      { id },
    )
    await handlers['run-task'](services.as(system), { taskId: Number(task?.id), token: Number(task?.token) })
    expect((await getPostcodes(fixture.as, { publicationId: fixture.id })).live).toEqual(live)
    expect(live).toMatchObject({ rows: 300, failed: 0, codes: 90 })
  })

  it('is read from a local file by the command line', async () => {
    const fixture = await makeFixture()
    const file = join(services.dataDir, 'codes.txt')
    writeFileSync(file, 'Place;PostCode\nPalace;SW1A 1AA\nTown;M1 1AE\n\n\n')
    const progress: [rows: number, total: number][] = []
    const view = await readPostcodes(services.as(operator), {
      urlKey: fixture.urlKey,
      file,
      fileName: 'codes.txt',
      onProgress: (rows: number, total: number) => progress.push([rows, total]),
    })
    expect(view).toMatchObject({ state: 'done', codes: 2, failed: 0 })
    expect(progress.at(-1)).toEqual([2, 2])
  })

  it('with many repeated codes stores each once; an interrupted import leaves nothing and does not block the next', async () => {
    const fixture = await makeFixture()
    const file = join(services.dataDir, 'many.csv')
    const codes = Array.from({ length: 24_000 }, (_, n) => {
      const code = n % 12_500
      return `M${1 + (code % 90)} ${code % 10}${'ABDEFGHJLN'[Math.floor(code / 100) % 10]}${'ABDEFGHJLNPQRS'[Math.floor(code / 1000)]}`
    })
    writeFileSync(file, `PostCode\n${codes.join('\n')}\n`)
    const read = (signal?: AbortSignal) =>
      readPostcodes(services.as(operator), { urlKey: fixture.urlKey, file, fileName: 'many.csv', signal })
    await expect(read(AbortSignal.abort())).rejects.toThrow()
    const storedCodes = () =>
      services.db.query<{ post_code: string }>(
        `SELECT post_code FROM postcodes WHERE file_id IN (SELECT id FROM postcode_files WHERE publication_id = :id) ORDER BY post_code`,
        { id: fixture.id },
      )
    expect(await storedCodes()).toEqual([])
    const distinctCodes = [...new Set(codes.map((code) => code.replace(' ', '')))].sort()
    expect(await read()).toMatchObject({ state: 'done', rows: 24_000, codes: distinctCodes.length, failed: 0 })
    expect((await storedCodes()).map(({ post_code }) => post_code)).toEqual(distinctCodes)
  })

  it('that finds the disk full says so, leaves nothing, and is imported once there is room', async () => {
    const fixture = await makeFixture()
    const file = join(services.dataDir, 'full.csv')
    writeFileSync(file, 'PostCode\nM1 1AE\nM1 1AF\n')
    const read = () => readPostcodes(services.as(operator), { urlKey: fixture.urlKey, file, fileName: 'full.csv' })
    const freeDisk = await fillDisk(services, `NEW.post_code = 'M11AF'`, { table: 'postcodes' })
    await expect(read()).rejects.toMatchObject({ kind: 'unavailable', message: expect.stringContaining('disk') })
    await freeDisk()
    expect(await read()).toMatchObject({ state: 'done', codes: 2 })
    const leftRows = await services.db.query(
      `SELECT 1 FROM postcodes WHERE file_id NOT IN (SELECT subject_id FROM tasks WHERE kind = 'import-postcodes' AND state = 'done')`,
    )
    expect(leftRows).toEqual([])
  })

  it('uploaded when the disk was full says why it waits, and is imported automatically later', async () => {
    const fixture = await makeFixture()
    const freeDisk = await fillDisk(services, `NEW.post_code = 'M11AF'`, { table: 'postcodes' })
    await send(fixture, 'PostCode\nM1 1AE\nM1 1AF\n')
    await runWorker(services)
    const { latest } = await getPostcodes(fixture.as, { publicationId: fixture.id })
    expect(latest).toMatchObject({ state: 'waiting', problem: expect.stringContaining('disk') })
    await freeDisk()
    services.clock.advance({ hours: 1 })
    await runWorker(services)
    const { live } = await getPostcodes(fixture.as, { publicationId: fixture.id })
    expect(live).toMatchObject({ state: 'done', codes: 2, problem: null })
  })

  it('whose job is lost still starts, and no longer delays the next one', async () => {
    const fixture = await makeFixture()
    await send(fixture, 'PostCode\nM1 1AE\n')
    await services.db.run(`DELETE FROM jobs`)
    await expect(send(fixture, 'PostCode\nM1 1AF\n')).rejects.toMatchObject({ kind: 'conflict' })
    services.clock.advance({ minutes: 1 })
    await runWorker(services)
    expect((await getPostcodes(fixture.as, { publicationId: fixture.id })).live).toMatchObject({
      state: 'done',
      codes: 1,
    })
    await send(fixture, 'PostCode\nM1 1AF\n')
    await runWorker(services)
    expect((await getPostcodes(fixture.as, { publicationId: fixture.id })).live).toMatchObject({
      state: 'done',
      codes: 1,
    })
  })

  it('whose attempts are used up says why, and does not block the next one', async () => {
    const fixture = await makeFixture()
    const freeDisk = await fillDisk(services, `NEW.post_code = 'M11AF'`, { table: 'postcodes' })
    await send(fixture, 'PostCode\nM1 1AE\nM1 1AF\n')
    for (let tries = 0; tries < 5; tries++) {
      await runWorker(services)
      services.clock.advance({ hours: 1 })
    }
    const { latest } = await getPostcodes(fixture.as, { publicationId: fixture.id })
    expect(latest).toMatchObject({ state: 'failed', problem: expect.stringContaining('disk') })
    await freeDisk()
    await send(fixture, 'PostCode\nM1 1AG\n')
    await runWorker(services)
    expect((await getPostcodes(fixture.as, { publicationId: fixture.id })).live).toMatchObject({
      state: 'done',
      codes: 1,
    })
  })

  it('with a NUL byte as a cell, or an emoji where a value is shortened, lists these rows and imports the others', async () => {
    const fixture = await makeFixture()
    await send(fixture, `Town,PostCode\nFowey,PL23 1AQ\nLooe,\0\nPar,${'x'.repeat(79)}📮\n`)
    await runWorker(services)
    const { live } = await getPostcodes(fixture.as, { publicationId: fixture.id })
    expect(live).toMatchObject({ state: 'done', rows: 3, codes: 1, failed: 2 })
    expect(live?.rejects).toEqual([
      { line: 3, value: '\ufffd', reason: 'is not a postcode' },
      { line: 4, value: 'x'.repeat(79), reason: 'is not a postcode' },
    ])
  })

  it('with a single postcode and no header is read', async () => {
    const fixture = await makeFixture()
    await send(fixture, 'TR19 7AA')
    await runWorker(services)
    expect((await getPostcodes(fixture.as, { publicationId: fixture.id })).live).toMatchObject({ codes: 1, rows: 1 })
    await expect(send(fixture, 'PostCode\n')).rejects.toMatchObject({ message: expect.stringContaining('no rows') })
  })

  it('whose removal was interrupted is removed completely by the next one', async () => {
    const fixture = await makeFixture()
    await makeReader(services, fixture.id, { postCode: 'PL23 1AQ', country: 'GB' })
    await send(fixture, 'PostCode\nTR19 7AA\n')
    await runWorker(services)
    expect(await statesOf(fixture.id)).toEqual({ 'PL23 1AQ': 'queried' })
    await services.db.run(`UPDATE postcode_files SET is_live = :no WHERE publication_id = :id`, {
      no: false,
      id: fixture.id,
    })
    expect(await removePostcodes(fixture.as, { publicationId: fixture.id })).toEqual({ codes: 0, changed: 1 })
    expect(await statesOf(fixture.id)).toEqual({ 'PL23 1AQ': 'ok' })
    await expect(removePostcodes(fixture.as, { publicationId: fixture.id })).rejects.toMatchObject({ kind: 'notFound' })
  })

  it('of another publisher is not found', async () => {
    const mine = await makeFixture()
    const theirs = await makeFixture()
    const notFound = { kind: 'notFound' }
    await expect(send({ id: theirs.id, as: mine.as }, 'x', 'x.txt')).rejects.toMatchObject(notFound)
    for (const call of [getPostcodes, removePostcodes])
      await expect(call(mine.as, { publicationId: theirs.id })).rejects.toMatchObject(notFound)
  })
})

it.each([
  [['PostCode'], 0, false],
  [['Name', 'Post code'], 1, false],
  [['pcd', 'oseast1m'], 0, false],
  [['SW1A 1AA'], 0, true],
  [['1', 'M1 1AE'], 1, true],
  [['Anything'], 0, false],
])('finds the postcodes under %j', (header, index, isHeaderless) =>
  expect(postcodeColumn(header)).toEqual({ index, isHeaderless }),
)
it('finds none among other columns', () => expect(postcodeColumn(['Name', 'Town'])).toBeNull())
