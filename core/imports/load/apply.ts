import { instantText } from '#core/database.ts'
import { AppError } from '#core/kernel/errors.ts'
import type { BulkConnection } from '#core/ports/bulk.ts'
import { beginTermsSql, termChangeSql } from '#core/readers/circulation-terms.rows.ts'
import { readersChangedSql } from '#core/readers/reader-editions.rows.ts'
import { deriveReader, type KeyedFields } from '#core/readers/reader-keys.rules.ts'
import { backedUpReader, backupColumns } from './backup-columns.ts'
import {
  blankValues,
  deleteStaged,
  everything,
  keyedColumns,
  type LineRange,
  namesByNumber,
  type ReaderRange,
  writesKeys,
  writtenColumns,
} from './compare.ts'
import type { EncodePlan } from './row-batch.ts'
import { keyColumns, loadedColumns } from './row-text.ts'

/** The readers changed after the rows were compared with them: compare again. */
class ReadersChanged extends Error {}

/** Throws when a statement changed a different number of readers than it should. */
export function expectReaders(touched: number, expected: number): void {
  if (touched !== expected) throw new ReadersChanged()
}

const keyNames = Object.keys(keyColumns)

/** Rows of the file by their lines, or by the readers they name. */
type RowRange = LineRange | ReaderRange

const within = (column: string, { after, upTo }: RowRange) => `${column} > ${after} AND ${column} <= ${upTo}`
const isByReader = (range: RowRange) => 'by' in range

const inRange = (range: RowRange) => within(isByReader(range) ? 'p.reader_id' : 'p.line', range)

/** The table with the plan of a range. `stage_known` holds the rows of known readers together with their plan. */
const planOf = (range: RowRange) => (isByReader(range) ? 'stage_known' : 'stage_plan')

/** The rows `s` of a range with the plan `p` for them. Both are limited to the range, so that neither is read beyond it. */
const plannedRows = (range: RowRange) =>
  isByReader(range)
    ? `stage_known p JOIN stage_known s ON s.reader_id = p.reader_id AND ${within('s.reader_id', range)}`
    : `stage_plan p JOIN stage_rows s ON s.line = p.line AND ${within('s.line', range)}`

/** The reader `r` that a row of the plan names. A range of readers limits both tables: they are then read in the order of the readers. */
const plannedReader = (range: RowRange) =>
  `r.id = p.reader_id ${isByReader(range) ? `AND ${within('r.id', range)}` : ''}`

/** The time of a run as its engine stores it. */
export function storedNow(work: BulkConnection, now: Date): string {
  return work.dialect === 'sqlite' ? instantText(now) : now.toISOString()
}

/** Changes the readers that rows of the range change, with a backup of their previous rows. Call it in a write. */
export async function changeReaders(
  work: BulkConnection,
  plan: EncodePlan,
  range: RowRange,
  expected: number,
): Promise<void> {
  if (expected === 0) return
  const isChangedRow = `p.kind = 'changed' AND ${inRange(range)}`
  expectReaders(
    await work.run(
      `INSERT INTO reader_backups (upload_id, kind, version_after, ${backupColumns})
     SELECT ${plan.uploadId}, 'updated', r.version + 1, ${backedUpReader}
     FROM ${planOf(range)} p JOIN readers r ON ${plannedReader(range)} AND r.version = p.version WHERE ${isChangedRow}
     ON CONFLICT (upload_id, id) DO UPDATE SET version_after = excluded.version_after`,
    ),
    expected,
  )
  await recordTermEvents(work, plan, range)
  const isCombine = plan.mode === 'combine'
  const written = writtenColumns(plan)
  // Columns that a row leaves out are unchanged; without an amount, so is the currency.
  const sets = written.map((column) =>
    column === 'sub_paid'
      ? `sub_paid = ${isCombine ? 'COALESCE(s.sub_paid, r.sub_paid)' : 's.sub_paid'},
         sub_currency = CASE WHEN s.sub_paid IS NULL THEN r.sub_currency ELSE s.sub_currency END`
      : `${column} = ${isCombine ? `COALESCE(s.${column}, r.${column})` : `s.${column}`}`,
  )
  if (namesByNumber(plan)) sets.push('unique_reference = COALESCE(s.unique_reference, r.unique_reference)')
  if (writesKeys(plan))
    for (const key of keyNames)
      sets.push(`${key} = CASE p.keys_from WHEN 'row' THEN s.${key} WHEN 'both' THEN k.${key} ELSE r.${key} END`)
  expectReaders(
    await work.run(
      `UPDATE readers AS r SET ${sets.join(', ')}, version = r.version + 1, modified_by = ${plan.modifiedBy ?? 'NULL'},
       updated_at = '${storedNow(work, plan.now)}'
     FROM ${plannedRows(range)} LEFT JOIN stage_keys k ON k.line = p.line WHERE ${plannedReader(range)} AND r.version = p.version AND ${isChangedRow}`,
    ),
    expected,
  )
  const changesCountry = written.includes('country')
  const readers = `SELECT p.reader_id FROM ${planOf(range)} p WHERE ${isChangedRow} ${changesCountry ? '' : 'AND p.is_term'}`
  // The range limits the terms and the readers, too: otherwise PostgreSQL reads all of them for each chunk.
  const bounds = (readerId: string) => (isByReader(range) ? `AND ${within(readerId, range)}` : '')
  await changeTerms(work, { ...plan, which: (readerId) => `${readerId} IN (${readers}) ${bounds(readerId)}` })
}

/** Updates circulation for the readers that were written. Call it in the same write. */
export async function changeTerms(work: BulkConnection, change: Parameters<typeof termChangeSql>[0]): Promise<void> {
  for (const sql of termChangeSql(change)) await work.run(sql)
}

/** The highest reader id. */
async function newestReader(work: BulkConnection): Promise<number> {
  const [newest] = await work.all<{ id: number | null }>('SELECT max(id) AS id FROM readers')
  return Number(newest?.id ?? 0)
}

/** SQL that begins the terms of the readers that the import has added after `newestId`. Run it in the same write. */
export function beginAddedTermsSql({ publicationId, uploadId, today }: EncodePlan, newestId: number): string {
  return beginTermsSql({
    publicationId,
    today,
    which: (readerId) => `${readerId} > ${newestId} AND r.upload_id = ${uploadId}`,
  })
}

/** Records each changed subscription in the reader's history, with its previous values. */
async function recordTermEvents(work: BulkConnection, plan: EncodePlan, range: RowRange): Promise<void> {
  const object = work.dialect === 'sqlite' ? 'json_object' : 'jsonb_build_object'
  const written = new Set(writtenColumns(plan))
  const after = (column: string) =>
    !written.has(column)
      ? `r.${column}`
      : plan.mode === 'combine'
        ? `COALESCE(s.${column}, r.${column})`
        : `s.${column}`
  await work.run(
    `INSERT INTO reader_events (reader_id, publication_id, kind, sub_type, start_on, end_on, amount, currency, before, note, actor_kind,
       actor_id, created_at)
     SELECT r.id, r.publication_id, 'imported', ${after('sub_type')}, ${after('sub_start_on')}, ${after('sub_end_on')}, ${after('sub_paid')},
       CASE WHEN s.sub_paid IS NULL THEN r.sub_currency ELSE s.sub_currency END,
       ${object}('subType', r.sub_type, 'subStartOn', r.sub_start_on, 'subEndOn', r.sub_end_on, 'subRenewOn', r.sub_renew_on, 'subPaid', r.sub_paid),
       'Changed by import ${plan.uploadId}', '${plan.actorKind}', ${plan.modifiedBy ?? 'NULL'}, '${storedNow(work, plan.now)}'
     FROM ${plannedRows(range)} JOIN readers r ON ${plannedReader(range)}
     WHERE p.kind = 'changed' AND p.is_term AND ${inRange(range)}`,
  )
}

/**
 * Computes the keys of the range's readers whose fields come only partly from the file: SQL cannot compute them, only `deriveReader` can. Changes
 * only the stage. A reader that changed since the comparison is skipped: the write then detects it.
 */
export async function deriveMixedKeys(work: BulkConnection, plan: EncodePlan, range: RowRange): Promise<void> {
  if (!writesKeys(plan)) return
  await deleteStaged(work, 'stage_keys', everything)
  const place = isByReader(range) ? 'reader_id' : 'line'
  for (let remaining = range; ; ) {
    const rows = await work.all<Record<string, string> & { line: number; reader_id: number }>(
      `SELECT p.line, p.reader_id, ${keyedColumns.map((column) => `COALESCE(s.${column}, r.${column}) AS ${column}`).join(', ')}
       FROM ${plannedRows(remaining)} JOIN readers r ON ${plannedReader(remaining)}
       WHERE p.kind = 'changed' AND p.keys_from = 'both' AND ${inRange(remaining)} ORDER BY p.${place} LIMIT 1000`,
    )
    if (rows.length === 0) return
    const derived = rows.map((row) => ({ line: Number(row.line), ...deriveReader(fieldsOf(row), plan.homeCountry) }))
    const fields = Object.values(keyColumns)
    await work.run(
      work.dialect === 'sqlite'
        ? `INSERT INTO stage_keys (line, ${keyNames.join(', ')})
           SELECT ${['line', ...fields].map((field) => `json_extract(j.value, '$.${field}')`).join(', ')} FROM json_each(?) j`
        : `INSERT INTO stage_keys (line, ${keyNames.join(', ')})
           SELECT line, ${fields.map((field) => `"${field}"`).join(', ')} FROM jsonb_to_recordset(?::jsonb)
           AS j (line bigint, ${fields.map((field) => `"${field}" text`).join(', ')})`,
      [JSON.stringify(derived)],
    )
    remaining = { ...remaining, after: Number(rows.at(-1)?.[place]) }
  }
}

function fieldsOf(row: Record<string, unknown>): KeyedFields {
  const text = (column: string) => String(row[column] ?? '')
  return {
    firstName: text('first_name'),
    lastName: text('last_name'),
    fullName: text('full_name'),
    email: text('email'),
    companyName: text('company_name'),
    addressOne: text('address_one'),
    addressTwo: text('address_two'),
    addressThree: text('address_three'),
    addressFour: text('address_four'),
    city: text('city'),
    postCode: text('post_code'),
    country: text('country'),
  }
}

const columnsSetByImport = [
  'publication_id',
  'upload_line',
  'unique_reference',
  'origin',
  'upload_id',
  'modified_by',
  'created_at',
  'updated_at',
]

/** Adds the new readers of the range. Call it in a write. */
export async function addReaders(
  work: BulkConnection,
  plan: EncodePlan,
  range: LineRange,
  expected: number,
): Promise<void> {
  if (expected === 0) return
  const now = `'${storedNow(work, plan.now)}'`
  const columns = loadedColumns.filter((column) => !columnsSetByImport.includes(column))
  const value = (column: string) => {
    if (column === 'sub_currency') return `COALESCE(s.sub_currency, '${plan.mainCurrency}')`
    const blank = blankValues[column]
    return blank === undefined || blank === 'NULL' ? `s.${column}` : `COALESCE(s.${column}, ${blank})`
  }
  const newestId = await newestReader(work)
  expectReaders(
    await work.run(
      `INSERT INTO readers (${[...columnsSetByImport, ...columns].join(', ')})
     SELECT ${plan.publicationId}, s.line, COALESCE(s.unique_reference, f.unique_reference), 'file', ${plan.uploadId}, ${plan.modifiedBy ?? 'NULL'},
       ${work.dialect === 'sqlite' ? `${now}, ${now}` : `${now}::timestamptz, ${now}::timestamptz`}, ${columns.map(value).join(', ')}
     FROM ${plannedRows(range)} LEFT JOIN stage_references f ON f.line = p.line
     WHERE p.kind = 'new' AND ${inRange(range)} ORDER BY p.line
     ON CONFLICT (publication_id, unique_reference) DO NOTHING`,
    ),
    expected,
  )
  await work.run(beginAddedTermsSql(plan, newestId))
}

/** Removes the readers that the replace found, with a backup of their rows. Call it in a write. */
export async function removeReaders(work: BulkConnection, plan: EncodePlan, expected: number): Promise<void> {
  if (expected === 0) return
  expectReaders(
    await work.run(
      `INSERT INTO reader_backups (upload_id, kind, version_after, ${backupColumns})
     SELECT ${plan.uploadId}, 'removed', 0, ${backedUpReader} FROM stage_removed d JOIN readers r ON r.id = d.reader_id AND r.version = d.version`,
    ),
    expected,
  )
  expectReaders(
    await work.run(
      `DELETE FROM readers WHERE id IN (SELECT reader_id FROM stage_removed)
       AND version = (SELECT d.version FROM stage_removed d WHERE d.reader_id = readers.id)`,
    ),
    expected,
  )
  await changeTerms(work, {
    ...plan,
    which: (readerId) => `${readerId} IN (SELECT d.reader_id FROM stage_removed d)`,
    endReason: 'replaced',
  })
}

/** Marks the publication's readers as changed. */
export async function markReadersChanged(work: BulkConnection, publicationId: number): Promise<void> {
  await work.run(readersChangedSql.replace(':publicationId', String(publicationId)))
}

/** Whether a write failed because of a concurrent change to the same readers: the rows are then compared again. */
export function isConcurrentChange(error: unknown): boolean {
  if (error instanceof ReadersChanged) return true
  const { code } = error as { code?: string }
  return code === 'SQLITE_CONSTRAINT' || code === '23505' || code === '40P01' || code === '40001'
}

const maxTries = 5

/** Retries `work` with a fresh snapshot when it failed because of a concurrent change to the same readers; `isRetry` is true from the second try. */
export async function withRetries<Result>(work: (isRetry: boolean) => Promise<Result>): Promise<Result> {
  for (let triesLeft = maxTries; ; triesLeft--) {
    try {
      return await work(triesLeft < maxTries)
    } catch (error) {
      if (!isConcurrentChange(error)) throw error
      if (triesLeft <= 1)
        throw new AppError('unavailable', 'These readers are being changed by others at the same time', {
          hint: 'Try again in a few minutes.',
          cause: error,
        })
    }
  }
}
