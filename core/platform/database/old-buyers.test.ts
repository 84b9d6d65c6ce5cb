import { beforeAll, describe, expect, it } from 'vitest'
import { ownReaders } from '#core/buyers/own-readers.query.ts'
import type { Database } from '#core/database.ts'
import { undoMerge } from '#core/duplicates/undo-merge.ts'
import { mergeChain } from '#core/readers/merged-readers.rows.ts'
import { restoreReader } from '#core/readers/restore-reader.ts'
import { operator } from '#tests/support/factories.ts'
import { addOldPublication, addOldRow } from '#tests/support/old-rows.ts'
import { openMigratedServices, type TestServices } from '#tests/support/test-services.ts'

/** Buyers and their readers in every relation between them, as they were stored while a buyer pointed to one reader. */

let db: Database
let publicationId: number
let publisherId: number
let lastNumber = 0

const addBuyer = (reader_id: number | null) =>
  addOldRow(db, 'buyers', { publication_id: publicationId, email_key: `b${++lastNumber}@example.org`, reader_id })

const addReader = (sub_type = 'print', sub_end_on = '2027-05-03') =>
  addOldRow(db, 'readers', {
    publication_id: publicationId,
    unique_reference: `R${++lastNumber}`,
    post_code_state: 'ok',
    address_state: 'ok',
    sub_type,
    sub_end_on,
  })

const addOrder = (buyer_id: number | null, reader_id: number | null, fields: Record<string, string | boolean> = {}) =>
  addOldRow(db, 'orders', {
    publisher_id: publisherId,
    publication_id: publicationId,
    order_number: `OD-${++lastNumber}`,
    idempotency_key: `key-${lastNumber}`,
    country: 'GB',
    product: 'print',
    state: 'paid',
    billing: '{}',
    buyer_id,
    reader_id,
    ...fields,
  })

/** Deletes a reader as a removal, a merge or an import does, and returns the deleted row. */
async function deleteReader(id: number): Promise<Record<string, unknown>> {
  const [row] = await db.query<Record<string, unknown>>(`SELECT * FROM readers WHERE id = :id`, { id })
  await db.run(`DELETE FROM readers WHERE id = :id`, { id })
  return row ?? {}
}

const ids: Record<string, number> = {}
let mergeId: number
let services: TestServices

beforeAll(async () => {
  services = await openMigratedServices('030-reader-buyers', async (oldDatabase) => {
    db = oldDatabase
    publicationId = await addOldPublication(db)
    const [publication] = await db.query<{ publisher_id: number }>(`SELECT publisher_id FROM publications`)
    publisherId = publication?.publisher_id ?? 0

    // A buyer of a bundle and then of print: the bundle vanished from the account.
    ids.bundle = await addReader('bundle')
    ids.print = await addReader()
    ids.regular = await addBuyer(ids.print)
    await addOrder(ids.regular, ids.bundle, { product: 'bundle' })
    await addOrder(ids.regular, ids.print)

    // A giver, and a recipient who then bought on the same record.
    ids.given = await addReader()
    ids.taken = await addReader()
    ids.donor = await addBuyer(null)
    await addOrder(ids.donor, ids.given, { is_gift: true })
    await addOrder(ids.donor, ids.taken, { is_gift: true })
    ids.recipient = await addBuyer(ids.taken)
    await addOrder(ids.recipient, ids.taken)
    await addOrder(ids.donor, ids.taken, { is_gift: true })

    // A merge left two accounts with one record.
    ids.merged = await addReader()
    ids.early = await addBuyer(ids.merged)
    ids.late = await addBuyer(ids.merged)
    await addOrder(ids.early, ids.merged)
    await addOrder(ids.late, ids.merged)

    // Records without a buyer, and orders that were never paid.
    ids.imported = await addReader()
    ids.visitor = await addBuyer(null)
    await addOrder(ids.visitor, ids.imported, { state: 'declined' })
    ids.refunded = await addReader()
    await addOrder(ids.visitor, ids.refunded, { state: 'refunded' })
    ids.issues = await addBuyer(null)
    await addOldRow(db, 'orders', {
      publisher_id: publisherId,
      publication_id: publicationId,
      order_number: 'OD-issues',
      billing: '{}',
      idempotency_key: 'issues',
      state: 'paid',
      buyer_id: ids.issues,
    })

    // Records that were removed manually, replaced by a file, or merged into another.
    const removed = await addReader()
    ids.removed = removed
    ids.remover = await addBuyer(removed)
    await addOrder(ids.remover, removed)
    await addOldRow(db, 'removed_readers', {
      publication_id: publicationId,
      reader_id: removed,
      actor_kind: 'operator',
      record: JSON.stringify(await deleteReader(removed)),
    })
    const replaced = await addReader()
    ids.replaced = replaced
    ids.reader = await addBuyer(replaced)
    await addOrder(ids.reader, replaced)
    const { upload_id: _, ...columns } = await deleteReader(replaced)
    await addOldRow(db, 'reader_backups', { ...(columns as Record<string, string>), upload_id: 1, kind: 'removed' })
    ids.survivor = await addReader()
    ids.kept = await addBuyer(ids.survivor)
    await addOrder(ids.kept, ids.survivor)
    ids.gone = await addReader()
    ids.moved = await addBuyer(ids.survivor)
    const goneOrder = await addOrder(ids.moved, ids.survivor)
    const [survivor] = await db.query<Record<string, unknown>>(`SELECT * FROM readers WHERE id = :id`, {
      id: ids.survivor,
    })
    mergeId = await addOldRow(db, 'reader_merges', {
      publication_id: publicationId,
      survivor_id: ids.survivor,
      survivor_version: 1,
      removed: 1,
      actor_kind: 'operator',
      records: JSON.stringify([survivor, await deleteReader(ids.gone)]),
      moved: JSON.stringify({ buyers: { [ids.gone]: [ids.moved] }, orders: { [ids.gone]: [goneOrder] } }),
    })
  })
})

const buyerOf = async (readerId: number | undefined, table = 'readers') =>
  (
    await services.db.query<{ buyer_id: number | null }>(`SELECT buyer_id FROM ${table} WHERE id = :readerId`, {
      readerId: readerId ?? 0,
    })
  )[0]?.buyer_id

describe('migration 030, for readers stored before buyer accounts', () => {
  it.each([
    ['bundle', 'regular'],
    ['print', 'regular'],
    ['given', 'donor'],
    ['taken', 'recipient'],
    ['merged', 'late'],
    ['refunded', 'visitor'],
  ])('puts the reader %s in the account of %s', async (name, account) => {
    expect(await buyerOf(ids[name])).toBe(ids[account])
  })

  it('puts a reader that nobody paid for in no account', async () => {
    expect(await buyerOf(ids.imported)).toBeNull()
  })

  it('keeps readers removed by an import in their account', async () => {
    expect(await buyerOf(ids.replaced, 'reader_backups')).toBe(ids.reader)
  })

  it('lists them all in the account, gifts as gifts', async () => {
    const account = (id: number | undefined) => ownReaders(services, { id: id ?? 0, publicationId })
    expect((await account(ids.regular)).map(({ subType, isGift }) => [subType, isGift]).sort()).toEqual([
      ['bundle', false],
      ['print', false],
    ])
    expect(await account(ids.donor)).toMatchObject([{ id: ids.given, isGift: true }])
    expect(await account(ids.recipient)).toMatchObject([{ id: ids.taken, isGift: false }])
    expect(await account(ids.issues)).toEqual([])
  })

  it('restores a removed reader into its account, and both readers of a merge', async () => {
    await restoreReader(services.as(operator), { id: ids.removed })
    expect(await buyerOf(ids.removed)).toBe(ids.remover)
    expect(await buyerOf(ids.survivor)).toBe(ids.moved)
    // Migration 129 finds in the old merge which record survived.
    const gone = { readerId: ids.gone ?? 0, publicationId }
    expect(await mergeChain(services, gone)).toEqual([ids.gone, ids.survivor])
    await undoMerge(services.as(operator), { mergeId })
    expect(await mergeChain(services, gone)).toEqual([ids.gone])
    expect(await buyerOf(ids.survivor)).toBe(ids.kept)
    expect(await buyerOf(ids.gone)).toBe(ids.moved)
  })
})
