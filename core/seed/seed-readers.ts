import type { Services } from '../context.ts'
import { columnName } from '../kernel/column-name.ts'
import { beginTermsAtCreationSql } from '../readers/circulation-terms.rows.ts'
import { optOuts } from '../readers/opt-outs.rules.ts'
import { readersChanged } from '../readers/reader-editions.rows.ts'
import { blankOf, type ReaderFieldValues, readerFields } from '../readers/reader-fields.rules.ts'
import { deriveReader } from '../readers/reader-keys.rules.ts'
import { referenceInitials, uniqueReference } from '../readers/unique-reference.rules.ts'
import { insertRows, type NewRow } from './insert-rows.ts'
import type { DemoReader } from './make-readers.ts'
import type { Customer } from './make-sales.ts'
import type { SeededPublication } from './seed-publications.ts'

/** The shift of the publications' reader references: fixed, so that every demo has the same ones. */
const referenceShift = 2_604_113

/** Writes a publication's readers with their derived keys. Returns the ids of those created at the storefront. */
export async function seedReaders(
  { db, now }: Services,
  { id, publication }: SeededPublication,
  readers: readonly DemoReader[],
): Promise<Map<Customer, number>> {
  const initials = referenceInitials(publication.name)
  const references = readers.map((_, index) => uniqueReference(initials, index, referenceShift))
  await insertRows(
    db,
    'readers',
    readers.map((reader, index) => readerRow(id, references[index] ?? '', reader, now())),
  )
  await db.run(`UPDATE publications SET references_made = :made, reference_shift = :shift WHERE id = :id`, {
    id,
    made: readers.length,
    shift: referenceShift,
  })
  await db.run(beginTermsAtCreationSql(db, id))
  await readersChanged(db, id)
  const rows = await db.query<{ id: number; unique_reference: string }>(
    `SELECT id, unique_reference FROM readers WHERE publication_id = :id AND origin = 'storefront'`,
    { id },
  )
  const ids = new Map(rows.map((row) => [row.unique_reference, row.id]))
  return new Map(
    readers.flatMap(({ customer }, index) =>
      customer ? [[customer, ids.get(references[index] ?? '') ?? 0] as const] : [],
    ),
  )
}

function readerRow(publicationId: number, reference: string, reader: DemoReader, now: Date): NewRow {
  const keys = deriveReader({ ...reader, addressFour: '' }, 'GB')
  const values: Partial<ReaderFieldValues> = reader
  const createdAt = new Date(`${reader.createdOn}T09:30:00Z`)
  return {
    publication_id: publicationId,
    ...Object.fromEntries(readerFields.map(({ name, kind }) => [columnName(name), values[name] ?? blankOf[kind]])),
    unique_reference: reference,
    ...Object.fromEntries(
      optOuts.map(({ field }) => [
        columnName(field),
        field.startsWith('pub') ? reader.refusesOffers : reader.refusesPartners,
      ]),
    ),
    sub_currency: reader.subCurrency,
    ...Object.fromEntries(Object.entries(keys).map(([name, value]) => [columnName(name), value])),
    origin: reader.origin,
    upload_id: null,
    upload_line: null,
    is_deleted: reader.isDeleted,
    version: 1,
    modified_by: null,
    created_at: createdAt,
    updated_at: createdAt < now ? createdAt : now,
  }
}
