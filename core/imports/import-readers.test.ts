import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { isAppError } from '#core/kernel/errors.ts'
import type { PublicationRow } from '#core/publications/publications.rows.ts'
import { exportReaders } from '#core/reader-files/export-readers.ts'
import { Readers } from '#core/readers/readers.rows.ts'
import { actorOf, makePublication, operator } from '#tests/support/factories.ts'
import { setSmallCommits } from '#tests/support/small-commits.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { textOf } from '#tests/support/text-of.ts'
import { importReaders } from './import-readers.ts'
import type { ImportReport } from './import-report.ts'
import { rejectedRows } from './rejected-rows.query.ts'

setSmallCommits()

let services: TestServices
let files = 0

beforeAll(async () => {
  services = await openTestServices()
})

function fileOf(content: string | Buffer, name = `readers-${++files}.csv`): string {
  const path = join(services.dataDir, name)
  writeFileSync(path, content)
  return path
}

const importInto = (publication: PublicationRow, file: string, options: object = {}): Promise<ImportReport> =>
  importReaders(services.as(operator), { urlKey: publication.urlKey, file, mode: 'add', ...options })

const readersOf = (publication: PublicationRow) =>
  Readers.rows(services, `SELECT ${Readers.columns()} FROM readers WHERE publication_id = :id ORDER BY id`, {
    id: publication.id,
  })

async function refusal(attempt: Promise<unknown>) {
  const error = await attempt.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!isAppError(error)) throw error ?? new Error('It was not refused')
  return error
}

describe('importing a reader file', () => {
  let publication: PublicationRow

  beforeAll(async () => {
    publication = await makePublication(services, { publicationName: 'Harbour Light' })
  })

  it('adds the valid rows with their keys and reports the line, column, value and reason of each problem', async () => {
    const file = fileOf(
      [
        'Unique Reference;First_Name;LASTNAME;Email;Address1;City;PostCode;Country;PubOffers;SubStart;SubExpiry;SubType;SubPaid;SubHistory',
        'R1;Zoë;O’Brien;zoe@example.org;12 High Street;Fowey;pl231aq;England;no;1/2/2026;31/01/2027;Print;£10.50;"called twice',
        'and wrote"',
        'R2;Jan;de Vries;jan@example.nl;Gracht 1;Leiden;2311 AB;Holland;;;;digital;;',
        'R3;Bad;Date;bad@example.org;;;;;;31/02/2026;;print;;',
        'R4;Bad;Mail;nobody;;;;;;;;print;;',
        'R1;Second;One;;;;;;;;;print;;',
        'R5;Too;Short',
        ';;;;;;;;;;;;;',
        ';New;Reference;;;;;Frnace;;;;;;',
        ';New;Reference;;;;;;;;;;;',
      ].join('\r\n'),
    )
    const report = await importInto(publication, file)
    expect(report).toMatchObject({ rows: 8, added: 3, failed: 5, resumedAt: null, encoding: 'utf-8', delimiter: ';' })
    const [zoe, jan, withoutReference] = await readersOf(publication)
    expect(zoe).toMatchObject({
      uniqueReference: 'R1',
      firstName: 'Zoë',
      postCode: 'PL23 1AQ',
      country: 'GB',
      pubOffers: false,
      partnerOffers: true,
      subStartOn: '2026-02-01',
      subEndOn: '2027-01-31',
      subRenewOn: '2100-01-01',
      subType: 'print',
      history: 'called twice\nand wrote',
      keyName: 'zoe obrien',
      keySurname: 'obrien',
      keyPostCode: 'PL231AQ',
      postCodeState: 'ok',
      origin: 'file',
      uploadLine: 2,
      isDeleted: false,
    })
    expect(Number(zoe?.subPaid)).toBe(1050)
    expect(jan).toMatchObject({ country: 'NL', subPaid: null, subStartOn: '1970-01-01', subEndOn: '2100-01-01' })
    expect(withoutReference?.uniqueReference).toMatch(/^HL\d{7}$/)
    expect(report.reasons).toEqual(
      expect.arrayContaining([
        { column: 'SubStart', reason: 'is not a day of the calendar; write DD/MM/YYYY', count: 1, firstLine: 5 },
        { column: 'Email', reason: 'is not an email address', count: 1, firstLine: 6 },
        {
          column: 'UniqueReference',
          reason: 'is already used on an earlier line of this file',
          count: 1,
          firstLine: 7,
        },
        { column: '', reason: 'has 3 cells where the header has 14', count: 1, firstLine: 8 },
        { column: 'Country', reason: 'is not a country; did you mean France?', count: 1, firstLine: 10 },
      ]),
    )
  })

  it.each(['add', 'combine'] as const)('%s: reports all errors of a row at once', async (mode) => {
    const title = await makePublication(services)
    const file = fileOf(
      'UniqueReference,FullName,Email,SubExpiry\nA1,Ann,nobody,31/02/2026\nA2,Bob,bob@example.test,\nA3,Cy,nobody,\n',
    )
    const reasons = [
      { column: 'Email', reason: 'is not an email address', count: 2, firstLine: 2 },
      { column: 'SubExpiry', reason: 'is not a day of the calendar; write DD/MM/YYYY', count: 1, firstLine: 2 },
    ]
    expect(await importInto(title, file, { mode, dryRun: true })).toMatchObject({ failed: 2, reasons })
    const report = await importInto(title, file, { mode })
    expect(report).toMatchObject({ added: 1, failed: 2, reasons })
    const { chunks } = await rejectedRows(services.as(operator), { uploadId: report.uploadId })
    expect((await textOf(chunks)).split('\r\n').slice(1, 3)).toEqual([
      'A1,Ann,nobody,31/02/2026,2,Email; SubExpiry,"Email ""nobody"" is not an email address; SubExpiry ""31/02/2026"" is not a day of the calendar; write DD/MM/YYYY"',
      `A3,Cy,nobody,,4,Email,"""nobody"" is not an email address"`,
    ])
  })

  it('returns all rejected rows of an import that ran alongside others, and none of theirs', async () => {
    const title = await makePublication(services)
    const otherTitle = await makePublication(services)
    const invalidFile = (name: string, rows: number) =>
      fileOf(`UniqueReference,Email\n${Array.from({ length: rows }, (_, n) => `${name}${n},wrong`).join('\n')}\n`)
    await importInto(otherTitle, invalidFile('B', 1_200))
    const { uploadId } = await importInto(title, invalidFile('A', 3))
    // The first two are made to look much older than the third, with the other import in between.
    for (const [line, id] of [
      [2, -3_000],
      [3, -1_300],
    ])
      await services.db.run('UPDATE upload_rejects SET id = :id WHERE upload_id = :uploadId AND line = :line', {
        uploadId,
        line: Number(line),
        id: Number(id),
      })
    const text = await textOf((await rejectedRows(services.as(operator), { uploadId })).chunks)
    expect(text.split('\r\n').map((line) => line.split(',')[0])).toEqual([
      '\ufeffUniqueReference',
      'A0',
      'A1',
      'A2',
      '',
    ])
  })

  it('returns the rejected rows as a CSV that can be corrected and imported again', async () => {
    const title = await makePublication(services)
    const file = fileOf(
      'UniqueReference,FullName,Email\nA1,Ann,ann@example.org\nA2,"Lee, Bo",wrong\nA3,=cmd(),also wrong\n',
    )
    const report = await importInto(title, file)
    const rejected = await rejectedRows(services.as(operator), { uploadId: report.uploadId })
    expect(rejected.total).toBe(2)
    const text = await textOf(rejected.chunks)
    expect(text).toBe(
      '\ufeffUniqueReference,FullName,Email,RejectedLine,RejectedColumn,RejectedReason\r\n' +
        'A2,"Lee, Bo",wrong,3,Email,"""wrong"" is not an email address"\r\n' +
        `A3,'=cmd(),also wrong,4,Email,"""also wrong"" is not an email address"\r\n`,
    )
    const corrected = await importInto(
      title,
      fileOf(text.replace('wrong,3', 'bo@example.org,3').replace('also wrong,4', 'c@example.org,4')),
    )
    expect(corrected).toMatchObject({ added: 2, failed: 0 })
    expect((await readersOf(title)).map(({ fullName }) => fullName)).toEqual(['Ann', 'Lee, Bo', '=cmd()'])
  })

  it('reports the same in a dry run and changes nothing', async () => {
    const title = await makePublication(services)
    await importInto(title, fileOf('UniqueReference,FullName\nB1,Held Already\n'))
    const file = fileOf('UniqueReference,FullName\nB1,Taken\nB2,Good\nB2,Twice\n,New\n,\nB3,"open\nB4,Good\n')
    const before = await stateOf(services)
    const preview = await importInto(title, file, { dryRun: true })
    expect(await stateOf(services)).toEqual(before)
    const actual = await importInto(title, file)
    for (const report of [preview, actual]) expect(report).toMatchObject({ rows: 6, added: 3, failed: 3 })
    expect(preview.reasons).toEqual(actual.reasons)
    expect(preview.uploadId).toBeNull()
  })

  it('refuses a file imported before unless forced, and then rejects existing readers', async () => {
    const title = await makePublication(services)
    const file = fileOf('UniqueReference,FullName\nC1,Once\n')
    await importInto(title, file)
    const error = await refusal(importInto(title, file))
    expect(error).toMatchObject({ kind: 'conflict', hint: 'To import it again, use --again.' })
    expect(await importInto(title, file, { again: true })).toMatchObject({
      added: 0,
      failed: 1,
      reasons: [
        {
          column: 'UniqueReference',
          reason: 'is already used by a reader of this publication',
          count: 1,
          firstLine: 2,
        },
      ],
    })
  })

  it('creates unique references, even among ones typed by hand', async () => {
    const title = await makePublication(services, { publicationName: 'Collision Course' })
    const names = Array.from({ length: 40 }, (_, n) => `Reader ${n}`)
    await importInto(title, fileOf(`FullName\n${names.slice(0, 20).join('\n')}\n`))
    const taken = (await readersOf(title)).map(({ uniqueReference }) => uniqueReference)
    // Another publication starts counting where this one did, with the numbers typed manually.
    const target = await makePublication(services, { publicationName: 'Collision Course' })
    await importInto(
      target,
      fileOf(`UniqueReference,FullName\n${taken.map((reference) => `${reference},Hand`).join('\n')}\n`),
    )
    const [{ reference_shift: shift } = { reference_shift: 0 }] = await services.db.query<{ reference_shift: number }>(
      `SELECT reference_shift FROM publications WHERE id = :id`,
      { id: title.id },
    )
    await services.db.run(`UPDATE publications SET reference_shift = :shift WHERE id = :id`, { shift, id: target.id })
    expect(await importInto(target, fileOf(`FullName\n${names.join('\n')}\n`))).toMatchObject({ added: 40, failed: 0 })
    const references = (await readersOf(target)).map(({ uniqueReference }) => uniqueReference)
    expect(new Set(references).size).toBe(60)
  })
})

/** Counts that change with any row that an import writes. */
async function stateOf({ db }: TestServices): Promise<object> {
  const [row] = await db.query(
    `SELECT (SELECT count(*) FROM readers) AS readers, (SELECT count(*) FROM uploads) AS uploads,
            (SELECT count(*) FROM upload_rejects) AS rejects, (SELECT sum(references_made) FROM publications) AS made,
            (SELECT count(*) FROM audit_log) AS audits`,
  )
  return row as object
}

describe('real-world files', () => {
  const header = 'UniqueReference,FullName,City\n'
  const row = 'É1,Zoë Müller – Søn,Kraków\n'.replace('Kraków', 'Köln')
  const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16()
  const windows1252 = Buffer.from((header + row).replace('–', '\u0096'), 'latin1')

  it.each([
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${header}${row}`), 'utf-8', ','],
    ['UTF-8', Buffer.from(header + row), 'utf-8', ','],
    ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${header}${row}`, 'utf16le'), 'utf-16le', ','],
    ['UTF-16 without a byte order mark', Buffer.from(header + row, 'utf16le'), 'utf-16le', ','],
    ['UTF-16 big-endian', bigEndian(`\ufeff${header}${row}`), 'utf-16be', ','],
    ['Windows-1252', windows1252, 'windows-1252', ','],
    ['semicolons', Buffer.from((header + row).replaceAll(',', ';')), 'utf-8', ';'],
    ['tabs', Buffer.from((header + row).replaceAll(',', '\t')), 'utf-8', '\t'],
    [
      'mixed line endings',
      Buffer.from(`${header.replace('\n', '\r')}${row.replace('\n', '\r\n')}\n\r\n`),
      'utf-8',
      ',',
    ],
    [
      'quotes everywhere',
      Buffer.from('"UniqueReference","FullName","City"\r\n"É1","Zoë Müller – Søn","Köln"'),
      'utf-8',
      ',',
    ],
  ])('reads %s', async (_, content, encoding, delimiter) => {
    const title = await makePublication(services)
    const report = await importInto(title, fileOf(content))
    expect(report).toMatchObject({ added: 1, failed: 0, encoding, delimiter })
    expect((await readersOf(title))[0]).toMatchObject({
      uniqueReference: 'É1',
      fullName: 'Zoë Müller – Søn',
      city: 'Köln',
    })
  })

  it('rejects only the line of a quote that is never closed', async () => {
    const title = await makePublication(services)
    const lines = Array.from({ length: 50 }, (_, n) =>
      n === 20 ? `D${n},"Open,Town` : n % 7 === 0 ? `D${n},"Quoted, ${n}",Town` : `D${n},Plain ${n},Town`,
    )
    const report = await importInto(title, fileOf(`${header}${lines.join('\n')}\n`))
    expect(report).toMatchObject({ rows: 50, added: 49, failed: 1 })
    expect(report.reasons).toEqual([
      { column: '', reason: 'has a quote that is never closed', count: 1, firstLine: 22 },
    ])
  })

  it('rejects only the rows with a giant cell', async () => {
    const title = await makePublication(services)
    const giant = 'x'.repeat(3_000_000)
    const report = await importInto(
      title,
      fileOf(`${header}E1,Before,Town\nE2,${giant},Town\nE3,"${giant}",Town\nE4,After,Town\n`),
    )
    expect(report).toMatchObject({ added: 2, failed: 2 })
  })

  it.each([
    ['missing', () => join(services.dataDir, 'nowhere.csv'), /There is no file/],
    ['a directory', () => services.dataDir, /is a directory/],
    ['empty', () => fileOf(''), /is empty/],
    ['only a header', () => fileOf(header), /no rows/],
    ['an Excel workbook', () => fileOf(Buffer.from('PK\x03\x04rubbish')), /Excel workbook/],
    ['a picture', () => fileOf(Buffer.from('\x89PNG\r\n\x1a\n and no NUL\nmore', 'latin1')), /an image/],
    ['a web page', () => fileOf('\ufeff\n<!DOCTYPE html>\n<html><body>Log in</body></html>\n'), /a web page/],
    ['a PDF', () => fileOf('%PDF-1.7 ...'), /a PDF/],
    ['binary', () => fileOf(Buffer.from([1, 2, 0, 0, 0, 3, 9, 200, 0, 1])), /not text/],
    [
      'of other columns',
      () => fileOf('Name,Surname,FirstNam\na,b,c\n'),
      /unknown columns "Name", "Surname", "FirstNam" \(did you mean FirstName\?\); missing columns/,
    ],
    ['with a column twice', () => fileOf('Email,e_mail\na@example.org,b\n'), /Email occurs twice/],
    [
      'with __proto__',
      () => fileOf('Email,__proto__,constructor\na@example.org,b,c\n'),
      /unknown columns "__proto__", "constructor"/,
    ],
  ])('refuses a file: %s', async (_, file, message) => {
    const title = await makePublication(services)
    const error = await refusal(importInto(title, file()))
    expect(error.kind).toBe('invalid')
    expect(error.message).toMatch(message)
    expect(error.hint).toBeTruthy()
    expect(await readersOf(title)).toHaveLength(0)
  })
})

describe('an import that is stopped', () => {
  const rows = 4_500
  const content = `UniqueReference,FullName,Email\n${Array.from({ length: rows }, (_, n) =>
    n % 100 === 7
      ? `,No Reference ${n},`
      : n % 100 === 8
        ? `S${n},Bad ${n},bad`
        : n % 100 === 9
          ? `S${n - 5},Double,`
          : `S${n},Reader ${n},r${n}@example.org`,
  ).join('\n')}\n`

  it('resumes from the last commit: nothing doubled, nothing lost', async () => {
    const title = await makePublication(services)
    const file = fileOf(content)
    const stop = new AbortController()
    const stopped = await importInto(title, file, { signal: stop.signal, onProgress: () => stop.abort() })
    expect(stopped.rows).toBeGreaterThan(0)
    expect(stopped.rows).toBeLessThan(rows)
    expect(await readersOf(title)).toHaveLength(stopped.added)
    const resumed = await importInto(title, file)
    expect(resumed).toMatchObject({
      uploadId: stopped.uploadId,
      resumedAt: stopped.rows,
      rows,
      added: rows * 0.98,
      failed: rows * 0.02,
    })
    expect(await readersOf(title)).toHaveLength(rows * 0.98)
    const otherTitle = await makePublication(services)
    const uninterrupted = await importInto(otherTitle, file)
    expect(resumed.reasons).toEqual(uninterrupted.reasons)
  })

  it('is refused while another runs, and taken over when that one is gone', async () => {
    const title = await makePublication(services)
    const file = fileOf('UniqueReference,FullName\nF1,One\n')
    const { uploadId } = await importInto(title, file)
    // Held by another machine, before its first commit.
    await services.db.run(`DELETE FROM readers WHERE publication_id = :id`, { id: title.id })
    await services.db.run(`UPDATE uploads SET added = 0 WHERE id = :uploadId`, { uploadId })
    await services.db.run(
      `UPDATE tasks SET state = 'running', cursor = NULL, owner = 'some-other-machine 1 x', lease_until = :until
       WHERE kind = 'import-readers' AND subject_id = :uploadId`,
      { uploadId, until: new Date(services.clock.now.getTime() + 20_000) },
    )
    for (const newFile of [file, fileOf('UniqueReference,FullName\nF2,Two\n')])
      expect(await refusal(importInto(title, newFile))).toMatchObject({
        kind: 'conflict',
        message: expect.stringContaining('is running'),
        detail: { uploadId },
      })
    services.clock.advance({ seconds: 21 })
    expect(await importInto(title, file)).toMatchObject({ uploadId, added: 1, resumedAt: 0 })
  })
})

describe('permissions', () => {
  it('allow importing into the publisher’s own publications, for those who may import', async () => {
    const title = await makePublication(services)
    const file = fileOf('UniqueReference,FullName\nG1,One\n')
    const input = { urlKey: title.urlKey, file, mode: 'add' }
    const stranger = await actorOf(services, 'publisher')
    expect(await refusal(importReaders(services.as(stranger), input))).toMatchObject({ kind: 'notFound' })
    for (const type of ['admin', 'mailer'] as const) {
      const actor = await actorOf(services, type, title.publisherId)
      expect(await refusal(importReaders(services.as(actor), input))).toMatchObject({ kind: 'denied' })
      expect(await refusal(exportReaders(services.as(actor), { urlKey: title.urlKey }))).toMatchObject({
        kind: 'denied',
      })
    }
    const pubadmin = await actorOf(services, 'pubadmin', title.publisherId)
    const report = await importReaders(services.as(pubadmin), input)
    expect(report.added).toBe(1)
    expect(await refusal(rejectedRows(services.as(stranger), { uploadId: report.uploadId }))).toMatchObject({
      kind: 'notFound',
    })
    const [audit] = await services.db.query<{ subject_id: number; publisher_id: number }>(
      `SELECT subject_id, publisher_id FROM audit_log WHERE action = 'import-readers' ORDER BY id DESC LIMIT 1`,
    )
    expect(audit).toMatchObject({ subject_id: report.uploadId, publisher_id: title.publisherId })
  })
})

describe('export and import', () => {
  it('give the same bytes, except for the reader ids', async () => {
    const source = await makePublication(services)
    const target = await makePublication(services)
    await importInto(
      source,
      fileOf(
        [
          'UniqueReference,FullName,Email,Telephone,City,PostCode,Country,PubOffers,SubStart,SubType,SubPaid,SubHistory,CustomQuestionE',
          `H1,"O'Hara, ""Mo""",MO@example.org,'+44 20 7946 0000,Köln,sw1a1aa,UK,n,3/4/26,BUNDLE,"1,234.5","one\ntwo, ""three""",`,
          `H2,'=1+1,,'''-x,Ta\tb,"  BFPO 57 ",ie,,2026-04-03,,$5,back\\slash,'plain`,
          'H3,\u4e2d\u6587 \u{1f600},,,,,,,,,0,,@home',
          'H4,mark \x1f and \x1e here,,,,,,,,,,,',
        ].join('\n'),
      ),
    )
    const exportText = async (title: PublicationRow, bom = true) => {
      const result = await exportReaders(services.as(operator), { urlKey: title.urlKey, bom })
      expect(result.total).toBe(4)
      return textOf(result.chunks)
    }
    const exportedText = await exportText(source)
    expect(exportedText).toContain(`H1,,,,"O'Hara, ""Mo""",MO@example.org`)
    expect(exportedText).toContain(`'=1+1`)
    expect(exportedText).toContain('$5.00')
    expect((await readersOf(source))[1]).toMatchObject({
      fullName: '=1+1',
      telephone: "''-x",
      country: 'IE',
      subCurrency: 'USD',
    })
    const report = await importInto(target, fileOf(exportedText))
    expect(report).toMatchObject({ added: 4, failed: 0, warnings: [expect.stringContaining('BuyerId')] })
    const withoutIds = (text: string) => text.replaceAll(/^\d+,/gm, ',')
    expect(withoutIds(await exportText(target))).toBe(withoutIds(exportedText))
    expect(await exportText(target, false)).toBe((await exportText(target)).slice(1))
  })
})
