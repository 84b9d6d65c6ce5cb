import type { AppContext } from '../context.ts'
import type { SqlValues } from '../database.ts'
import { rowLock, rowsFromJson } from '../dialect.ts'
import { columnName } from '../kernel/column-name.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import { recordOf } from '../kernel/record-of.ts'
import {
  day,
  defaulted,
  defineTable,
  flag,
  id,
  instant,
  integer,
  nullable,
  type RowOf,
  ref,
  type TableContext,
  text,
} from '../table.ts'
import type { SubType } from '../terms/term.rules.ts'
import { optOuts } from './opt-outs.rules.ts'
import { type InternalReaderValues, internalReaderColumns, readerFields } from './reader-fields.rules.ts'
import type { ReaderKeys } from './reader-keys.rules.ts'

/** How a field of each kind is stored. */
const fieldColumns = {
  text: defaulted(text()),
  note: defaulted(text()),
  email: defaulted(text()),
  country: defaulted(text()),
  flag: flag(),
  startDay: day(),
  endDay: day(),
  subType: defaulted(text<SubType | ''>()),
  money: nullable(integer()),
}

const internalColumns = {
  number: ref(),
  reference: nullable(ref()),
  dayOfMonth: nullable(integer()),
  yesNo: defaulted(flag()),
  currency: defaulted(text<Currency>()),
  origin: text<InternalReaderValues['origin']>(),
  moment: instant(),
  key: text(),
}

type Field = (typeof readerFields)[number]
type InternalColumn = (typeof internalReaderColumns)[number]

/** The columns that differ from their kind. */
const exceptions = { id: id(), uniqueReference: text(), version: defaulted(integer()) }

type ReaderColumns = {
  [F in Exclude<Field, { name: keyof typeof exceptions }> as F['name']]: (typeof fieldColumns)[F['kind']]
} & {
  [C in Exclude<
    InternalColumn,
    { name: keyof typeof exceptions } | { kind: 'key' }
  > as C['name']]: (typeof internalColumns)[C['kind']]
} & { [Key in keyof ReaderKeys]: ReturnType<typeof text<ReaderKeys[Key]>> } & typeof exceptions

/** A person or office that gets the magazine. The row holds the current subscription; `reader_events` holds its history. */
export const Readers = defineTable('readers', {
  ...recordOf(readerFields, ({ kind }) => fieldColumns[kind]),
  ...recordOf(internalReaderColumns, ({ kind }) => internalColumns[kind]),
  ...exceptions,
} as unknown as ReaderColumns)

export type ReaderRow = RowOf<typeof Readers>

/** Readers of a publication in ascending order of id, locked until the transaction ends. */
export async function lockReaders(
  ctx: AppContext,
  publicationId: number,
  ids: readonly number[],
): Promise<ReaderRow[]> {
  if (ids.length === 0) return []
  return Readers.rows(
    ctx,
    `SELECT ${Readers.columns()} FROM readers WHERE id IN (:ids) AND publication_id = :publicationId ORDER BY id
     ${rowLock(ctx.db)}`,
    { ids: [...ids], publicationId },
  )
}

/**
 * Locks the reader of an order or a renewal before any row that belongs to it. The lock order of every transaction that touches what readers pay:
 * reader (several in ascending order of id, and all of them before the first is written), order, its promo code, its back issues (in ascending order of
 * id), renewal, agreement. A new buyer is stored before the readers are locked; the row of an existing buyer is changed after that. The totals of the
 * ledger, which all sales of a title update, are locked after the promo code and the back issues. A transaction that begins further down (a decline,
 * another card) locks nothing that comes earlier. Two transactions with opposite orders would deadlock, and PostgreSQL would abort one of them.
 *
 * `query` selects at most one row, with a `readerId`. It is run again once its reader is locked, since a merge may have moved it to another reader
 * meanwhile. Returns the current row and its reader; null if there is none.
 */
export async function lockReader<Row extends object>(
  ctx: AppContext,
  query: { sql: string; values: SqlValues },
): Promise<{ row: (Row & OfReader) | null; reader: ReaderRow | null }> {
  let checkedId: number | null = null
  for (;;) {
    const [reader = null] = await Readers.rows(
      ctx,
      `SELECT ${Readers.columns()} FROM readers WHERE id = (SELECT "readerId" FROM (${query.sql}) subject) ${rowLock(ctx.db)}`,
      query.values,
    )
    const [row = null] = await ctx.db.query<Row & OfReader>(query.sql, query.values)
    const readerId: number | null = row?.readerId ?? null
    // A reader that is not found a second time does not exist.
    if (readerId === (reader?.id ?? null) || readerId === checkedId) return { row, reader }
    checkedId = readerId
  }
}

interface OfReader {
  readerId: number | null
}

const boughtFor = (r: string) =>
  `SELECT 1 FROM orders o WHERE o.reader_id = ${r}.id AND o.buyer_id = ${r}.buyer_id AND o.product IS NOT NULL`

/** Whether a reader `r` is a gift from the buyer whose account it is in: all of the orders for it were gifts. */
export const isGiftSql = `(EXISTS (${boughtFor('r')} AND o.is_gift) AND NOT EXISTS (${boughtFor('r')} AND NOT o.is_gift))`

/**
 * Assigns readers to the account of their last payer, own purchases before gifts. For records that were
 * archived before readers had an account column.
 */
export async function linkToBuyers(ctx: AppContext, readerIds: readonly number[]): Promise<void> {
  await ctx.db.run(
    `UPDATE readers SET buyer_id = (
       SELECT o.buyer_id FROM orders o WHERE o.reader_id = readers.id AND o.buyer_id IS NOT NULL AND o.state IN ('paid', 'refunded', 'reversed')
       ORDER BY o.is_gift, o.id DESC LIMIT 1)
     WHERE id IN (:readerIds)`,
    { readerIds: [...readerIds] },
  )
}

/**
 * Assigns the readers with an email that are in no account to the account of the buyer who has proved that the email is theirs. Returns how many. Each
 * record gets a new version: the undo of an import or of a merge would otherwise take it out of the account.
 */
export function linkByEmail(
  ctx: AppContext,
  link: { publicationId: number; keyEmail: string; buyerId: number },
): Promise<number> {
  return ctx.db.run(
    `UPDATE readers SET buyer_id = :buyerId, version = version + 1, modified_by = NULL, updated_at = :now
     WHERE id IN (SELECT id FROM readers
       WHERE publication_id = :publicationId AND key_email = :keyEmail AND key_email <> '' AND buyer_id IS NULL AND is_deleted = :no
       ORDER BY id ${rowLock(ctx.db)})`,
    { ...link, no: false, now: ctx.now() },
  )
}

/** A whole row of `readers` as it was, column by column, as the database returned it. */
export type ReaderImage = Record<string, string | number | boolean | null> & { id: number }

/** The rows of these readers, in the order of `ids`. */
export async function readerImages(ctx: AppContext, ids: readonly number[]): Promise<ReaderImage[]> {
  const images = await ctx.db.query<ReaderImage>(`SELECT * FROM readers WHERE id IN (:ids)`, { ids: [...ids] })
  return ids.flatMap((id) => images.find((image) => image.id === id) ?? [])
}

/** The fields of a record that can change after its row was stored: not the row's own, nor the moments, which an image has as text. */
export type ChangedFields = Partial<Omit<ReaderRow, 'id' | 'publicationId' | 'version' | 'createdAt' | 'updatedAt'>>

/**
 * A stored row with what changed later, at a new version: the undo of an earlier change would otherwise restore a row without it. SQLite has numbers for
 * booleans.
 */
export function changedImage(image: ReaderImage, fields: ChangedFields): ReaderImage {
  const changed = Object.entries(fields)
    .map(([field, value]) => ({ column: columnName(field), value }))
    .filter(({ column, value }) => (typeof value === 'boolean' ? Boolean(image[column]) : image[column]) !== value)
  if (changed.length === 0) return image
  const values = changed.map(({ column, value }) => [
    column,
    typeof value === 'boolean' && typeof image[column] === 'number' ? Number(value) : value,
  ])
  return { ...image, ...Object.fromEntries(values), version: Number(image.version) + 1 }
}

/** Restores a row as it was, with its id. It counts as changed now: a list that was shown before has not shown it. */
export async function insertImage(ctx: AppContext, image: ReaderImage): Promise<void> {
  await insertRow(ctx, image)
}

/** Restores a row as `insertImage` does, unless another reader has its reference by now; returns whether it did. */
export async function insertFreeImage(ctx: AppContext, image: ReaderImage): Promise<boolean> {
  return (await insertRow(ctx, image, 'ON CONFLICT DO NOTHING')) > 0
}

function insertRow(ctx: AppContext, image: ReaderImage, onConflict = ''): Promise<number> {
  const columns = Object.keys(image)
  return ctx.db.run(
    `INSERT INTO readers (${columns.join(', ')}) VALUES (${columns.map((column) => `:${column}`).join(', ')}) ${onConflict}`,
    { ...image, updated_at: ctx.now() },
  )
}

/** Removes readers of a publication. Call it in a transaction. */
export function removeRows(ctx: AppContext, publicationId: number, ids: readonly number[]): Promise<number> {
  return ctx.db.run(`DELETE FROM readers WHERE id IN (:ids) AND publication_id = :publicationId`, {
    ids: [...ids],
    publicationId,
  })
}

/** Merges several readers into one: the others' rows are deleted, and the survivor combines them all. Call it in a transaction. */
export async function replaceReaders(
  ctx: AppContext,
  publicationId: number,
  { survivorId, removed, values }: { survivorId: number; removed: readonly number[]; values: Partial<ReaderRow> },
): Promise<void> {
  // First, as the survivor may take a reference of the removed readers.
  await removeRows(ctx, publicationId, removed)
  await Readers.update(ctx, { id: survivorId, publicationId }, values)
}

/**
 * Restores the readers of a merge as they were: the survivor and the deleted ones. The version is restored as well: an earlier merge, fix or import can
 * then be undone after it. Call it in a transaction.
 */
export async function restoreReaders(
  ctx: AppContext,
  { survivor, removed }: { survivor: ReaderImage; removed: readonly ReaderImage[] },
): Promise<void> {
  const copiedColumns = Object.keys(survivor).filter((column) => column !== 'id')
  await ctx.db.run(
    `UPDATE readers SET ${copiedColumns.map((column) => `${column} = :${column}`).join(', ')} WHERE id = :id`,
    { ...survivor, updated_at: ctx.now() },
  )
  for (const image of removed) await insertImage(ctx, image)
}

/** Rows of JSON as a table `v` in SQL, for one statement that writes many. */
export interface RowsAsTable {
  sql: string
  /** The value of `:rows` in it. */
  json: string
}

/** Writes text columns of many readers, each at its new version, from a table with `id`, `version` and those columns. */
export async function writeReaderTexts(
  ctx: AppContext,
  { sql, json }: RowsAsTable,
  { columns, modifiedBy }: { columns: readonly string[]; modifiedBy: number | null },
): Promise<void> {
  await ctx.db.run(
    `UPDATE readers SET ${columns.map((column) => `${column} = v.${column}`).join(', ')}, version = v.version,
       modified_by = :modifiedBy, updated_at = :now
     FROM ${sql} WHERE readers.id = v.id`,
    { rows: json, modifiedBy, now: ctx.now() },
  )
}

const stateByFile = `CASE WHEN EXISTS (SELECT 1 FROM postcodes p WHERE p.file_id = :fileId AND p.post_code = readers.key_post_code)
  THEN 'ok' ELSE 'queried' END`

interface CheckedChunk {
  publicationId: number
  ids: readonly number[] | undefined
  after: number
  upTo: number
  countries: readonly string[]
  fileId: number
}

/** Sets for a range of readers in these countries, or only for `ids`, whether their postcode is in a file. Returns how many changed. */
export function checkPostCodes({ db }: Pick<TableContext, 'db'>, { ids, ...chunk }: CheckedChunk): Promise<number> {
  return db.run(
    `UPDATE readers SET post_code_state = ${stateByFile}
     WHERE publication_id = :publicationId AND id > :after AND id <= :upTo AND key_post_code <> ''
       AND key_post_code NOT LIKE 'BFPO%' AND key_post_code <> 'GIR0AA' AND country IN (:countries)
       AND post_code_state <> ${stateByFile} ${ids ? 'AND id IN (:ids)' : ''}`,
    { ...chunk, ...(ids ? { ids: [...ids] } : {}) },
  )
}

/** Marks these readers' postcodes as valid. */
export async function approvePostCodes({ db }: Pick<TableContext, 'db'>, ids: readonly number[]): Promise<void> {
  for (let from = 0; from < ids.length; from += 500) {
    await db.run(`UPDATE readers SET post_code_state = 'ok' WHERE id IN (:ids)`, { ids: ids.slice(from, from + 500) })
  }
}

/** What the post derives from a postcode in the publisher's own country. */
export interface PostalKeys extends Pick<ReaderKeys, 'mailSort' | 'postCodeState'> {
  id: number
  postCode: string
}

/** Writes the postal keys of readers without a country, unless their postcode has changed. Returns how many were written. */
export async function writePostalKeys({ db }: Pick<TableContext, 'db'>, keys: readonly PostalKeys[]): Promise<number> {
  if (keys.length === 0) return 0
  const columns = { id: 'id', post_code: 'text', mail_sort: 'text', post_code_state: 'text' } as const
  return db.run(
    `UPDATE readers SET mail_sort = v.mail_sort, post_code_state = v.post_code_state
     FROM ${rowsFromJson(db, ':rows', 'v', columns)}
     WHERE readers.id = v.id AND readers.post_code = v.post_code AND readers.country = ''`,
    {
      rows: JSON.stringify(
        keys.map(({ id, postCode, mailSort, postCodeState }) => ({
          id,
          post_code: postCode,
          mail_sort: mailSort,
          post_code_state: postCodeState,
        })),
      ),
    },
  )
}

/** The readers whose data the privacy policy requires to be deleted: no use since `before`, not changed since `untouchedSince`. */
export interface LapsedSince {
  publicationId: number
  before: Day
  untouchedSince: Date
}

/** The columns that serve only marketing. */
const contact = ['email', 'telephone', 'fax', 'web_address', 'job_title', 'data_source_one', 'data_source_two']
const answers = ['answer_a', 'answer_b', 'answer_c', 'answer_d', 'answer_e']
const texts = [...contact, ...answers]
const consents = optOuts.map(({ field }) => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))

/** A reader who has not been served, has not bought and has not logged in since `:before`, and who still has something to delete. */
const isLapsedSql = `
  readers.publication_id = :publicationId AND readers.sub_end_on < :before AND readers.updated_at < :untouchedSince
  AND (${[...texts.map((column) => `readers.${column} <> ''`), ...consents.map((column) => `NOT readers.${column}`)].join(' OR ')})
  AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.reader_id = readers.id AND o.ordered_on >= :before)
  AND NOT EXISTS (SELECT 1 FROM orders o WHERE readers.buyer_id IS NOT NULL AND o.buyer_id = readers.buyer_id AND o.ordered_on >= :before)
  AND NOT EXISTS (SELECT 1 FROM buyers b WHERE b.id = readers.buyer_id AND (b.last_login_at >= :before OR b.created_at >= :before))
  AND NOT EXISTS (SELECT 1 FROM payment_agreements a WHERE a.reader_id = readers.id AND a.state = 'active')`

/** The first lapsed readers by id. */
export async function findLapsed(ctx: AppContext, lapsed: LapsedSince, limit: number): Promise<number[]> {
  const rows = await ctx.db.query<{ id: number }>(
    `SELECT readers.id FROM readers WHERE ${isLapsedSql} ORDER BY readers.id LIMIT :limit`,
    { ...lapsed, limit },
  )
  return rows.map(({ id }) => id)
}

/** Deletes the marketing data of these readers if they are still lapsed: one may have come back meanwhile. Returns those affected. */
export async function deleteMarketing(ctx: AppContext, lapsed: LapsedSince, ids: readonly number[]): Promise<number[]> {
  await lockReaders(ctx, lapsed.publicationId, ids)
  const cleared = await ctx.db.query<{ id: number }>(
    `UPDATE readers SET ${texts.map((column) => `${column} = ''`).join(', ')}, ${consents.map((column) => `${column} = :yes`).join(', ')},
       key_email = '', version = version + 1, modified_by = NULL, updated_at = :now
     WHERE readers.id IN (:ids) AND ${isLapsedSql} RETURNING id`,
    { ...lapsed, ids: [...ids], yes: true, now: ctx.now() },
  )
  return cleared.map(({ id }) => id)
}
