import { to as copyTo } from 'pg-copy-streams'
import { likelyColumns } from '#core/data-quality/likely/likely-record.rules.ts'
import type { Database } from '#core/database.ts'
import { borrowClient } from './postgres-client.ts'
import { copiedRows } from './postgres-copied-rows.ts'
import { openSqliteHandle } from './sqlite-handle.ts'

/** Between cells and between rows: characters nobody types. */
const cellMark = '\x1f'
const rowMark = '\x1e'
const pageRows = 1000

/** The columns likely duplicates are searched by, of all active readers of a publication, as text with marks: some hundred rows a piece. */
export function likelyCells(db: Database, publicationId: number): AsyncIterable<string> {
  return db.dialect === 'sqlite' ? sqliteCells(db, publicationId) : postgresCells(db, publicationId)
}

async function* sqliteCells(db: Database, publicationId: number): AsyncGenerator<string> {
  const plain = likelyColumns.map((column) =>
    column === 'id' ? column : `replace(replace(${column}, char(31), ' '), char(30), ' ')`,
  )
  const glued = `group_concat(${plain.join(' || char(31) || ')}, char(30))`
  const page = `(SELECT ${likelyColumns.join(', ')}, is_deleted FROM readers WHERE publication_id = ${publicationId} AND id > ? ORDER BY id LIMIT ${pageRows})`
  const sql = `SELECT max(id) AS last, count(*) AS number, (SELECT ${glued} FROM p WHERE NOT is_deleted) AS page FROM p`
  const handle = await openSqliteHandle(db.sequelize)
  try {
    const read = (after: number) =>
      handle.all<{ last: number | null; number: number; page: string | null }>(
        `WITH p AS MATERIALIZED ${page} ${sql}`,
        [after],
      )
    let next = read(0)
    for (;;) {
      const [found] = await next
      if (!found || found.last === null) return
      // The next page is read while this one is looked at.
      if (found.number === pageRows) {
        next = read(found.last)
        next.catch(() => {})
      }
      if (found.page) yield found.page
      if (found.number < pageRows) return
    }
  } finally {
    await handle.close()
  }
}

async function* postgresCells(db: Database, publicationId: number): AsyncGenerator<string> {
  const columns = likelyColumns.join(', ')
  const { client, giveBack } = await borrowClient(db.sequelize)
  let isDone = false
  try {
    await client.query('BEGIN READ ONLY')
    const copy = client.query(
      copyTo(
        `COPY (SELECT ${columns} FROM readers WHERE publication_id = ${publicationId} AND NOT is_deleted ORDER BY id) TO STDOUT`,
      ),
    )
    const lineOf = (cells: string[]) => `${cells.map((cell) => cell.replaceAll(marks, ' ')).join(cellMark)}${rowMark}`
    for await (const chunk of copiedRows(copy, { lineOf, as: 'utf8' })) {
      yield chunk.toString('utf8').slice(0, -1)
    }
    isDone = true
  } finally {
    await giveBack(isDone)
  }
}

const marks = new RegExp(`[${cellMark}${rowMark}]`, 'g')
