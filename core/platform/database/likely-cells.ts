import type { Database } from '#core/database.ts'
import { likelyColumns } from '#core/likely/likely-record.rules.ts'
import { copiedCell } from '#core/ports/copied-cell.ts'
import { openSqliteHandle } from './sqlite-handle.ts'

/** Control characters that users do not type. */
const cellSeparator = '\x1f'
const rowSeparator = '\x1e'
const pageRows = 1000
const columns = [...likelyColumns, 'version'] as const

/** The active readers of a publication as text with separators, in chunks: the columns that likely duplicates are searched by, and the version. */
export function likelyCells(db: Database, publicationId: number): AsyncIterable<string> {
  return db.dialect === 'sqlite' ? sqliteCells(db, publicationId) : postgresCells(db, publicationId)
}

async function* sqliteCells(db: Database, publicationId: number): AsyncGenerator<string> {
  const page = `(SELECT ${columns.join(', ')}, is_deleted FROM readers WHERE publication_id = ${publicationId} AND id > ? ORDER BY id LIMIT ${pageRows})`
  const joined = (cells: readonly string[]) =>
    `SELECT max(id) AS last, count(*) AS number, sum(NOT is_deleted) AS active,
       group_concat(CASE WHEN NOT is_deleted THEN ${cells.join(' || char(31) || ')} END, char(30)) AS page FROM ${page}`
  const fastSql = `SELECT *, length(page) - length(replace(replace(page, char(31), ''), char(30), '')) AS separators FROM (${joined(columns)})`
  // Costs twice as much as the rest of the read, so it is used only for a page in which one of these characters was typed.
  const escapedSql = joined(
    columns.map((column) => (column === 'id' ? column : `replace(replace(${column}, char(31), ' '), char(30), ' ')`)),
  )
  // A small cache: each page of the file is read only once.
  const handle = await openSqliteHandle(db.sequelize, 'PRAGMA cache_size=-2048;')
  try {
    const read = (after: number) => handle.all<JoinedPage>(fastSql, [after])
    let after = 0
    let next = read(0)
    for (;;) {
      const [joinedPage] = await next
      if (!joinedPage || joinedPage.last === null) return
      const { last, number } = joinedPage
      // The next page is read while this one is processed.
      if (number === pageRows) {
        next = read(last)
        next.catch(() => {})
      }
      if (joinedPage.page && joinedPage.separators !== joinedPage.active * columns.length - 1) {
        const [escapedPage] = await handle.all<JoinedPage>(escapedSql, [after])
        if (escapedPage?.page) yield escapedPage.page
      } else if (joinedPage.page) yield joinedPage.page
      if (number < pageRows) return
      after = last
    }
  } finally {
    await handle.close()
  }
}

interface JoinedPage {
  last: number | null
  /** The readers of the page, and how many of them are active. */
  number: number
  active: number
  page: string | null
  /** How many separators the page has: more than its cells and rows need if one was typed. */
  separators: number
}

async function* postgresCells(db: Database, publicationId: number): AsyncGenerator<string> {
  const client = await db.bulk.postgres()
  let isDone = false
  try {
    await client.query('BEGIN READ ONLY')
    const copied = client.copyOut(
      `COPY (SELECT ${columns.join(', ')} FROM readers WHERE publication_id = ${publicationId} AND NOT is_deleted ORDER BY id) TO STDOUT`,
      'utf8',
    )
    for await (const block of copied) {
      const rows = block.slice(0, -1).split('\n')
      yield rows.map((row) => row.split('\t').map(plainCell).join(cellSeparator)).join(rowSeparator)
    }
    isDone = true
  } finally {
    await client.release(isDone)
  }
}

const separators = new RegExp(`[${cellSeparator}${rowSeparator}]`, 'g')

function plainCell(cell: string): string {
  return copiedCell(cell).replaceAll(separators, ' ')
}
