import { renameSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import type { PublicationRow } from '#core/publications/publications.rows.ts'
import { makePublication, operator } from '#tests/support/factories.ts'
import { withPostcodeFile } from '#tests/support/postcode-files.ts'
import { readerFiles, refusal } from '#tests/support/reader-files.ts'
import { makeReader } from '#tests/support/readers.ts'
import { setSmallCommits } from '#tests/support/small-commits.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { textOf } from '#tests/support/text-of.ts'
import { addTrigger } from '#tests/support/trigger.ts'
import { runWorker } from '#tests/support/worker.ts'
import { cancelUpload } from './cancel-upload.ts'
import { importReaders } from './import-readers.ts'
import { rejectedRows } from './rejected-rows.query.ts'
import { undoImport } from './undo-import.ts'

setSmallCommits()

let services: TestServices
const { fileOf, importInto, exported, stored } = readerFiles(() => services)

beforeAll(async () => {
  services = await openTestServices()
})

const start =
  'UniqueReference,FirstName,LastName,FullName,Email,Address1,City,PostCode,Country,PubOffers,SubStart,SubExpiry,SubType,SubPaid,SubHistory\n' +
  'C1,Ann,Lee,Ann Lee,ann@example.org,1 High Street,Fowey,PL23 1AQ,GB,FALSE,01/01/2026,31/12/2026,print,10.50,old notes\n' +
  'C2,Bo,Ray,Bo Ray,bo@example.org,2 High Street,Fowey,PL23 1AQ,GB,FALSE,01/01/2026,31/12/2026,print,20.00,\n' +
  'C3,Cy,Day,Cy Day,cy@example.org,3 High Street,Fowey,PL23 1AQ,GB,FALSE,01/01/2026,31/12/2026,print,,\n'

async function makeTitleWithThree(): Promise<PublicationRow> {
  const title = await makePublication(services)
  await importInto(title, start, 'add')
  return title
}

/** As a nightly export does it: the new file gets the name of the old one. */
function replaceWith(file: string, text: string): void {
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}

const eventsOf = (title: PublicationRow & { id: number }) =>
  services.db.query<Record<string, unknown>>(`SELECT * FROM reader_events WHERE publication_id = :id ORDER BY id`, {
    id: title.id,
  })

describe('add and combine', () => {
  it('rejects a row that gives its reader a reference that a later row gives to another reader', async () => {
    const title = await makeTitleWithThree()
    const [ann, bo] = await stored(title)
    const file = `BuyerId,UniqueReference,City\n${ann?.id},X,Ely\n${bo?.id},X,Ely\n`
    expect(await importInto(title, file, 'combine')).toMatchObject({ rows: 2, updated: 1, repeated: 0, failed: 1 })
    expect((await stored(title)).map((row) => [row.unique_reference, row.city])).toEqual([
      ['C1', 'Fowey'],
      ['X', 'Ely'],
      ['C3', 'Fowey'],
    ])
  })

  it('applies the earlier row of a reader whose later row is rejected for its reference', async () => {
    const title = await makeTitleWithThree()
    const [ann, bo] = await stored(title)
    const file = fileOf(`BuyerId,UniqueReference,City\n${ann?.id},,Ely\n${ann?.id},X,Bude\n${bo?.id},X,Looe\n`)
    for (const options of [{ dryRun: true }, {}])
      expect(await importInto(title, file, 'combine', options)).toMatchObject({
        rows: 3,
        updated: 2,
        repeated: 0,
        failed: 1,
        reasons: [{ reason: 'is given to another reader by a later line of this file', firstLine: 3 }],
      })
    expect((await stored(title)).map((row) => [row.unique_reference, row.city])).toEqual([
      ['C1', 'Ely'],
      ['X', 'Looe'],
      ['C3', 'Fowey'],
    ])
  })

  it.each([
    ['fewer rows', 'UniqueReference,SubExpiry\n'],
    ['other rows', 'UniqueReference,SubExpiry\nC1,no day\nC2,31/12/2020\n'],
    ['a valid row in the same line', 'UniqueReference,SubExpiry\nC3,31/12/2020\nC2,31/12/2028\n'],
  ])(
    'refuses a file that was replaced during its import by one with %s, and imports the original one again',
    async (_, changed) => {
      const title = await makeTitleWithThree()
      const text = 'UniqueReference,SubExpiry\nC1,31/12/2020\nC2,31/12/2028\n'
      const file = fileOf(text)
      const replaceFile = ({ phase }: { phase: string }) => phase === 'comparing' && replaceWith(file, changed)
      const message = expect.stringContaining('has changed')
      for (const options of [{ dryRun: true }, {}]) {
        writeFileSync(file, text)
        const refused = await refusal(importInto(title, file, 'combine', { ...options, onProgress: replaceFile }))
        expect(refused).toMatchObject({ kind: 'conflict', message })
      }
      writeFileSync(file, text)
      expect(await importInto(title, file, 'combine')).toMatchObject({ rows: 2, updated: 1, failed: 1 })
    },
  )

  it.each(['add', 'combine', 'replace'] as const)(
    'refuses to %s a file that was replaced, before its rows were read, by one with the columns in another order',
    async (mode) => {
      const title = await makeTitleWithThree()
      const before = await stored(title)
      const file = fileOf('UniqueReference,City,FullName\nN1,Leeds,Ann Lee\n')
      const replaceFile = () => replaceWith(file, 'UniqueReference,FullName,City\nN1,Ann Lee,Leeds\n')
      expect(await refusal(importInto(title, file, mode, { onProgress: replaceFile }))).toMatchObject({
        kind: 'conflict',
        message: expect.stringContaining('has changed'),
      })
      expect(await stored(title)).toEqual(before)
    },
  )

  it('commits no more rows of a file that was replaced while it was read, and resumes with the original one', async () => {
    const title = await makeTitleWithThree()
    const rows = (city: string) => Array.from({ length: 3000 }, (_, n) => `N${n},${city}\n`).join('')
    const file = fileOf(`UniqueReference,City\n${rows('Ely')}`)
    let added = 0
    const replaceFile = ({ rows: done }: { rows: number }) => {
      if (done === 0 || added > 0) return
      added = done
      replaceWith(file, `UniqueReference,City\n${rows('Bath')}`)
    }
    const refused = await refusal(importInto(title, file, 'add', { onProgress: replaceFile }))
    expect(refused).toMatchObject({ kind: 'conflict', message: expect.stringContaining('has changed') })
    // The rows of the first commit stay, and the import can be resumed with the original file.
    expect(await stored(title)).toHaveLength(3 + added)
    writeFileSync(file, `UniqueReference,City\n${rows('Ely')}`)
    expect(await importInto(title, file, 'add')).toMatchObject({ state: 'done', added: 3000 })
  })

  it('reports all BuyerIds that it skipped, including those before it was stopped', async () => {
    const title = await makeTitleWithThree()
    const stop = new AbortController()
    const rows = Array.from({ length: 3000 }, (_, index) => `${9_000_000 + index},B${index},Ely\n`).join('')
    const file = fileOf(`BuyerId,UniqueReference,City\n${rows}`)
    const stopped = await importInto(title, file, 'combine', {
      signal: stop.signal,
      onProgress: ({ phase, rows: done }: { phase: string; rows: number }) => {
        if (phase === 'writing' && done > 0) stop.abort()
      },
    })
    expect(stopped).toMatchObject({ state: 'interrupted', skippedCells: [{ column: 'BuyerId', count: 3000 }] })
    expect(stopped.added).toBeGreaterThan(0)
    const report = await importInto(title, file, 'combine')
    expect(report).toMatchObject({ state: 'done', added: 3000, skippedCells: [{ column: 'BuyerId', count: 3000 }] })
    expect(report.skippedCells[0]?.cells[0]).toEqual({ line: 2, value: '9000000' })
  })

  it('checks the postcodes that a run wrote before it failed', async () => {
    const title = await withPostcodeFile(services, await makePublication(services), ['SW1A1AA'])
    const rows = (city: string) => Array.from({ length: 3000 }, (_, n) => `N${n},PL23 1AQ,${city}\n`).join('')
    const file = fileOf(`UniqueReference,PostCode,City\n${rows('Ely')}`)
    let isReplaced = false
    const replaceFile = ({ rows: done }: { rows: number }) => {
      if (done === 0 || isReplaced) return
      isReplaced = true
      replaceWith(file, `UniqueReference,PostCode,City\n${rows('Bath')}`)
    }
    expect(await refusal(importInto(title, file, 'add', { onProgress: replaceFile }))).toMatchObject({
      kind: 'conflict',
    })
    expect(new Set((await stored(title)).map((row) => row.post_code_state))).toEqual(new Set(['queried']))
  })

  it('checks the postcodes that a killed run wrote, once it is cancelled', async () => {
    const title = await withPostcodeFile(services, await makePublication(services), ['SW1A1AA'])
    const stop = new AbortController()
    const rows = Array.from({ length: 3000 }, (_, index) => `P${index},PL23 1AQ\n`).join('')
    const stopped = await importInto(title, fileOf(`UniqueReference,PostCode\n${rows}`), 'combine', {
      signal: stop.signal,
      onProgress: ({ phase, rows: done }: { phase: string; rows: number }) => {
        if (phase === 'writing' && done > 0) stop.abort()
      },
    })
    expect(stopped.state).toBe('interrupted')
    const states = async () => new Set((await stored(title)).map((row) => row.post_code_state))
    expect(await states()).toEqual(new Set(['queried']))
    // What a run that was killed between two commits leaves behind.
    await services.db.run(`UPDATE readers SET post_code_state = 'ok' WHERE publication_id = :id`, { id: title.id })
    await cancelUpload(services.as(operator), { uploadId: stopped.uploadId })
    await runWorker(services)
    expect(await states()).toEqual(new Set(['queried']))
  })

  it('skips a BuyerId padded with NULs', async () => {
    const title = await makeTitleWithThree()
    const report = await importInto(
      title,
      `BuyerId,UniqueReference,City\nB603\0\0,C1,Ely\n${',C2,\n'.repeat(50)}`,
      'combine',
    )
    expect(report).toMatchObject({ state: 'done', updated: 1, failed: 0 })
    expect(report.skippedCells).toMatchObject([{ column: 'BuyerId', cells: [{ line: 2, value: 'B603\ufffd\ufffd' }] }])
  })

  it('updates existing readers, adds the rest, and leaves fields the file does not have', async () => {
    const title = await makeTitleWithThree()
    const before = await stored(title)
    services.clock.advance({ minutes: 1 })
    const report = await importInto(
      title,
      'UniqueReference,LastName,FullName,Email,PubOffers,SubExpiry,SubPaid\n' +
        'C1,Lea,,,TRUE,31/12/2027,\n' +
        'C2,,,,,,\n' +
        'C9,New,Some New,new@example.org,,,5.00\n' +
        ',Nobody,No Reference,,,,\n' +
        'C3,,,not an email,,,\n',
      'combine',
    )
    expect(report).toMatchObject({ rows: 5, added: 2, updated: 1, unchanged: 1, removed: 0, repeated: 0, failed: 1 })
    const [ann, bo, cy, added, withoutReference] = await stored(title)
    expect(ann).toMatchObject({
      id: before[0]?.id,
      last_name: 'Lea',
      full_name: 'Ann Lee',
      email: 'ann@example.org',
      key_name: 'ann lee',
      key_surname: 'lea',
      sub_end_on: '2027-12-31',
      sub_start_on: '2026-01-01',
      history: 'old notes',
      version: 2,
    })
    expect(Boolean(ann?.pub_offers)).toBe(true)
    expect(Number(ann?.sub_paid)).toBe(1050)
    expect(bo).toEqual(before[1])
    expect(cy).toEqual(before[2])
    expect(added).toMatchObject({
      unique_reference: 'C9',
      sub_start_on: '1970-01-01',
      sub_end_on: '2100-01-01',
      key_surname: 'new',
    })
    expect(Boolean(added?.pub_offers)).toBe(true)
    expect(withoutReference?.unique_reference).toMatch(/^\w+\d{7}$/)
    expect(await eventsOf(title)).toMatchObject([
      { reader_id: ann?.id, kind: 'imported', sub_type: 'print', end_on: '2027-12-31', actor_kind: 'operator' },
    ])
  })

  it('is idempotent', async () => {
    const title = await makeTitleWithThree()
    const file = 'UniqueReference,FullName,SubType\nC1,Ann Other,bundle\nD1,Dee,print\n'
    await importInto(title, file, 'combine')
    const readersBefore = await stored(title)
    const eventsBefore = await eventsOf(title)
    const repeated = await importInto(title, file, 'combine', { again: true })
    expect(repeated).toMatchObject({ added: 0, updated: 0, unchanged: 2, failed: 0 })
    expect(await stored(title)).toEqual(readersBefore)
    expect(await eventsOf(title)).toEqual(eventsBefore)
  })

  it('computes the keys from the whole record, whatever part of it the file has', async () => {
    const title = await makeTitleWithThree()
    await importInto(title, 'UniqueReference,PostCode\nC1,sw1a1aa\nC2,rubbish\n', 'combine')
    await importInto(title, 'UniqueReference,Address2,Email\nC2,Old Quarter,BO@Example.org\n', 'combine')
    const [ann, bo] = await stored(title)
    expect(ann).toMatchObject({
      post_code: 'SW1A 1AA',
      key_post_code: 'SW1A1AA',
      post_code_state: 'ok',
      key_name: 'ann lee',
    })
    expect(String(ann?.mail_sort)).toMatch(/SW/)
    expect(bo).toMatchObject({
      post_code: 'rubbish',
      post_code_state: 'queried',
      key_email: 'bo@example.org',
      key_address: '2 high street',
    })
    // A whole row and the same row field by field get the same keys.
    const wholeTitle = await makePublication(services)
    await importInto(wholeTitle, await exported(title), 'add')
    const keys = (row: Record<string, unknown> | undefined) =>
      Object.fromEntries(Object.entries(row ?? {}).filter(([column]) => /^key_|mail_sort|_state$/.test(column)))
    const wholeRows = await stored(wholeTitle)
    for (const [index, row] of (await stored(title)).entries()) expect(keys(row)).toEqual(keys(wholeRows[index]))
  })

  it('matches by BuyerId when the reference does not match, and ignores another reader’s BuyerId next to a reference', async () => {
    const title = await makeTitleWithThree()
    const otherTitle = await makePublication(services)
    const stranger = await makeReader(services, otherTitle.id, { fullName: 'Not Yours' })
    const [ann, bo] = await stored(title)
    const report = await importInto(
      title,
      `BuyerId,UniqueReference,City\n${ann?.id},,Leeds\n${bo?.id},C2-NEW,Ely\n${stranger},,Bath\n${stranger},X1,Bath\nx,,Bath\n99999999,,Bath\n`,
      'combine',
    )
    expect(report).toMatchObject({ rows: 6, added: 1, updated: 2, failed: 3 })
    const inOrder = [...report.reasons].sort((a, b) => b.count - a.count || (a.column < b.column ? 1 : -1))
    expect(inOrder).toEqual([
      { column: 'BuyerId', reason: 'is not the number of a reader of this publication', count: 2, firstLine: 4 },
      { column: 'BuyerId', reason: 'is not a reader number of Masthead', count: 1, firstLine: 6 },
      { column: '', reason: 'has no UniqueReference, name, company or email', count: 1, firstLine: 6 },
    ])
    expect(report.skippedCells).toMatchObject([
      { column: 'BuyerId', count: 1, cells: [{ line: 5, value: String(stranger) }] },
    ])
    expect(await stored(title)).toMatchObject([
      { id: ann?.id, unique_reference: 'C1', city: 'Leeds' },
      { id: bo?.id, unique_reference: 'C2-NEW', city: 'Ely' },
      { unique_reference: 'C3' },
      { unique_reference: 'X1', city: 'Bath' },
    ])
    expect((await stored(otherTitle))[0]).toMatchObject({ full_name: 'Not Yours', version: 1 })
    const { chunks } = await rejectedRows(services.as(operator), { uploadId: report.uploadId })
    const text = await textOf(chunks)
    expect(text).toContain(`${stranger},,Bath,4,BuyerId,`)
  })

  it('uses the last row when a file repeats a reader, and reports it', async () => {
    const title = await makeTitleWithThree()
    const [ann] = await stored(title)
    const report = await importInto(
      title,
      `BuyerId,UniqueReference,City\n,C1,First\n,N1,New\n${ann?.id},,Second\n,N1,Newer\n,C1,Third\n`,
      'combine',
    )
    expect(report).toMatchObject({ rows: 5, added: 1, updated: 1, repeated: 3, failed: 0 })
    expect(report.warnings).toEqual([expect.stringContaining('3 rows named a reader that a later row names again')])
    const rows = await stored(title)
    expect(rows[0]).toMatchObject({ city: 'Third', version: 2 })
    expect(rows.at(-1)).toMatchObject({ unique_reference: 'N1', city: 'Newer' })
  })

  it('applies the last valid row of a reader whose later rows would end before the stored start', async () => {
    const title = await makeTitleWithThree()
    const [ann, bo] = await stored(title)
    const file = fileOf(
      'BuyerId,UniqueReference,City,SubStart,SubExpiry\n' +
        `,C1,First,,\n${ann?.id},,Second,01/01/2020,\n,C1,Third,,31/12/2022\n,C1,Fourth,,31/12/2023\n` +
        `,C2,Early,,31/12/2021\n${bo?.id},R2,Ely,,\n,C2,Late,,31/12/2022\n` +
        ',C3,One,,31/12/2021\n,C3,Two,,31/12/2022\n',
    )
    const reason = 'is before SubStart once combined with what the reader already has'
    for (const options of [{ dryRun: true }, {}])
      expect(await importInto(title, file, 'combine', options)).toMatchObject({
        rows: 9,
        updated: 2,
        unchanged: 0,
        repeated: 2,
        failed: 5,
        reasons: [{ reason, count: 5, firstLine: 4 }],
      })
    expect((await stored(title)).map((row) => [row.unique_reference, row.city, row.sub_start_on])).toEqual([
      ['C1', 'Second', '2020-01-01'],
      ['R2', 'Ely', '2026-01-01'],
      ['C3', 'Fowey', '2026-01-01'],
    ])
  })

  it('rejects a new reader whose end is before the start, with the same days for blanks as when a file is added', async () => {
    const title = await makeTitleWithThree()
    const rows = 'N1,Ely,,31/12/1965\nN2,Bath,01/01/2101,\nN3,York,,31/12/2026\nN3,Leeds,,31/12/1965\n'
    const file = fileOf(`UniqueReference,City,SubStart,SubExpiry\n${rows}`)
    const earlyReason = 'is before 01/01/1970, which stands for a blank SubStart'
    const lateReason = /^is after 01\/01\/2100/
    for (const options of [{ dryRun: true }, {}])
      expect(await importInto(title, file, 'combine', options)).toMatchObject({
        rows: 4,
        added: 1,
        updated: 0,
        repeated: 0,
        failed: 3,
        reasons: [
          { column: 'SubExpiry', reason: earlyReason, count: 2, firstLine: 2 },
          { column: 'SubStart', reason: expect.stringMatching(lateReason), count: 1, firstLine: 3 },
        ],
      })
    const otherTitle = await makePublication(services)
    expect(await importInto(otherTitle, file, 'add')).toMatchObject({ added: 1, failed: 3 })
    const noStart = fileOf('UniqueReference,SubExpiry\nN4,31/12/1965\nN5,31/12/2026\n')
    expect(await importInto(title, noStart, 'combine')).toMatchObject({ added: 1, failed: 1 })
    expect((await stored(title)).slice(3).map((row) => [row.unique_reference, row.city, row.sub_end_on])).toEqual([
      ['N3', 'York', '2026-12-31'],
      ['N5', '', '2026-12-31'],
    ])
  })

  it('gives a reader a reference that a later row, rejected for its end, gives to another reader', async () => {
    const title = await makeTitleWithThree()
    const [ann, bo] = await stored(title)
    const file = fileOf(`BuyerId,UniqueReference,SubExpiry\n${ann?.id},X,\n${bo?.id},X,31/12/2022\n`)
    for (const options of [{ dryRun: true }, {}])
      expect(await importInto(title, file, 'combine', options)).toMatchObject({ rows: 2, updated: 1, failed: 1 })
    expect((await stored(title)).map((row) => row.unique_reference)).toEqual(['X', 'C2', 'C3'])
  })

  it.each([
    ['in the order of the readers', false, false],
    ['in a different order', true, false],
    ['with their numbers', false, true],
  ])('rejects the same later rows after a stop, for a file %s', async (_, isBackwards, hasNumbers) => {
    const title = await makePublication(services)
    const rows = 1_100
    const rowsOf = (cells: (n: number) => string) => Array.from({ length: rows }, (_, n) => cells(n))
    await importInto(
      title,
      `UniqueReference,SubStart,SubExpiry\n${rowsOf((n) => `E${n},01/01/2026,31/12/2026`).join('\n')}\n`,
      'add',
    )
    const firstId = (await stored(title))[0]?.id ?? 0
    // With the start of the applied row, the rejected one would be valid: a resumed run must compare it with the reader before the import.
    const changes = rowsOf((n) => `${hasNumbers ? firstId + n : ''},${hasNumbers ? '' : `E${n}`},Leeds,01/01/2020,`)
    const early = rowsOf((n) => `,E${n},York,,31/12/2022`)
    const body = [...(isBackwards ? changes.toReversed() : changes), ...early]
    const file = fileOf(`BuyerId,UniqueReference,City,SubStart,SubExpiry\n${body.join('\n')}\n`)
    const stop = new AbortController()
    const stopped = await importInto(title, file, 'combine', {
      signal: stop.signal,
      onProgress: ({ phase, rows: done }: { phase: string; rows: number }) => {
        if (phase === 'writing' && done > 0) stop.abort()
      },
    })
    expect(stopped.state).toBe('interrupted')
    expect(await importInto(title, file, 'combine')).toMatchObject({
      state: 'done',
      rows: 2 * rows,
      updated: rows,
      unchanged: 0,
      repeated: 0,
      failed: rows,
    })
    expect(
      (await stored(title)).every(({ city, sub_start_on, version }) =>
        [city === 'Leeds', sub_start_on === '2020-01-01', version === 2].every(Boolean),
      ),
    ).toBe(true)
  })

  it('leaves a deactivated reader deactivated, with the new fields', async () => {
    const title = await makeTitleWithThree()
    const [ann] = await stored(title)
    await services.db.run(`UPDATE readers SET is_deleted = :yes WHERE id = :id`, { yes: true, id: ann?.id ?? 0 })
    await importInto(title, 'UniqueReference,City\nC1,Leeds\n', 'combine')
    const [after] = await stored(title)
    expect(after?.city).toBe('Leeds')
    expect(Boolean(after?.is_deleted)).toBe(true)
  })

  it('previews the same counts, and changes nothing', async () => {
    const title = await makeTitleWithThree()
    const [ann] = await stored(title)
    const file = fileOf(
      `BuyerId,UniqueReference,City\n,C1,Leeds\n,C2,Fowey\n,N1,New\n77777777,,Nobody\n,N1,Newer\n,,\n${ann?.id},,Ely\n,"C3,open\n`,
    )
    const before = await stored(title)
    const preview = await importInto(title, file, 'combine', { dryRun: true })
    expect(await stored(title)).toEqual(before)
    const report = await importInto(title, file, 'combine')
    const counts = ({ rows, added, updated, unchanged, removed, repeated, failed, reasons }: typeof preview) => ({
      rows,
      added,
      updated,
      unchanged,
      removed,
      repeated,
      failed,
      reasons,
    })
    expect(counts(preview)).toEqual(counts(report))
    expect(report.added + report.updated + report.unchanged + report.repeated + report.failed).toBe(report.rows)
  })

  it('reads columns with other names by a column map', async () => {
    const title = await makeTitleWithThree()
    const file = 'Customer No,Town,Shoe size\nC1,Leeds,44\n'
    expect(await refusal(importInto(title, file, 'combine'))).toMatchObject({ kind: 'invalid' })
    const mapping = { 'Customer No': 'UniqueReference', Town: 'City', 'Shoe size': '' }
    expect(await importInto(title, file, 'combine', { mapping })).toMatchObject({ updated: 1, failed: 0 })
    expect((await stored(title))[0]?.city).toBe('Leeds')
    expect(
      await refusal(importInto(title, file, 'combine', { mapping: { ...mapping, Town: 'toString' } })),
    ).toMatchObject({ message: expect.stringContaining('unknown column "toString"') })
  })

  it('refuses an empty mode, and a target without a replacement', async () => {
    const title = await makeTitleWithThree()
    const file = fileOf('UniqueReference,City\nC1,Leeds\n')
    const input = { urlKey: title.urlKey, file }
    expect(await refusal(importReaders(services.as(operator), input))).toMatchObject({ kind: 'invalid' })
    expect(
      await refusal(importReaders(services.as(operator), { ...input, mode: 'combine', target: 'imported' })),
    ).toMatchObject({ fields: { target: 'Only a replacement has a target' } })
  })
})

describe('a file in a different order from the readers', () => {
  it('gives the same readers, history and undo as one in the same order', async () => {
    const rows = 300
    const lines = (cells: (n: number) => string) => Array.from({ length: rows }, (_, n) => cells(n))
    const start = lines((n) => `O${n},Reader ${n},Fowey,PL23 1AQ,print,${n}.00`)
    const header = 'UniqueReference,FullName,City,PostCode,SubType,SubPaid'
    // Every third known row changes nothing, every fifth gets its name from the file; a new reader comes before each.
    const known = lines((n) => {
      if (n % 3 === 0) return `O${n},,Fowey,,,`
      return n % 5 === 0 ? `O${n},Other ${n},Leeds,sw1a1aa,bundle,` : `O${n},,Leeds,,,${n + 1}.50`
    })
    const fresh = lines((n) => (n % 50 === 0 ? `,Nobody ${n},Bath,,perhaps,x` : `F${n},New ${n},Bath,,,`))
    const fileOfOrder = (order: readonly string[]) =>
      [header, ...order.flatMap((row, n) => [fresh[n] ?? '', row]), 'F1,Last,Ely,,,', 'O299,,Ely,,,'].join('\n')
    const orders = [
      known,
      known.toReversed(),
      known.toSorted((a, b) => ((a.length * 7) % 5) - ((b.length * 7) % 5) || (a < b ? 1 : -1)),
    ]

    const results = []
    for (const order of orders) {
      const title = await makePublication(services)
      await importInto(title, [header, ...start].join('\n'), 'add')
      const before = await stored(title)
      const firstId = before[0]?.id ?? 0
      const report = await importInto(title, `${fileOfOrder(order)}\n`, 'combine')
      const after = await stored(title)
      const events = await eventsOf(title)
      const rejects = await services.db.query(
        `SELECT line, column_name, value, reason, cells FROM upload_rejects WHERE upload_id = :id ORDER BY id`,
        { id: report.uploadId },
      )
      const undone = await undoImport(services.as(operator), { uploadId: report.uploadId })
      expect(await stored(title)).toEqual(before)
      const { rows: settled, added, updated, unchanged, repeated, failed, reasons } = report
      results.push({
        counts: {
          settled,
          added,
          updated,
          unchanged,
          repeated,
          failed,
          reasons,
          undone: [undone.removed, undone.restored, undone.broughtBack, undone.leftAlone],
        },
        // All but the numbers that continue from one publication to the next, and the publication's own references.
        readers: after.map((row) => ({
          ...row,
          id: row.id - firstId,
          publication_id: 0,
          upload_id: Number(row.upload_id) === report.uploadId,
        })),
        events: events
          .map(({ id: _, reader_id, publication_id: __, note, ...event }) => ({
            ...event,
            reader: Number(reader_id) - firstId,
            note: String(note).replace(/\d+/, ''),
          }))
          .toSorted((a, b) => a.reader - b.reader),
        rejects,
      })
    }
    expect(results[0]?.counts).toMatchObject({ added: 294, updated: 200, unchanged: 100, repeated: 2, failed: 6 })
    expect(results[1]).toEqual(results[0])
    expect(results[2]).toEqual(results[0])
  })
})

describe('a reader who is changed between the comparison and the write', () => {
  /** Writing the first of the readers also changes the last one, which was compared before and is written in a later chunk. */
  const whenFirstIsWritten = (rows: number, change: string) =>
    addTrigger(services.db, {
      after: 'UPDATE ON readers',
      when: `NEW.unique_reference = 'V0' AND OLD.city <> NEW.city`,
      sql: `UPDATE readers SET ${change}, version = version + 1
        WHERE publication_id = NEW.publication_id AND unique_reference = 'V${rows - 1}'`,
    })

  it.each([
    ['in the order of the readers', false],
    ['in a different order', true],
  ])('by a file %s is compared again: other fields are kept, and the rest is imported once', async (_, isBackwards) => {
    const title = await makePublication(services)
    // One commit and the beginning of the next, on either engine.
    const rows = 1_100
    const rowsOf = (cells: (n: number) => string) => Array.from({ length: rows }, (_, n) => cells(n))
    await importInto(
      title,
      `UniqueReference,FullName,PostCode\n${rowsOf((n) => `V${n},Reader ${n},PL23 1AQ`).join('\n')}\n`,
      'add',
    )
    const dropTrigger = await whenFirstIsWritten(rows, `full_name = 'Moved Meanwhile'`)
    const changes = rowsOf((n) => `V${n},Leeds,Ann`)
    const file = `UniqueReference,City,FirstName\n${(isBackwards ? changes.toReversed() : changes).join('\n')}\n`
    const report = await importInto(title, file, 'combine').finally(dropTrigger)
    expect(report).toMatchObject({ rows, added: 0, updated: rows, unchanged: 0, repeated: 0, failed: 0 })
    const readers = await stored(title)
    expect(readers.every(({ city }) => city === 'Leeds')).toBe(true)
    expect(readers.at(-1)).toMatchObject({ full_name: 'Moved Meanwhile', key_name: 'moved meanwhile', version: 3 })
    await undoImport(services.as(operator), { uploadId: report.uploadId })
    expect((await stored(title)).at(-1)).toMatchObject({ full_name: 'Moved Meanwhile', city: '', version: 2 })
  })

  it.each([
    ['in the order of the readers', false],
    ['in a different order', true],
  ])('gets the earlier row of a file %s if the later one would now end before the start', async (_, isBackwards) => {
    const title = await makePublication(services)
    const rows = 1_100
    const numbers = Array.from({ length: rows }, (_, n) => n)
    await importInto(title, `UniqueReference,FullName\n${numbers.map((n) => `V${n},Reader ${n}\n`).join('')}`, 'add')
    const dropTrigger = await whenFirstIsWritten(rows, `sub_start_on = '2027-01-01'`)
    const changes = numbers.slice(0, -1).map((n) => `V${n},Leeds,`)
    const last = [`V${rows - 1},Leeds,`, `V${rows - 1},York,31/12/2026`]
    const file = ['UniqueReference,City,SubExpiry', ...(isBackwards ? changes.toReversed() : changes), ...last, '']
    const report = await importInto(title, file.join('\n'), 'combine').finally(dropTrigger)
    expect(report).toMatchObject({ rows: rows + 1, added: 0, updated: rows, unchanged: 0, repeated: 0, failed: 1 })
    expect((await stored(title)).every(({ city }) => city === 'Leeds')).toBe(true)
  })
})
