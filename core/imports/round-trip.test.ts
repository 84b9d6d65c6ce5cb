import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { readerColumns } from '#core/reader-files/reader.columns.ts'
import { makePublication } from '#tests/support/factories.ts'
import { readerFiles } from '#tests/support/reader-files.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'

let services: TestServices
const { importInto, exported, stored } = readerFiles(() => services)

beforeAll(async () => {
  services = await openTestServices()
})

const fragments = [
  'a',
  'É',
  'ß',
  'ø',
  '中',
  '😀',
  "'",
  '"',
  ',',
  ';',
  '=',
  '+',
  '-',
  '@',
  '\t',
  '\\',
  '\n',
  ' ',
  '.',
  '\x1f',
  '\x1e',
  '%',
  '0',
  "''=1",
]
const anyText = fc.string({ unit: fc.constantFrom(...fragments), maxLength: 20 })
const day = (from: number, to: number) =>
  fc
    .tuple(fc.integer({ min: 1, max: 28 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: from, max: to }))
    .map(([date, month, year]) => `${String(date).padStart(2, '0')}/${String(month).padStart(2, '0')}/${year}`)

/** A cell of each kind that a file may hold: sometimes blank. */
const cellOf: Record<string, fc.Arbitrary<string>> = {
  text: anyText,
  note: anyText,
  email: fc.constantFrom('', 'ann@example.org', 'Zoë.O’Brien+news@example.co.uk', "o'hara@example.org"),
  country: fc.constantFrom('', 'GB', 'France', 'holland', 'ie'),
  flag: fc.constantFrom('', 'TRUE', 'n', '0'),
  // An end before its start is rejected.
  startDay: fc.oneof(fc.constant(''), day(1970, 2026)),
  endDay: fc.oneof(fc.constant(''), day(2027, 2100)),
  subType: fc.constantFrom('', 'print', 'Digital', 'BUNDLE'),
  money: fc.constantFrom('', '0', '10.5', '£3.20', '$1,234.50', '€0.05'),
}

const row = fc.tuple(
  ...readerColumns.map(({ column, kind, max }) => {
    const cell = cellOf[kind] as fc.Arbitrary<string>
    if (column === 'id') return fc.constant('')
    return kind === 'text' ? cell.map((text) => [...text].slice(0, Math.floor(max / 3)).join('')) : cell
  }),
)
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

/** A file of such rows, each with its own reference. */
const file = fc.array(row, { minLength: 1, maxLength: 60 }).map((rows) => {
  const lines = rows.map((cells, n) => cells.map((text, index) => quoted(index === 1 ? `P${n}` : text)).join(','))
  return `${readerColumns.map(({ header }) => header).join(',')}\n${lines.join('\n')}\n`
})

const withoutIds = (csv: string) => csv.replaceAll(/^\d+,(?=P\d+,)/gm, ',')

describe('any readers, exported and imported again', () => {
  it('are the same readers when added to another publication, combined with their own publication or replacing it', async () => {
    await fc.assert(
      fc.asyncProperty(file, async (content) => {
        const title = await makePublication(services)
        const target = await makePublication(services)
        const { added, failed } = await importInto(title, content, 'add')
        expect(failed).toBe(0)
        const readers = await stored(title)
        const csv = await exported(title)

        await importInto(target, csv, 'add')
        expect(withoutIds(await exported(target))).toBe(withoutIds(csv))

        for (const mode of ['combine', 'replace'] as const) {
          const report = await importInto(title, csv, mode)
          expect(report).toMatchObject({ added: 0, updated: 0, removed: 0, failed: 0, unchanged: added })
          expect(await stored(title)).toEqual(readers)
        }
      }),
      { numRuns: 12 },
    )
  })

  it('are the same readers when they replace those of a publication that had some of them', async () => {
    await fc.assert(
      fc.asyncProperty(file, async (content) => {
        const title = await makePublication(services)
        const partial = await makePublication(services)
        await importInto(title, content, 'add')
        const csv = withoutIds(await exported(title))
        await importInto(partial, 'UniqueReference,FullName\nP0,Somebody\nP2,Somebody\n', 'add')
        await importInto(partial, csv, 'replace')
        expect(
          withoutIds(await exported(partial))
            .split('\r\n')
            .toSorted(),
        ).toEqual(csv.split('\r\n').toSorted())
      }),
      { numRuns: 5 },
    )
  })
})
