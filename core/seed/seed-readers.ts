import type { Services } from '../context.ts'
import { optOuts } from '../readers/opt-outs.rules.ts'
import { deriveReader } from '../readers/reader-keys.rules.ts'
import { readersChanged } from '../readers/readers-changed.ts'
import { referenceInitials, uniqueReference } from '../readers/unique-reference.rules.ts'
import { insertRows, type NewRow } from './insert-rows.ts'
import type { DemoReader } from './make-readers.ts'
import type { Customer } from './make-sales.ts'
import type { SeededPublication } from './seed-publications.ts'

/** The publication's own shift: fixed, so that every demo has the same references. */
const referenceShift = 2_604_113

/** Writes a publication's readers with their derived keys. Returns the ids of those the storefront made. */
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
  const createdAt = new Date(`${reader.createdOn}T09:30:00Z`)
  return {
    publication_id: publicationId,
    unique_reference: reference,
    title: reader.title,
    first_name: reader.firstName,
    last_name: reader.lastName,
    full_name: reader.fullName,
    email: reader.email,
    job_title: reader.jobTitle,
    company_name: reader.companyName,
    address_one: reader.addressOne,
    address_two: reader.addressTwo,
    address_three: reader.addressThree,
    address_four: '',
    city: reader.city,
    state: reader.state,
    post_code: reader.postCode,
    country: reader.country,
    telephone: reader.telephone,
    fax: '',
    web_address: '',
    reader_type: reader.readerType,
    ...Object.fromEntries(
      optOuts.map(({ field }) => [
        snake(field),
        field.startsWith('pub') ? reader.refusesOffers : reader.refusesPartners,
      ]),
    ),
    sub_start_on: reader.subStartOn,
    sub_end_on: reader.subEndOn,
    sub_renew_on: reader.subRenewOn,
    sub_type: reader.subType,
    sub_paid: reader.subPaid,
    sub_currency: reader.subCurrency,
    history: reader.history,
    data_source_one: reader.dataSourceOne,
    data_source_two: '',
    answer_a: reader.answerA,
    answer_b: '',
    answer_c: reader.answerC,
    answer_d: '',
    answer_e: '',
    ...Object.fromEntries(Object.entries(keys).map(([name, value]) => [snake(name), value])),
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

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
