import { to as copyTo } from 'pg-copy-streams'
import type { Database } from '#core/database.ts'
import type { Currency } from '#core/kernel/money.ts'
import { csvLine } from '#core/reader-files/csv-line.rules.ts'
import { readerColumns } from '#core/reader-files/reader.columns.ts'
import { borrowClient } from './postgres-client.ts'
import { copiedRows } from './postgres-copied-rows.ts'
import { openSqliteHandle } from './sqlite-handle.ts'

/** Between cells and between rows of a page SQLite glues together: characters nobody types. */
const cellMark = '\x1f'
const rowMark = '\x1e'
const pageRows = 500

/** Whole CSV lines of a publication's readers by the order they were added, from one snapshot, in chunks of some hundred. */
export function exportLines(db: Database, publicationId: number, mainCurrency: Currency): AsyncIterable<Buffer> {
  return db.dialect === 'sqlite'
    ? sqliteLines(db, publicationId, mainCurrency)
    : postgresLines(db, publicationId, mainCurrency)
}

/** The printed form of each column in SQL: the same as the column kinds print, for the engine to do. */
function printedColumns(dialect: Database['dialect'], mainCurrency: Currency): string[] {
  return readerColumns.map(({ column, kind }) => {
    if (kind === 'flag') return `CASE WHEN ${column} THEN 'TRUE' ELSE 'FALSE' END`
    if (kind === 'money') return printedMoney(dialect, column, mainCurrency)
    // PostgreSQL prints days this way by its date style.
    if ((kind === 'startDay' || kind === 'endDay') && dialect === 'sqlite') {
      return `substr(${column}, 9, 2) || '/' || substr(${column}, 6, 2) || '/' || substr(${column}, 1, 4)`
    }
    return column
  })
}

function printedMoney(dialect: Database['dialect'], column: string, mainCurrency: Currency): string {
  const symbol = `CASE sub_currency WHEN '${mainCurrency}' THEN '' WHEN 'GBP' THEN '£' WHEN 'USD' THEN '$' ELSE '€' END`
  const decimals =
    dialect === 'sqlite'
      ? `printf('%d.%02d', ${column} / 100, ${column} % 100)`
      : `(${column} / 100)::text || '.' || lpad((${column} % 100)::text, 2, '0')`
  return `CASE WHEN ${column} IS NULL THEN '' ELSE ${symbol} || ${decimals} END`
}

/** Quotes, commas, line ends, or a cell that a spreadsheet would run: only such rows are looked at cell by cell. */
const needsCare = new RegExp(`[",\\r\\n]|(?:^|${cellMark})'*[=+\\-@\\t]`)

async function* sqliteLines(db: Database, publicationId: number, mainCurrency: Currency): AsyncGenerator<Buffer> {
  const printed = printedColumns('sqlite', mainCurrency)
  const glued = printed.join(` || char(31) || `)
  const names = ['id', 'sub_currency', ...readerColumns.map(({ column }) => column).filter((column) => column !== 'id')]
  const page = `(SELECT ${names.join(', ')} FROM readers WHERE publication_id = ${publicationId} AND id > ? ORDER BY id LIMIT ${pageRows})`
  const gluedPage = `SELECT max(id) AS last, count(*) AS number, group_concat(${glued}, char(30)) AS page FROM ${page}`
  const handle = await openSqliteHandle(db.sequelize)
  try {
    await handle.run('BEGIN')
    const read = (after: number) =>
      handle.all<{ last: number | null; number: number; page: string }>(gluedPage, [after])
    let next = read(0)
    let after = 0
    for (;;) {
      const [found] = await next
      if (!found || found.last === null) return
      // The next page is read while this one is written.
      if (found.number === pageRows) {
        next = read(found.last)
        next.catch(() => {})
      }
      const lines = linesOf(found.page, found.number) ?? (await cellByCell(after))
      yield Buffer.from(lines)
      if (found.number < pageRows) return
      after = found.last
    }
  } finally {
    await handle.close()
  }

  /** A page whose texts hold our marks. */
  async function cellByCell(after: number): Promise<string> {
    const cells = printed.map((expression, index) => `${expression} AS c${index}`).join(', ')
    const rows = await handle.all<Record<string, string | number>>(`SELECT ${cells} FROM ${page}`, [after])
    return rows.map((row) => csvLine(printed.map((_, index) => String(row[`c${index}`])))).join('')
  }
}

/** The page as CSV lines; null when a text holds one of the marks, so that the cells do not add up. */
function linesOf(page: string, number: number): string | null {
  const rows = page.split(rowMark)
  if (rows.length !== number) return null
  let lines = ''
  for (const row of rows) {
    const cells = row.split(cellMark)
    if (cells.length !== readerColumns.length) return null
    lines += needsCare.test(row) ? csvLine(cells) : `${cells.join(',')}\r\n`
  }
  return lines
}

async function* postgresLines(db: Database, publicationId: number, mainCurrency: Currency): AsyncGenerator<Buffer> {
  const columns = printedColumns('postgres', mainCurrency).join(', ')
  const { client, giveBack } = await borrowClient(db.sequelize)
  let isDone = false
  try {
    await client.query(`BEGIN READ ONLY; SET LOCAL datestyle TO 'SQL, DMY'`)
    const copy = client.query(
      copyTo(`COPY (SELECT ${columns} FROM readers WHERE publication_id = ${publicationId} ORDER BY id) TO STDOUT`),
    )
    yield* copiedRows(copy, { lineOf: csvLine, isPlainFine: true, as: 'latin1' })
    isDone = true
  } finally {
    await giveBack(isDone)
  }
}
