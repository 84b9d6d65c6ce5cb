import type { Database } from '#core/database.ts'
import type { Dialect } from '#core/ports/bulk.ts'
import { copiedCell } from '#core/ports/copied-cell.ts'
import { readerColumns } from '#core/reader-files/reader.columns.ts'
import { termSql } from '#core/terms/term.rules.ts'
import { type PostalZone, zoneDigits, zoneOfDigit } from '../kernel/postal-zones.rules.ts'
import { columnSql } from '../reader-files/column-sql.ts'
import {
  type Exclusion,
  exclusions,
  type MailingPlan,
  type MailingRow,
  type MailingTally,
  type postedTypes,
} from './mailing-file.rules.ts'

/** Each reason as a condition; `on` is a day in ISO form, validated by the caller. */
function conditions({ on, zones }: MailingPlan): Record<Exclusion, string> {
  return {
    deactivated: 'is_deleted',
    noSubscription: `sub_type = ''`,
    digital: `sub_type = 'digital'`,
    notStarted: termSql.notStarted(`'${on}'`),
    expired: termSql.over(`'${on}'`),
    noName: `full_name = '' AND last_name = '' AND first_name = '' AND company_name = ''`,
    noAddress: `address_one = '' AND address_two = '' AND address_three = '' AND address_four = ''`,
    noPostCode: `post_code_state = 'missing'`,
    badPostCode: `post_code_state <> 'ok'`,
    otherZone: `substr(mail_sort, 1, 1) NOT IN (${zones.map((zone) => `'${zoneDigits[zone]}'`).join(', ')})`,
  }
}

/** The SQL of a mailing file: its counts, its cells, and the readers included in it. */
function mailingSql(plan: MailingPlan, dialect: Dialect) {
  const { publicationId, on, sample } = plan
  if (!/^\d{4}-\d{2}-\d{2}$/.test(on)) throw new Error(`Not a day: ${on}`)
  const conditionOf = conditions(plan)
  const exclusionSql = `CASE ${exclusions.map((reason) => `WHEN ${conditionOf[reason]} THEN '${reason}'`).join(' ')} ELSE 'included' END`
  const collation = dialect === 'postgres' ? ' COLLATE "C"' : ''
  return {
    counts: `SELECT ${exclusionSql} AS exclusion, substr(mail_sort, 1, 1) AS zone, sub_type, count(*) AS number
             FROM readers WHERE publication_id = ${publicationId} GROUP BY 1, 2, 3`,
    cells: ['substr(mail_sort, 1, 1)', ...plan.columns.map((header) => formattedCell(header, dialect, plan))],
    included: `FROM readers WHERE publication_id = ${publicationId} AND ${exclusionSql} = 'included'
               ORDER BY ${sample ? `id LIMIT ${Number(sample)}` : `mail_sort${collation}, id`}`,
  }
}

function formattedCell(header: string, dialect: Dialect, { mainCurrency }: MailingPlan): string {
  const column = readerColumns.find((candidate) => candidate.header === header)
  if (!column) throw new Error(`Not a column: ${header}`)
  return columnSql(column, dialect, mainCurrency)
}

interface CountRow {
  exclusion: Exclusion | 'included'
  zone: string
  sub_type: string
  number: number
}

function addToTally(rows: CountRow[], tally: MailingTally): void {
  for (const { exclusion, zone, sub_type, number } of rows) {
    if (exclusion === 'included') {
      tally.included += Number(number)
      tally.zones[zoneOfDigit.get(zone) as PostalZone][sub_type as (typeof postedTypes)[number]] += Number(number)
    } else tally.excluded[exclusion] += Number(number)
  }
}

/** Fills the tally, then yields pages of rows in the order of zone and postcode, all from one snapshot. */
export function mailingRows(db: Database, plan: MailingPlan, tally: MailingTally): AsyncIterable<MailingRow[]> {
  return db.dialect === 'sqlite' ? sqliteRows(db, plan, tally) : postgresRows(db, plan, tally)
}

const cellSeparator = '\x1f'
const pageRows = 1000

/** SQLite sorts the printed rows into a temporary table on disk, then returns them page by page. */
async function* sqliteRows(db: Database, plan: MailingPlan, tally: MailingTally): AsyncGenerator<MailingRow[]> {
  const { counts, cells, included } = mailingSql(plan, 'sqlite')
  const handle = await db.bulk.sqlite('PRAGMA temp_store=FILE;PRAGMA cache_size=-8192;')
  try {
    await handle.run('CREATE TEMP TABLE mailing (number INTEGER PRIMARY KEY, line TEXT NOT NULL)')
    await handle.run('BEGIN')
    if (!plan.sample) addToTally(await handle.all<CountRow>(counts), tally)
    if (plan.isDryRun) return
    // The separator is removed from texts, where it would shift the cells after it: mailing houses print no control characters.
    const line = cells.map((cell) => `replace(${cell}, char(31), '')`).join(', ')
    await handle.run(`INSERT INTO temp.mailing (line) SELECT concat_ws(char(31), ${line}) ${included}`)
    for (let from = 1; ; from += pageRows) {
      const rows = await handle.all<{ line: string }>(
        `SELECT line FROM temp.mailing WHERE number >= ${from} ORDER BY number LIMIT ${pageRows}`,
      )
      if (rows.length > 0) yield rows.map(({ line: text }) => text.split(cellSeparator))
      if (rows.length < pageRows) return
    }
  } finally {
    await handle.close()
  }
}

async function* postgresRows(db: Database, plan: MailingPlan, tally: MailingTally): AsyncGenerator<MailingRow[]> {
  for await (const block of db.bulk.spool(copiedRows(db, plan, tally), 'utf8')) {
    const rows = block.slice(0, -1).split('\n')
    yield rows.map((row) => (row.includes('\\') ? row.split('\t').map(copiedCell) : row.split('\t')))
  }
}

async function* copiedRows(db: Database, plan: MailingPlan, tally: MailingTally): AsyncGenerator<string> {
  const { counts, cells, included } = mailingSql(plan, 'postgres')
  const client = await db.bulk.postgres()
  let isDone = false
  try {
    await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL datestyle TO 'SQL, DMY'`)
    if (!plan.sample) addToTally((await client.query<CountRow>(counts)).rows, tally)
    if (!plan.isDryRun) yield* client.copyOut(`COPY (SELECT ${cells.join(', ')} ${included}) TO STDOUT`, 'utf8')
    isDone = true
  } finally {
    await client.release(isDone)
  }
}
