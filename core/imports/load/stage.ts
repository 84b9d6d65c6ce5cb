import type { BulkConnection } from '#core/ports/bulk.ts'
import { readerColumns } from '#core/reader-files/reader.columns.ts'
import { normaliseReference } from '#core/readers/unique-reference.rules.ts'
import { canEndEarly, deleteStaged, endsEarlySql, everything, namedReader, namesByNumber } from './compare.ts'
import type { LoadWatcher, Reject } from './load-plan.ts'
import { insertRejects } from './plan-rejects.ts'
import { buyerIdIndex, normaliseCell, referenceIndex } from './read-row.rules.ts'
import type { EncodePlan } from './row-batch.ts'
import { rowBatches } from './row-batches.ts'
import { keyColumns, stagedColumns } from './row-text.ts'

const rejectBatchSize = 2_000

/** Creates the temporary tables of a comparison. They are dropped with the connection. */
export async function openStage(work: BulkConnection): Promise<void> {
  const [big, text] = work.dialect === 'sqlite' ? ['INTEGER', 'TEXT'] : ['bigint', 'text']
  const kinds = new Map(readerColumns.map(({ column, kind }) => [column as string, kind]))
  const columns = stagedColumns.map((column) => {
    if (column === 'line') return work.dialect === 'sqlite' ? 'line INTEGER PRIMARY KEY' : 'line bigint'
    const kind = kinds.get(column)
    if (column === 'buyer_id' || kind === 'money') return `${column} ${big}`
    if (kind === 'flag') return `${column} BOOLEAN`
    if (kind === 'startDay' || kind === 'endDay') return `${column} DATE`
    return `${column} ${text}${work.dialect === 'postgres' ? ' COLLATE "C"' : ''}`
  })
  const exact = work.dialect === 'postgres' ? ' COLLATE "C"' : ''
  const key = `${big} PRIMARY KEY`
  for (const sql of [
    `CREATE TEMP TABLE stage_rows (${columns.join(', ')})`,
    `CREATE TEMP TABLE stage_rejects (line ${key}, column_name ${text}, value ${text}, reason ${text}, further ${text}, cells ${text},
       unique_reference ${text}${exact}, buyer_id ${big})`,
    /* Rows that a later line repeats. */
    `CREATE TEMP TABLE stage_repeats (line ${key}, later ${big})`,
    /* Rows of readers named more than once, whose end would be before the start stored before the import: another row of the reader may make them valid. */
    `CREATE TEMP TABLE stage_early (line ${key})`,
    /* The last valid row of a reader whose last row is one of those. */
    `CREATE TEMP TABLE stage_valid (later ${key}, line ${big})`,
    /* Rows whose reference a later line gives to another reader. */
    `CREATE TEMP TABLE stage_taken (line ${key})`,
    /* What each row would do, and to which reader. */
    `CREATE TEMP TABLE stage_plan (line ${key}, reader_id ${big}, version ${big}, kind ${text}, keys_from ${text}, is_term BOOLEAN)`,
    /* Keys of readers whose fields come only partly from the row. */
    `CREATE TEMP TABLE stage_keys (line ${key}, ${Object.keys(keyColumns)
      .map((column) => `${column} ${text}${exact}`)
      .join(', ')})`,
    /* References generated for rows without one. */
    `CREATE TEMP TABLE stage_references (line ${key}, unique_reference ${text}${exact})`,
    /* The readers that a replace removes. */
    `CREATE TEMP TABLE stage_removed (reader_id ${key}, version ${big})`,
  ])
    await work.run(sql)
}

/** Reads the whole file into the stage. Returns the number of its records; null when it was aborted. */
export async function fillStage(work: BulkConnection, plan: EncodePlan, watcher: LoadWatcher): Promise<number | null> {
  let records = 0
  let rejects: Reject[] = []
  const flushRejects = async () => {
    await work.finishStaging()
    await insertRejects(
      work,
      rejects.map((reject) => ({ ...reject, ...namedReaderOf(reject, plan) })),
    )
    rejects = []
  }
  for await (const batch of rowBatches(plan)) {
    if (batch.rows > 0) await work.stage(batch.text)
    records = batch.records
    for (const reject of batch.rejects) rejects.push(reject)
    if (batch.skippedCells.length > 0) watcher.skippedCells(batch.skippedCells)
    if (rejects.length >= rejectBatchSize) await flushRejects()
    watcher.phase?.('reading', records)
    if (watcher.signal?.aborted) return null
  }
  await flushRejects()
  if (work.dialect === 'postgres') await work.run('CREATE UNIQUE INDEX ON stage_rows (line)')
  await work.run('CREATE INDEX stage_rejects_reference ON stage_rejects (unique_reference)')
  await work.run('CREATE INDEX stage_rejects_number ON stage_rejects (buyer_id)')
  if (work.dialect === 'postgres') await work.run('ANALYZE stage_rows')
  return records
}

/** The reader that a rejected row names, as far as it can be read: a replace must not remove that reader. */
function namedReaderOf(
  { cells }: Reject,
  { columns, file }: EncodePlan,
): { reference: string | null; number: number | null } {
  const parsed = JSON.parse(cells) as string[]
  // A line with an unclosed quote is one text: its first cells can still be separated.
  const parts = parsed.length === 1 && columns.length > 1 ? (parsed[0] ?? '').split(file.delimiter) : parsed
  const cell = (place: number) => normaliseCell(parts[columns.indexOf(place)] ?? '', false).replaceAll('"', '')
  const number = cell(buyerIdIndex)
  return {
    reference: normaliseReference(cell(referenceIndex)) || null,
    number: /^\d{1,15}$/.test(number) ? Number(number) : null,
  }
}

/**
 * Finds the rows that a later line repeats, by reference or by the reference of the reader whose number they have: the last valid one counts. Rows with
 * the same reference and the numbers of different readers repeat nobody: only the last of them may have it.
 *
 * `checksEnds`: finds out whether a row would end before the stored start. This reads the readers and costs nearly as much as the comparison; without
 * it, every row counts as valid in that respect.
 */
export async function findRepeats(
  work: BulkConnection,
  plan: EncodePlan,
  { checksEnds }: { checksEnds: boolean },
): Promise<void> {
  for (const table of ['stage_repeats', 'stage_taken']) await deleteStaged(work, table, everything)
  const hasNumbers = namesByNumber(plan)
  const reference = hasNumbers
    ? `COALESCE(s.unique_reference, (SELECT r.unique_reference FROM readers r WHERE r.id = s.buyer_id AND r.publication_id = ${plan.publicationId}))`
    : 's.unique_reference'
  const repeats = await work.run(
    `INSERT INTO stage_repeats (line, later)
     SELECT line, later FROM (
       SELECT line, max(line) OVER (PARTITION BY reference) AS later FROM (
         SELECT s.line, ${reference} AS reference FROM stage_rows s
       ) named WHERE reference IS NOT NULL
     ) grouped WHERE line < later`,
  )
  if (repeats === 0) return
  if (checksEnds && canEndEarly(plan)) await skipEarlyEnds(work, plan)
  if (!hasNumbers) return
  const readerOf = (row: string) =>
    `COALESCE((SELECT r.id FROM readers r WHERE r.publication_id = ${plan.publicationId} AND r.unique_reference = ${row}.unique_reference),
       (SELECT r.id FROM readers r WHERE r.id = ${row}.buyer_id AND r.publication_id = ${plan.publicationId}))`
  await work.run(
    `INSERT INTO stage_taken (line)
     SELECT line FROM (
       SELECT x.line, ${readerOf('s')} AS reader_id, ${readerOf('l')} AS later_id
       FROM stage_repeats x JOIN stage_rows s ON s.line = x.line JOIN stage_rows l ON l.line = x.later
     ) repeated WHERE reader_id IS NOT NULL AND reader_id IS DISTINCT FROM later_id`,
  )
  await work.run('DELETE FROM stage_repeats WHERE line IN (SELECT line FROM stage_taken)')
}

/** Whether the comparison rejects, for its end, a row that displaces an earlier one: the repeats then have to be found again, with `checksEnds`. */
export async function hasEarlyRepeats(work: BulkConnection, plan: EncodePlan): Promise<boolean> {
  if (!canEndEarly(plan)) return false
  const rows = await work.all(
    `SELECT p.line FROM stage_plan p WHERE p.kind = 'ends-early'
       AND (p.line IN (SELECT later FROM stage_repeats) OR EXISTS (SELECT 1 FROM stage_taken)) LIMIT 1`,
  )
  return rows.length > 0
}

/**
 * Skips rows that end before the start. If the last row of a reader would end before the stored start, the reader's last valid row counts instead, and
 * the rows after it are left to the comparison, which rejects them. Readers that this import has already changed are compared as they were before it.
 * Only rows of the range whose last row is in the range as well are affected: the rows of other ranges are not compared again.
 */
export async function skipEarlyEnds(work: BulkConnection, plan: EncodePlan, range = everything): Promise<void> {
  const [backupJoin, endsEarly] =
    plan.uploadId === null
      ? ['', endsEarlySql(plan, 'r')]
      : [
          `LEFT JOIN reader_backups b ON b.upload_id = ${plan.uploadId} AND b.id = r.id`,
          `CASE WHEN b.id IS NULL THEN ${endsEarlySql(plan, 'r')} ELSE ${endsEarlySql(plan, 'b')} END`,
        ]
  const findEarly = (lines: string) =>
    work.run(
      `INSERT INTO stage_early (line) SELECT s.line FROM stage_rows s ${namedReader(plan)} ${backupJoin} WHERE s.line IN (${lines}) AND ${endsEarly}
       ON CONFLICT (line) DO NOTHING`,
    )
  const within = `line > ${range.after} AND later <= ${range.upTo}`
  if ((await findEarly(`SELECT later FROM stage_repeats WHERE ${within}`)) === 0) return
  const earlyLast = `${within} AND later IN (SELECT e.line FROM stage_early e)`
  await findEarly(`SELECT line FROM stage_repeats WHERE ${earlyLast}`)
  await work.run(
    `INSERT INTO stage_valid (later, line)
     SELECT later, max(line) FROM stage_repeats
     WHERE ${earlyLast} AND line NOT IN (SELECT e.line FROM stage_early e) GROUP BY later`,
  )
  const lastValid = 'SELECT v.line FROM stage_valid v WHERE v.later = stage_repeats.later'
  await work.run(`DELETE FROM stage_repeats WHERE ${earlyLast} AND line >= COALESCE((${lastValid}), 0)`)
  await work.run(`UPDATE stage_repeats SET later = (${lastValid}) WHERE ${earlyLast}`)
}
