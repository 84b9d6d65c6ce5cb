import { beforeAll, describe, expect, it } from 'vitest'
import { asJson } from '#core/database.ts'
import { formatDay } from '#core/kernel/dates.ts'
import { isAppError } from '#core/kernel/errors.ts'
import { actorOf, makePublication, operator } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { textOf } from '#tests/support/text-of.ts'
import { csvLine } from '../kernel/csv-line.rules.ts'
import { exportReaders } from './export-readers.ts'
import { type ReaderColumn, readerColumns, readerFileHeader } from './reader.columns.ts'

let services: TestServices
let urlKey: string
let publisherId: number

/** What each engine's fast path must detect: quotes, its own separators, escapes, line ends, formulas, and apostrophes before them. */
const specialCells = [
  'plain',
  '',
  'with, comma',
  'with "quotes"',
  '"',
  'back\\slash',
  '\\N',
  '\\.',
  'ends with \\',
  'two\nlines',
  'two\r\nlines',
  'a\ttab',
  '=1+1',
  '+44 1726',
  '-',
  '@name',
  "'=1",
  "''@",
  "'plain",
  'Zoë Novák ’ 東京 😀',
  'mark\x1fmark',
  'mark\x1emark',
  ',',
]

beforeAll(async () => {
  services = await openTestServices()
  const publication = await makePublication(services, { publicationName: 'Harbour Light' })
  urlKey = publication.urlKey
  publisherId = publication.publisherId
})

/** A cell as the slow path writes it. */
function printed(row: Record<string, unknown>, { column, kind }: ReaderColumn): string {
  const value = row[column]
  if (kind === 'flag') return value === true || value === 1 ? 'TRUE' : 'FALSE'
  if (kind === 'money') return value === null ? '' : `€${(Number(value) / 100).toFixed(2)}`
  if (kind === 'startDay' || kind === 'endDay') return formatDay(String(value))
  return String(value)
}

describe('the whole database as a file', () => {
  it('writes every cell as the simple writer does, in any combination', async () => {
    const { id: publicationId } = await makePublication(services, { publisherId, urlKey: 'nasty' })
    for (const [index, text] of [...specialCells, ...specialCells.toReversed()].entries()) {
      const otherText = specialCells[(index * 7) % specialCells.length] ?? ''
      await makeReader(services, publicationId, {
        fullName: text,
        lastName: otherText,
        answerE: text,
        history: otherText,
      })
    }
    // Enough for several pages, so that stretches with special cells adjoin stretches without.
    for (let index = 0; index < 500; index++) await makeReader(services, publicationId, { fullName: `Reader ${index}` })
    await makeReader(services, publicationId, { subPaid: 1005, subCurrency: 'EUR', fullName: '=last' })
    const file = await exportReaders(services.as(operator), { urlKey: 'nasty', bom: false })
    const rows = await services.db.query<Record<string, unknown>>(
      `SELECT * FROM readers WHERE publication_id = :id ORDER BY id`,
      { id: publicationId },
    )
    expect(rows.map((row) => row.full_name).slice(0, specialCells.length)).toEqual(specialCells)
    const lines = rows.map((row) => csvLine(readerColumns.map((column) => printed(row, column))))
    expect((await textOf(file.chunks)).split(/(?<=\n)/)).toEqual(
      `${readerFileHeader}\r\n${lines.join('')}`.split(/(?<=\n)/),
    )
    expect(file.rows()).toEqual({ sent: rows.length, total: rows.length })
  })

  it('exports only the imported readers on request, and logs it', async () => {
    const { id: publicationId } = await makePublication(services, { publisherId, urlKey: 'mixed' })
    await makeReader(services, publicationId, { fullName: 'By Hand', origin: 'staff' })
    await makeReader(services, publicationId, { fullName: 'By File', origin: 'file' })
    const file = await exportReaders(services.as(operator), { publicationId, target: 'imported', bom: false })
    expect(file).toMatchObject({ total: 1 })
    const lines = (await textOf(file.chunks)).split('\r\n')
    expect(lines).toHaveLength(3)
    expect(lines[1]).toContain('By File')
    const rows = await services.db.query<{ facts: unknown }>(
      `SELECT facts FROM audit_log WHERE action = 'export-readers' AND subject_id = :publicationId`,
      { publicationId },
    )
    expect(rows.map(({ facts }) => asJson(facts))).toEqual([{ readers: 1, target: 'imported' }])
    await expect(exportReaders(services.as(operator), { publicationId, target: 'mine' })).rejects.toMatchObject({
      kind: 'invalid',
    })
  })

  it('is named after the publication and the day without zeros', async () => {
    services.clock.now = new Date('2026-03-05T12:00:00Z')
    const file = await exportReaders(services.as(operator), { urlKey })
    expect(file.fileName).toBe('Harbour_Light_532026.csv')
    await makePublication(services, { publisherId, urlKey: 'signs', publicationName: '!!!' })
    expect((await exportReaders(services.as(operator), { urlKey: 'signs' })).fileName).toBe('unknown.csv')
  })

  it('is for publishers and their administrators', async () => {
    for (const type of ['mailer', 'admin'] as const) {
      const error = await exportReaders(services.as(await actorOf(services, type, publisherId)), { urlKey }).catch(
        (thrown: unknown) => thrown,
      )
      expect(isAppError(error) && error.kind).toBe('denied')
    }
    const stranger = services.as(await actorOf(services, 'publisher'))
    await expect(exportReaders(stranger, { urlKey })).rejects.toMatchObject({ kind: 'notFound' })
  })
})
