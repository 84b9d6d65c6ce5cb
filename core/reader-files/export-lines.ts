import type { Database } from '#core/database.ts'
import { csvCell, csvLine } from '#core/kernel/csv-line.rules.ts'
import { copiedCell } from '#core/ports/copied-cell.ts'
import { readerColumns } from '#core/reader-files/reader.columns.ts'
import type { ExportPlan } from '../ports/reader-files.ts'
import { columnSql } from './column-sql.ts'
import { escapeCells } from './escape-cells.ts'

/** Whole CSV lines of a publication's readers in the order they were added, from one snapshot, in chunks. */
export function exportLines(db: Database, plan: ExportPlan): AsyncIterable<Buffer> {
  return db.dialect === 'sqlite' ? sqliteLines(db, plan) : postgresLines(db, plan)
}

/**
 * How many readers the plan's file will have. On SQLite by a separate handle with a small cache: counting a million readers reads as many
 * index entries, and the usual handle's cache would hold them while the file is sent.
 */
export async function countLines(db: Database, plan: ExportPlan): Promise<number> {
  const countSql = `SELECT count(*) AS total FROM ${readersOf(plan)}`
  if (db.dialect === 'postgres') return Number((await db.query<{ total: string }>(countSql))[0]?.total ?? 0)
  const handle = await db.bulk.sqlite(smallCache)
  try {
    return (await handle.all<{ total: number }>(countSql))[0]?.total ?? 0
  } finally {
    await handle.close()
  }
}

/** Readers of the plan. `IS TRUE` makes the planner use the index of the sort order, whatever the condition. */
function readersOf({ publicationId, where, backupOf }: ExportPlan): string {
  if (backupOf !== undefined) return `reader_backups WHERE upload_id = ${backupOf} AND kind <> 'kept'`
  return `readers WHERE publication_id = ${publicationId}${where ? ` AND ((${where}) IS TRUE)` : ''}`
}

/** The separators between cells and rows of a page that SQLite concatenates: characters that are never typed. */
const cellSeparator = '\x1f'
const rowSeparator = '\x1e'
const pageRows = 200

const sqliteRowFormat = {
  separators: cellSeparator + rowSeparator,
  special: new RegExp(`[",\\r\\n]|(?:^|[${cellSeparator}${rowSeparator}])'*[=+\\-@\\t]`, 'g'),
  cellOf: csvCell,
}

/** A bulk handle reads its pages once and in order, so a cache would not be worth its memory. */
const smallCache = 'PRAGMA cache_size=-2048;'

async function* sqliteLines(db: Database, plan: ExportPlan): AsyncGenerator<Buffer> {
  const printed = readerColumns.map((column) => columnSql(column, 'sqlite', plan.mainCurrency))
  const names = ['id', 'sub_currency', ...readerColumns.map(({ column }) => column).filter((column) => column !== 'id')]
  const page = `(SELECT ${names.join(', ')} FROM ${readersOf(plan)} AND id > ? ORDER BY id LIMIT ${pageRows})`
  const concatenated = `group_concat(concat_ws(char(31), ${printed.join(', ')}) || char(30), '')`
  // As bytes: UTF-8 is sent without being decoded.
  const pageSql = `SELECT max(id) AS last, count(*) AS number, CAST(${concatenated} AS BLOB) AS page FROM ${page}`
  const handle = await db.bulk.sqlite(smallCache)
  try {
    await handle.run('BEGIN')
    const read = (after: number) => handle.all<{ last: number | null; number: number; page: Buffer }>(pageSql, [after])
    let next = read(0)
    let after = 0
    for (;;) {
      const [result] = await next
      if (!result || result.last === null) return
      // The next page is read while this one is written.
      if (result.number === pageRows) {
        next = read(result.last)
        next.catch(() => {})
      }
      const text = result.page.toString('latin1')
      plan.onRows?.(result.number)
      yield hasExpectedSeparators(text, result.number)
        ? Buffer.from(
            escapeCells(text, sqliteRowFormat).replaceAll(cellSeparator, ',').replaceAll(rowSeparator, '\r\n'),
            'latin1',
          )
        : Buffer.from(await cellByCell(after))
      if (result.number < pageRows) return
      after = result.last
    }
  } finally {
    await handle.close()
  }

  /** A page whose texts contain our separators. */
  async function cellByCell(after: number): Promise<string> {
    const cells = printed.map((expression, index) => `${expression} AS c${index}`).join(', ')
    const rows = await handle.all<Record<string, string | number>>(`SELECT ${cells} FROM ${page}`, [after])
    return rows.map((row) => csvLine(printed.map((_, index) => String(row[`c${index}`])))).join('')
  }
}

/** Whether a page contains our separators only where we put them: then it has exactly as many as its cells and rows need. */
function hasExpectedSeparators(text: string, rows: number): boolean {
  return countOf(rowSeparator, text) === rows && countOf(cellSeparator, text) === rows * (readerColumns.length - 1)
}

function countOf(separator: string, text: string): number {
  let count = 0
  for (let index = text.indexOf(separator); index !== -1; index = text.indexOf(separator, index + 1)) count++
  return count
}

/** COPY in text format with commas between the cells: anything that a cell must not contain unescaped shows as a backslash. */
const postgresRowFormat = {
  separators: ',\r\n',
  escapeCharacter: '\\',
  special: /["\\]|(?:^|[,\n])'*[=+\-@]/g,
  cellOf: (cell: string) => csvCell(copiedCell(cell)),
}

async function* postgresLines(db: Database, plan: ExportPlan): AsyncGenerator<Buffer> {
  for await (const block of db.bulk.spool(copiedRows(db, plan), 'latin1')) {
    // Line ends of cells are escaped, so these are the row ends, each one character longer.
    const text = block.replaceAll('\n', '\r\n')
    plan.onRows?.(text.length - block.length)
    yield Buffer.from(escapeCells(text, postgresRowFormat), 'latin1')
  }
}

async function* copiedRows(db: Database, plan: ExportPlan): AsyncGenerator<string> {
  const columns = readerColumns.map((column) => columnSql(column, 'postgres', plan.mainCurrency)).join(', ')
  const client = await db.bulk.postgres()
  let isDone = false
  try {
    await client.query(`BEGIN READ ONLY; SET LOCAL datestyle TO 'SQL, DMY'`)
    const rows = `SELECT ${columns} FROM ${readersOf(plan)} ORDER BY id`
    yield* client.copyOut(`COPY (${rows}) TO STDOUT (DELIMITER ',')`, 'latin1')
    isDone = true
  } finally {
    await client.release(isDone)
  }
}
