import type { BulkConnection } from '#core/ports/bulk.ts'
import { readerColumns } from '#core/reader-files/reader.columns.ts'
import { cellKinds } from '#core/readers/cell-kinds.rules.ts'
import { buyerIdIndex } from './read-row.rules.ts'
import type { EncodePlan } from './row-batch.ts'

/** Lines of the file: after the first, up to and including the second. */
export interface LineRange {
  after: number
  upTo: number
}

/** Readers by their numbers: after the first, up to and including the second. */
export interface ReaderRange extends LineRange {
  by: 'reader'
}

/**
 * What a row would do. `unknown`: no reader of the publication has its number. `other-origin`: it names a reader that was not imported from a file,
 * and only imported ones are replaced. `ends-early`: combined with the stored dates, or the defaults of a new reader, its end would be before its start.
 * `taken`: a later row gives its reference to another reader. `repeated`: a later row names the same reader by another column.
 */
export type RowKind = 'new' | 'changed' | 'same' | 'unknown' | 'other-origin' | 'ends-early' | 'taken' | 'repeated'

/** Columns the keys are computed from. */
const keyed = new Set([
  'first_name',
  'last_name',
  'full_name',
  'email',
  'company_name',
  'address_one',
  'address_two',
  'address_three',
  'address_four',
  'city',
  'post_code',
  'country',
])
export const keyedColumns = [...keyed]
const term = new Set(['sub_type', 'sub_start_on', 'sub_end_on', 'sub_renew_on', 'sub_paid'])

/** The reader columns a file changes: those it has; all of them when it replaces. Masthead's own number and the reference are left out. */
export function writtenColumns({ mode, columns }: EncodePlan): string[] {
  return readerColumns.flatMap(({ column }, index) =>
    column === 'id' || column === 'unique_reference' || (mode === 'combine' && !columns.includes(index))
      ? []
      : [column],
  )
}

export function writesKeys(plan: EncodePlan): boolean {
  return writtenColumns(plan).some((column) => keyed.has(column))
}

/** Whether the file has Masthead's own numbers of its readers. */
export function namesByNumber({ columns }: EncodePlan): boolean {
  return columns.includes(buyerIdIndex)
}

/** SQL: true where a staged cell differs from the stored value. A cell without a value is NULL, and so is the result. */
function differs(column: string, isCombine: boolean, stored = 'r'): string {
  if (column !== 'sub_paid') return `s.${column} <> ${stored}.${column}`
  const currency = '(s.sub_paid IS NOT NULL AND s.sub_currency <> r.sub_currency)'
  const paid = `(s.sub_paid IS DISTINCT FROM r.sub_paid OR ${currency})`
  return isCombine ? `(s.sub_paid IS NOT NULL AND ${paid})` : paid
}

const termDays = ['sub_start_on', 'sub_end_on']

/** Whether rows of the file can be valid on their own and end before the start once combined with what is stored. */
export function canEndEarly(plan: EncodePlan): boolean {
  return plan.mode === 'combine' && termDays.some((day) => writtenColumns(plan).includes(day))
}

/**
 * SQL: true where a combination sets a start or an end that does not fit the stored one, of the reader `r` or a backup. For a new reader, a blank day
 * is compared as what it is stored as.
 */
export function endsEarlySql(plan: EncodePlan, stored: 'r' | 'b'): string {
  const written = writtenColumns(plan)
  const [start, end] = termDays.map(
    (day) => `COALESCE(${written.includes(day) ? `s.${day}, ` : ''}${stored}.${day}, ${blankValues[day]})`,
  )
  const changed = termDays.filter((day) => written.includes(day)).map((day) => differs(day, true, stored))
  return `(${start} > ${end} AND ${anyOf([`${stored}.id IS NULL`, ...changed])})`
}

/** Joins the reader `r` that a row `s` names. */
export function namedReader(plan: EncodePlan): string {
  const { publicationId } = plan
  return namesByNumber(plan)
    ? `LEFT JOIN readers named ON named.publication_id = ${publicationId} AND named.unique_reference = s.unique_reference
       LEFT JOIN readers numbered ON named.id IS NULL AND numbered.id = s.buyer_id AND numbered.publication_id = ${publicationId}
       LEFT JOIN readers r ON r.id = COALESCE(named.id, numbered.id)`
    : `LEFT JOIN readers r ON r.publication_id = ${publicationId} AND r.unique_reference = s.unique_reference`
}

const anyOf = (conditions: readonly string[]) => (conditions.length === 0 ? '(1 = 0)' : `(${conditions.join(' OR ')})`)

/**
 * Determines what each row of the range would do, into `stage_plan`, replacing earlier results. Reads the readers, changes none. One pass over the
 * publication's readers however long the range is: a file is compared as a whole, and rows whose readers changed meanwhile are compared again.
 */
export async function compareRows(work: BulkConnection, plan: EncodePlan, range: LineRange): Promise<void> {
  const { mode, target } = plan
  const isCombine = mode === 'combine'
  const written = writtenColumns(plan)
  const changed = written.map((column) => differs(column, isCombine))
  const keysChanged = written.filter((column) => keyed.has(column)).map((column) => differs(column, isCombine))
  const termChanged = written.filter((column) => term.has(column)).map((column) => differs(column, isCombine))
  // The keys computed from the row are right only if all fields they are computed from come from the file.
  const rowHasAllKeyFields = keyedColumns.map((column) => `(s.${column} IS NOT NULL OR r.${column} = '')`).join(' AND ')
  const hasNumbers = namesByNumber(plan)
  const isUnknown = isCombine ? 's.buyer_id IS NOT NULL AND s.unique_reference IS NULL' : '(1 = 0)'
  const added = canEndEarly(plan) ? `CASE WHEN ${endsEarlySql(plan, 'r')} THEN 'ends-early' ELSE 'new' END` : `'new'`
  await deleteStaged(work, 'stage_plan', range)
  await work.run(
    `INSERT INTO stage_plan (line, reader_id, version, kind, keys_from, is_term)
     SELECT s.line, r.id, r.version,
       CASE WHEN r.id IS NULL THEN CASE WHEN ${isUnknown} THEN 'unknown' ELSE ${added} END
         ${hasNumbers ? `WHEN EXISTS (SELECT 1 FROM stage_taken t WHERE t.line = s.line) THEN 'taken'` : ''}
         ${target === 'imported' ? `WHEN r.origin <> 'file' THEN 'other-origin'` : ''}
         ${canEndEarly(plan) ? `WHEN ${endsEarlySql(plan, 'r')} OR EXISTS (SELECT 1 FROM stage_early e WHERE e.line = s.line) THEN 'ends-early'` : ''}
         WHEN ${anyOf(['s.unique_reference <> r.unique_reference', ...changed])} THEN 'changed' ELSE 'same' END,
       CASE WHEN ${anyOf(keysChanged)} THEN CASE WHEN ${isCombine ? rowHasAllKeyFields : '(1 = 1)'} THEN 'row' ELSE 'both' END ELSE 'reader' END,
       CASE WHEN ${anyOf(termChanged)} THEN TRUE ELSE FALSE END
     FROM stage_rows s ${namedReader(plan)}
     WHERE s.line > ? AND s.line <= ? AND NOT EXISTS (SELECT 1 FROM stage_repeats x WHERE x.line = s.line)`,
    [range.after, range.upTo],
  )
  // A rejected row must not displace the earlier one, or the reader would get neither.
  if (hasNumbers)
    await work.run(
      `UPDATE stage_plan SET kind = 'repeated' WHERE line > ? AND line <= ? AND line IN (
         SELECT line FROM (
           SELECT line, max(CASE WHEN kind NOT IN ('taken', 'ends-early') THEN line END) OVER (PARTITION BY reader_id) AS last
           FROM stage_plan WHERE reader_id IS NOT NULL
         ) named WHERE line < last)`,
      [range.after, range.upTo],
    )
  // Only we can update the statistics of a temporary table: autovacuum does not see it.
  if (work.dialect === 'postgres') await work.run('ANALYZE stage_plan')
}

/** The whole file: no line is beyond it. */
export const everything: LineRange = { after: 0, upTo: Number.MAX_SAFE_INTEGER }

/** Empties a table of the stage, or a range of it. Rows that are deleted individually still take space in a temporary table: nothing vacuums it. */
export async function deleteStaged(work: BulkConnection, table: string, range: LineRange): Promise<void> {
  await work.run(
    work.dialect === 'postgres' && range === everything
      ? `TRUNCATE ${table}`
      : `DELETE FROM ${table} WHERE line > ${range.after} AND line <= ${range.upTo}`,
  )
}

/** The readers that a replace removes: all of its target that existed when it was requested and that no row names, not even a rejected one. */
export async function findRemoved(work: BulkConnection, plan: EncodePlan): Promise<number> {
  await work.run('CREATE INDEX IF NOT EXISTS stage_plan_reader ON stage_plan (reader_id)')
  await work.run('DELETE FROM stage_removed')
  return work.run(
    `INSERT INTO stage_removed (reader_id, version)
     SELECT r.id, r.version FROM readers r
     WHERE r.publication_id = ${plan.publicationId} AND r.id <= ${plan.newestReaderId}
       ${plan.target === 'imported' ? `AND r.origin = 'file'` : ''}
       AND NOT EXISTS (SELECT 1 FROM stage_plan p WHERE p.reader_id = r.id)
       AND NOT EXISTS (SELECT 1 FROM stage_rejects x WHERE x.unique_reference = r.unique_reference)
       AND NOT EXISTS (SELECT 1 FROM stage_rejects y WHERE y.buyer_id = r.id)`,
  )
}

/** Counts the rows of a range of the plan by kind. */
export async function countKinds(work: BulkConnection, range: LineRange): Promise<Record<RowKind, number>> {
  const rows = await work.all<{ kind: RowKind; number: number }>(
    'SELECT kind, count(*) AS number FROM stage_plan WHERE line > ? AND line <= ? GROUP BY kind',
    [range.after, range.upTo],
  )
  const counts = { new: 0, changed: 0, same: 0, unknown: 0, 'other-origin': 0, 'ends-early': 0, taken: 0, repeated: 0 }
  for (const { kind, number } of rows) counts[kind] = Number(number)
  return counts
}

/** What a blank cell of each column means for a new reader, as SQL. */
export const blankValues: Readonly<Record<string, string>> = Object.fromEntries(
  readerColumns.map(({ column, kind, max }) => {
    const value = cellKinds[kind].parse('', { mainCurrency: 'GBP', max })
    return [
      column,
      value === null ? 'NULL' : typeof value === 'boolean' ? (value ? 'TRUE' : 'FALSE') : `'${String(value)}'`,
    ]
  }),
)
