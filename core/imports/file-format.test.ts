import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import iconv from 'iconv-lite'
import { beforeAll, describe, expect, it } from 'vitest'
import type { PublicationRow } from '#core/publications/publications.rows.ts'
import { Readers } from '#core/readers/readers.rows.ts'
import { makePublication, operator } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { upload } from '#tests/support/uploads.ts'
import { runWorker } from '#tests/support/worker.ts'
import { getUpload } from './get-upload.query.ts'
import { importReaders } from './import-readers.ts'
import type { ImportReport } from './import-report.ts'
import { problemsOf, type StoredProblems } from './import-report.ts'

let services: TestServices
let title: PublicationRow
let files = 0

beforeAll(async () => {
  services = await openTestServices()
  title = await makePublication(services)
})

function importFile(content: string | Buffer, options: object = {}): Promise<ImportReport> {
  const file = join(services.dataDir, `read-${++files}.csv`)
  writeFileSync(file, content)
  return importReaders(services.as(operator), { urlKey: title.urlKey, file, mode: 'add', ...options })
}

const findReader = async (reference: string) =>
  (
    await Readers.rows(
      services,
      `SELECT ${Readers.columns()} FROM readers WHERE publication_id = :id AND unique_reference = :reference`,
      {
        id: title.id,
        reference,
      },
    )
  )[0]

async function problems({ uploadId }: ImportReport) {
  const rows = await services.db.query<StoredProblems>(
    `SELECT line, column_name, value, reason, further FROM upload_rejects WHERE upload_id = :uploadId ORDER BY line`,
    { uploadId },
  )
  return rows.flatMap(problemsOf).map(({ line, column, reason }) => [Number(line), column, reason])
}

describe('reading a file', () => {
  it('rejects a row with a byte that is not UTF-8, by line and column, and keeps the accents of the others', async () => {
    const file = Buffer.concat([
      Buffer.from('UniqueReference,FirstName,City\nU1,Zoë,Orléans\n'),
      Buffer.from('U2,Zo\xeb,Paris\n', 'latin1'),
      Buffer.from('U3,Noël,Nîmes\nU4,Ren\ufffd,Lyon\nU5,A\0b,Caen\nU6,ZoÃ«,Brest\n'),
    ])
    const report = await importFile(file)
    expect(report).toMatchObject({ encoding: 'utf-8', added: 2, failed: 4 })
    expect(await problems(report)).toEqual([
      [3, 'FirstName', expect.stringContaining('not a character in the encoding')],
      [5, 'FirstName', expect.stringContaining('not a character')],
      [6, 'FirstName', expect.stringContaining('not a character')],
      [7, 'FirstName', expect.stringContaining('should be “Zoë”')],
    ])
    expect(await findReader('U1')).toMatchObject({ firstName: 'Zoë', city: 'Orléans' })
    expect(await findReader('U3')).toMatchObject({ firstName: 'Noël', city: 'Nîmes' })
  })

  it('accepts a NUL in the first rows of an uploaded file, and rejects its row', async () => {
    const rows = Array.from({ length: 50 }, (_, index) => `N${index},Ann,Fowey\n`).join('')
    const { id: publicationId } = await makePublication(services)
    const text = `UniqueReference,FirstName,City\nN,A\0b,Fowey\n${rows}`
    const { uploadId } = await upload(services, operator, { publicationId, text })
    await runWorker(services)
    expect(await getUpload(services.as(operator), { uploadId })).toMatchObject({
      state: 'checked',
      preview: { added: 50, failed: 1 },
    })
  })

  it('detects the encoding of a file whose lines end in CR, wherever its accents are', async () => {
    const plain = Array.from({ length: 400 }, (_, index) => `CR${index},Ann,London`)
    const accents = ['CR900,Zoë,Orléans', 'CR901,Noël,Nîmes', 'CR902,François,Besançon', 'CR903,Hélène,Angoulême']
    const text = ['UniqueReference,FirstName,City', ...plain, ...accents, ''].join('\r')
    const report = await importFile(iconv.encode(text, 'macintosh'))
    expect(report).toMatchObject({ encoding: 'macintosh', added: 404, failed: 0 })
    expect(await findReader('CR903')).toMatchObject({ firstName: 'Hélène', city: 'Angoulême' })
  })

  it('accepts the end of a DOS file, and rejects a reference that only looks different to a program', async () => {
    const text = 'UniqueReference,FirstName\r\nZoé-7,Ann\r\nZoe\u0301-7,Bob\r\n\u200bZoé-7,Cy\r\n\u001a'
    const report = await importFile(Buffer.from(text))
    expect(report).toMatchObject({ added: 1, failed: 2 })
    expect(await findReader('Zoé-7')).toMatchObject({ firstName: 'Ann' })
  })

  it('detects the encoding of a file by the end of a long line', async () => {
    const text = `UniqueReference,FirstName,SubHistory\nLONG1,Ann,${'a note. '.repeat(800)}Zoë et Hélène à Besançon\n`
    expect(await importFile(Buffer.from(text, 'latin1'))).toMatchObject({
      encoding: 'windows-1252',
      added: 1,
      failed: 0,
    })
  })

  it('refuses a doubly encoded file and says how to repair it, and accepts it with that option', async () => {
    const doublyEncoded = Buffer.from(
      iconv.decode(Buffer.from('UniqueReference,FirstName,City\nM1,Zoë,Orléans\nM2,Noël,Besançon\n'), 'latin1'),
    )
    await expect(importFile(doublyEncoded)).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining('“ZoÃ«” should be “Zoë”'),
      hint: expect.stringContaining('--encoding utf-8-twice'),
    })
    expect(await importFile(doublyEncoded, { encoding: 'utf-8' })).toMatchObject({ added: 0, failed: 2 })
    expect(await importFile(doublyEncoded, { encoding: 'utf-8-twice', again: true })).toMatchObject({
      added: 2,
      failed: 0,
    })
    expect(await findReader('M2')).toMatchObject({ firstName: 'Noël', city: 'Besançon' })
  })

  it.each([
    ['cp1250', 'utf-8-twice-1250', 'Błażej', 'Gdańsk'],
    ['cp1251', 'utf-8-twice-1251', 'Ольга', 'Москва'],
  ])(
    'refuses a file that was doubly encoded by way of %s, small or large',
    async (table, repairEncoding, name, city) => {
      const text = (rows: number, key: string) =>
        `UniqueReference,FirstName,City\n${Array.from({ length: rows }, (_, row) => `${key}${row},${name},${city}\n`).join('')}`
      const doublyEncoded = (rows: number, key: string) =>
        Buffer.from(iconv.decode(Buffer.from(text(rows, key)), table))
      for (const rows of [3, 2000])
        await expect(importFile(doublyEncoded(rows, 'D'))).rejects.toMatchObject({
          message: expect.stringContaining(`should be “${name}”`),
          hint: expect.stringContaining(`--encoding ${repairEncoding}`),
        })
      const key = `R${table}-`
      expect(await importFile(doublyEncoded(3, key), { encoding: 'utf-8' })).toMatchObject({ added: 0, failed: 3 })
      expect(await importFile(doublyEncoded(3, key), { encoding: repairEncoding, again: true })).toMatchObject({
        added: 3,
        failed: 0,
      })
      expect(await findReader(`${key}2`)).toMatchObject({ firstName: name, city })
      const single = `UniqueReference,FirstName,City\nG${table},${name},${city}\n${text(1, `B${key}`).split('\n')[1]}\n`
      const damaged = Buffer.from(single.replace(`-0,${name}`, `-0,${iconv.decode(Buffer.from(name), table)}`))
      const report = await importFile(damaged)
      expect(report).toMatchObject({ added: 1, failed: 1 })
      expect(await problems(report)).toEqual([[3, 'FirstName', expect.stringContaining(`should be “${name}”`)]])
    },
  )

  it('shows the first cells that the likely encodings read differently, as each would store them', async () => {
    const plain = Array.from({ length: 40_000 }, (_, row) => `P${row},Lee,Ely\n`).join('')
    // The first of these rows reads alike in both: á has the same code in the tables of Western and of Central Europe.
    const head = `UniqueReference,LastName,City\n${plain}Q1,Nov\xe1k,Ely\n`
    const ambiguous = Buffer.from(`${head}Q2,"Kov\xe1\xf8 ",Ely\nQ3,Vl\xe8ek,Ely\n`, 'latin1')
    const error = await importFile(ambiguous).catch((refusal: unknown) => refusal)
    const difference = 'line 40003, LastName: Windows-1250 “Kovář”, Windows-1252 “Kováø”'
    expect(error).toMatchObject({
      message: expect.stringContaining(difference),
      fields: { file: expect.stringContaining(difference) },
    })
  })

  it('shows what a column name would be when only the header is in doubt', async () => {
    const ambiguous = Buffer.from('UniqueReference,LastName,P\xf8\xe8\nR1,Lee,1\n', 'latin1')
    await expect(importFile(ambiguous)).rejects.toMatchObject({
      message: expect.stringContaining('line 1, a column name: '),
    })
  })

  it('shows what UTF-16 without a byte order mark would be in either byte order', async () => {
    const bytes = iconv.encode('Имя;Фамилия\nИрина;Соколова\n'.repeat(20), 'utf16-be', { addBOM: false })
    await expect(importFile(bytes)).rejects.toMatchObject({
      message: expect.stringContaining('line 1, a column name: UTF-16, big-endian “Имя”'),
    })
  })

  it('does not use the usual encoding of the publisher’s country unless somebody confirms the result', async () => {
    const file = Buffer.from('UniqueReference,LastName\nH1,Hal\xe8\n', 'latin1')
    const difference = 'line 2, LastName: Windows-1252 “Halè”, Windows-1250 “Halč”'
    for (const dryRun of [true, false])
      await expect(importFile(file, { dryRun })).rejects.toMatchObject({ message: expect.stringContaining(difference) })
    expect(await importFile(file, { encoding: 'cp1252', dryRun: true })).toMatchObject({ added: 1, warnings: [] })
  })

  it('refuses an ambiguous encoding, naming the likely ones', async () => {
    const ambiguous = Buffer.from('UniqueReference,LastName\nV1,Vl\xe8ek\nV2,No\xf8\xe8\n', 'latin1')
    await expect(importFile(ambiguous)).rejects.toMatchObject({
      kind: 'invalid',
      hint: expect.stringContaining('--encoding windows-'),
    })
    expect(await importFile(ambiguous, { encoding: 'cp1250' })).toMatchObject({ added: 2, encoding: 'windows-1250' })
    expect(await findReader('V1')).toMatchObject({ lastName: 'Vlček' })
    await expect(importFile(ambiguous, { encoding: 'klingon' })).rejects.toMatchObject({ fields: { encoding: expect.stringContaining('Must be one of') } }) // biome-ignore format: a row
  })

  it.each([
    ['sep=;\r\nUniqueReference;LastName\r\nS1;Lee, Ann\r\n', 'S1', {}, ';'],
    ['\ufeff"sep=|"\nUniqueReference|LastName\nS2|Lee, Ann\nbad\n', 'S2', {}, '|'],
    ['UniqueReference|LastName\nS3|Lee, Ann\n', 'S3', { delimiter: 'pipe' }, '|'],
    ['UniqueReference|LastName\nS5|Lee, Ann\n', 'S5', {}, '|'],
    [
      'UniqueReference;LastName,First\nS4;Lee, Ann\n',
      'S4',
      { delimiter: ';', mapping: ['UniqueReference', 'LastName'] },
      ';',
    ],
  ])('accepts a declared or detected delimiter: %j', async (text, reference, options, delimiter) => {
    const report = await importFile(text, options)
    expect(report).toMatchObject({ added: 1, delimiter })
    expect(await findReader(reference)).toMatchObject({ lastName: 'Lee, Ann' })
    // The line with the problem is a line of the file.
    if (report.failed > 0) expect((await problems(report))[0]?.[0]).toBe(4)
  })

  it.each([
    ['utf16-le', 'utf-16le', 'Имя;Фамилия;Город\nИрина;Соколова;Москва\nЮлия;Щербакова;Тверь\n'],
    ['utf16-be', 'utf-16be', 'UniqueReference,FirstName,City\nX1,Ελένη,Θεσσαλονίκη\nX2,Κώστας,Πάτρα\n'],
  ])('recognises %s without a byte order mark, and offers it', async (table, encoding, text) => {
    const bytes = iconv.encode(text.repeat(20), table, { addBOM: false })
    await expect(importFile(bytes)).rejects.toMatchObject({
      message: expect.stringContaining('it is probably UTF-16'),
      hint: expect.stringContaining(`--encoding ${encoding}`),
    })
  })

  it.each([
    ['utf-32le', true],
    ['utf-32be', true],
    ['utf-32le', false],
    ['utf-32be', false],
  ])('recognises UTF-32, and says how to save as UTF-8: %s, byte order mark %s', async (table, addBOM) => {
    const bytes = iconv.encode('UniqueReference,LastName\nT1,Łoś\nT2,🙂\n', table, { addBOM })
    for (const options of [{}, { encoding: 'utf-16le' }])
      await expect(importFile(bytes, options)).rejects.toMatchObject({
        message: expect.stringContaining('is in UTF-32'),
        hint: expect.stringContaining('Save it as UTF-8'),
      })
  })

  it('still refuses what is not text', async () => {
    const bytes = Buffer.from(Array.from({ length: 4000 }, (_, index) => (index % 3 === 0 ? 0 : (index * 89) % 256)))
    await expect(importFile(bytes)).rejects.toMatchObject({ message: expect.stringContaining('not a CSV file') })
  })

  it('reads UTF-16 with a line that names the delimiter', async () => {
    const text = iconv.encode('\ufeffsep=;\nUniqueReference;LastName\nW1;Łoś\n', 'utf16-le', { addBOM: false })
    expect(await importFile(text)).toMatchObject({ added: 1, encoding: 'utf-16le' })
    expect(await findReader('W1')).toMatchObject({ lastName: 'Łoś' })
  })
})

describe('the rules for a row', () => {
  const header = 'BuyerId,UniqueReference,LastName,Email,Telephone,SubStart,SubExpiry\n'

  it('rejects an end before its start', async () => {
    const report = await importFile(
      `${header},E1,Lee,,,01/06/2026,31/05/2026\n,E2,Lee,,,01/06/2026,01/06/2026\n,E3,Lee,,,,31/05/1969\n,E4,Lee,,,02/01/2101,\n`,
    )
    expect(report).toMatchObject({ added: 1, failed: 3 })
    expect(await problems(report)).toEqual([
      [2, 'SubExpiry', 'is before SubStart'],
      [4, 'SubExpiry', 'is before 01/01/1970, which stands for a blank SubStart'],
      [5, 'SubStart', 'is after 01/01/2100, which stands for a blank SubExpiry'],
    ])
    // A missing column is blank in every row.
    for (const [column, day] of [
      ['SubExpiry', '31/05/1969'],
      ['SubStart', '02/01/2101'],
    ] as const) {
      const file = `UniqueReference,LastName,${column}\n${column}1,Lee,${day}\n${column}2,Lee,01/06/2026\n`
      const columnReport = await importFile(file)
      expect(columnReport).toMatchObject({ added: 1, failed: 1 })
      expect(await problems(columnReport)).toEqual([
        [2, column, expect.stringMatching(/^is (before|after) 01\/01\/(1970|2100)/)],
      ])
    }
  })

  it('rejects an invalid combination with the stored reader', async () => {
    await importFile('UniqueReference,SubStart,SubExpiry\nC1,01/06/2026,31/12/2026\nC2,01/06/2026,31/12/2026\n')
    const file = 'UniqueReference,SubExpiry,City\nC1,31/05/2026,Ely\nC2,01/07/2026,Ely\n'
    for (const dryRun of [true, false]) {
      const report = await importFile(file, { mode: 'combine', dryRun })
      expect(report).toMatchObject({ rows: 2, updated: 1, failed: 1 })
      expect(report.reasons).toMatchObject([{ column: 'SubExpiry', firstLine: 2 }])
    }
    expect(await findReader('C1')).toMatchObject({ subEndOn: '2026-12-31', city: '' })
  })

  it('skips an invalid email or telephone number on request, and reports it', async () => {
    const long = '0'.repeat(60)
    const file = `${header},L1,Lee,No,,,\n,L2,Lee,lee@example.org,${long},,\n,L3,Lee,none,,31/02/2026,\n,,,No,,,\n`
    expect(await importFile(file)).toMatchObject({ added: 0, failed: 4, skippedCells: [] })
    const report = await importFile(file, { lenient: true, again: true })
    expect(report).toMatchObject({ added: 2, failed: 2 })
    expect(report.skippedCells).toEqual([
      { column: 'Email', reason: 'is not an email address', count: 1, cells: [{ line: 2, value: 'No' }] },
      { column: 'Telephone', reason: 'is longer than 40 characters', count: 1, cells: [{ line: 3, value: long }] },
    ])
    expect(report.warnings).toContainEqual(expect.stringContaining('1 Email cell was skipped'))
    expect(await findReader('L1')).toMatchObject({ lastName: 'Lee', email: '' })
    expect(await problems(report)).toEqual([
      [4, 'Email', 'is not an email address'],
      [4, 'SubStart', expect.any(String)],
      [5, 'Email', 'is not an email address'],
      [5, '', expect.stringContaining('has no UniqueReference')],
    ])
  })

  it.each(['combine', 'replace'] as const)(
    'skips a BuyerId that is not one of ours, with one warning: %s',
    async (mode) => {
      const otherTitle = await makePublication(services)
      const file = join(services.dataDir, `ids-${mode}.csv`)
      writeFileSync(file, `${header}B60352845,F1,Lee,,,,\nB60352846,,Ray,,,,\n999999999,F3,Kay,,,,\nB6,,,,,,\n`)
      const input = { urlKey: otherTitle.urlKey, file, mode }
      for (const dryRun of [true, false]) {
        const report = await importReaders(services.as(operator), { ...input, dryRun })
        expect(report).toMatchObject({ rows: 4, added: 3, failed: 1 })
        expect(report.skippedCells.map(({ reason, count }) => [reason, count])).toEqual([
          ['is not a reader number of Masthead', 2],
          ['is not the number of a reader of this publication', 1],
        ])
      }
    },
  )
})
