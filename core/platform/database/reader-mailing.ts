import { to as copyTo } from 'pg-copy-streams'
import type { Database } from '#core/database.ts'
import { openEnd } from '#core/kernel/dates.ts'
import { csvLine } from '#core/reader-files/csv-line.rules.ts'
import {
  type Exclusion,
  exclusionNames,
  finishMailingCells,
  type MailingPlan,
  type MailingTally,
  mailingColumns,
} from '#core/reader-files/mailing-file.rules.ts'
import { type PostalZone, postalZones, zoneDigits } from '#core/reader-files/postal-zones.rules.ts'
import { readerColumns } from '#core/reader-files/reader.columns.ts'
import { borrowClient } from './postgres-client.ts'
import { copiedRows } from './postgres-copied-rows.ts'
import { openSqliteHandle } from './sqlite-handle.ts'

/** Each reason as a condition; `on` is a day in ISO form, checked before it comes here. */
function conditions(on: string): Record<Exclusion, string> {
  return {
    deactivated: 'is_deleted',
    noSubscription: `sub_type = ''`,
    digital: `sub_type = 'digital'`,
    notStarted: `sub_start_on > '${on}'`,
    expired: `sub_end_on < '${on}' AND sub_end_on <> '${openEnd}'`,
    noName: `full_name = '' AND last_name = '' AND first_name = '' AND company_name = ''`,
    noAddress: `address_one = '' AND address_two = '' AND address_three = '' AND address_four = ''`,
    noPostCode: `post_code_state = 'missing'`,
    badPostCode: `post_code_state <> 'ok'`,
  }
}

function parts({ publicationId, on }: MailingPlan) {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(on)) throw new Error(`Not a day: ${on}`)
  const when = conditions(on)
  const verdict = `CASE ${exclusionNames.map((reason) => `WHEN ${when[reason]} THEN '${reason}'`).join(' ')} ELSE 'included' END`
  return {
    counts: `SELECT ${verdict} AS verdict, substr(mail_sort, 1, 1) AS zone, count(*) AS number
             FROM readers WHERE publication_id = ${publicationId} GROUP BY 1, 2`,
    included: `publication_id = ${publicationId} AND ${verdict} = 'included'`,
  }
}

const columns = mailingColumns.map((header) => readerColumns.find((column) => column.header === header)?.column ?? '')

const zoneOfDigit = new Map(postalZones.map((zone) => [zoneDigits[zone], zone]))

interface CountRow {
  verdict: Exclusion | 'included'
  zone: string
  number: number
}

function count(rows: CountRow[], tally: MailingTally): void {
  for (const { verdict, zone, number } of rows) {
    if (verdict === 'included') {
      tally.included += Number(number)
      tally.zones[zoneOfDigit.get(zone) as PostalZone] += Number(number)
    } else tally.excluded[verdict] += Number(number)
  }
}

/** Fills the tally, then gives the lines in walk order, all from one snapshot. */
export function mailingLines(db: Database, plan: MailingPlan, tally: MailingTally): AsyncIterable<Buffer> {
  return db.dialect === 'sqlite' ? sqliteLines(db, plan, tally) : postgresLines(db, plan, tally)
}

const cellMark = '\x1f'
const pageRows = 1000

/** SQLite sorts the printed lines into a temporary table on disk, then hands them out page by page. */
async function* sqliteLines(db: Database, plan: MailingPlan, tally: MailingTally): AsyncGenerator<Buffer> {
  const { counts, included } = parts(plan)
  const handle = await openSqliteHandle(db.sequelize, 'PRAGMA temp_store=FILE;')
  try {
    await handle.run('CREATE TEMP TABLE mailing (number INTEGER PRIMARY KEY, line TEXT NOT NULL)')
    await handle.run('BEGIN')
    count(await handle.all<CountRow>(counts), tally)
    if (plan.isDryRun) return
    // A text that holds our mark would shift its neighbours: it is taken out, mailing houses print no control characters.
    const line = columns.map((column) => `replace(${printed(column)}, char(31), '')`).join(' || char(31) || ')
    await handle.run(
      `INSERT INTO temp.mailing (line) SELECT ${line} FROM readers WHERE ${included} ORDER BY mail_sort, id`,
    )
    for (let from = 1; ; from += pageRows) {
      const rows = await handle.all<{ line: string }>(
        `SELECT line FROM temp.mailing WHERE number >= ${from} ORDER BY number LIMIT ${pageRows}`,
      )
      if (rows.length === 0) return
      let lines = ''
      for (const row of rows) lines += finished(row.line.split(cellMark), plan.homeCountry)
      yield Buffer.from(lines)
    }
  } finally {
    await handle.close()
  }
}

function printed(column: string): string {
  return column.endsWith('_on')
    ? `substr(${column}, 9, 2) || '/' || substr(${column}, 6, 2) || '/' || substr(${column}, 1, 4)`
    : column
}

function finished(cells: string[], homeCountry: string): string {
  finishMailingCells(cells, homeCountry)
  return csvLine(cells)
}

async function* postgresLines(db: Database, plan: MailingPlan, tally: MailingTally): AsyncGenerator<Buffer> {
  const { counts, included } = parts(plan)
  const { client, giveBack } = await borrowClient(db.sequelize)
  let isDone = false
  try {
    await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL datestyle TO 'SQL, DMY'`)
    count((await client.query<CountRow>(counts)).rows, tally)
    if (plan.isDryRun) {
      isDone = true
      return
    }
    const copy = client.query(
      copyTo(
        `COPY (SELECT ${columns.join(', ')} FROM readers WHERE ${included} ORDER BY mail_sort COLLATE "C", id) TO STDOUT`,
      ),
    )
    yield* copiedRows(copy, { lineOf: (cells) => finished(cells, plan.homeCountry), isPlainFine: false, as: 'utf8' })
    isDone = true
  } finally {
    await giveBack(isDone)
  }
}
