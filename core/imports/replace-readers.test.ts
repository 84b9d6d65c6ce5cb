import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { buyerProfile } from '#core/buyers/buyer-profile.query.ts'
import { listOwnOrders } from '#core/buyers/list-own-orders.query.ts'
import { getOrder } from '#core/orders/get-order.query.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import type { PublicationRow } from '#core/publications/publications.rows.ts'
import { makePublication, operator } from '#tests/support/factories.ts'
import { readerFiles, refusal } from '#tests/support/reader-files.ts'
import { makeReader } from '#tests/support/readers.ts'
import { makeShop, orderForm } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { textOf } from '#tests/support/text-of.ts'
import { getUpload } from './get-upload.query.ts'
import { rejectedRows } from './rejected-rows.query.ts'
import { undoImport } from './undo-import.ts'

let services: TestServices
const { fileOf, importInto, exported, stored } = readerFiles(() => services)

beforeAll(async () => {
  services = await openTestServices()
})

/** Two readers of a file, one of the storefront, one that staff entered. */
async function makeMixedTitle(): Promise<{ title: PublicationRow; shop: number; staff: number }> {
  const title = await makePublication(services)
  await importInto(
    title,
    'UniqueReference,FullName,City,SubType,SubExpiry\nF1,Ann Lee,Fowey,print,31/12/2026\nF2,Bo Ray,Fowey,print,31/12/2026\n',
    'add',
  )
  const shop = await makeReader(services, title.id, {
    uniqueReference: 'S1',
    fullName: 'Shop Per',
    origin: 'storefront',
  })
  const staff = await makeReader(services, title.id, { uniqueReference: 'T1', fullName: 'Staff Per', origin: 'staff' })
  return { title, shop, staff }
}

const references = async (title: { id: number }) => (await stored(title)).map((row) => row.unique_reference)

describe('replacing all readers', () => {
  it('keeps readers who are in the file, under the same id, adds the rest, removes the others', async () => {
    const { title, shop } = await makeMixedTitle()
    const before = await stored(title)
    const report = await importInto(
      title,
      `BuyerId,UniqueReference,FullName,City\n,F2,Bo Ray,Leeds\n${shop},,Shop Per,\n,N1,New One,Ely\n`,
      'replace',
    )
    expect(report).toMatchObject({ rows: 3, added: 1, updated: 2, unchanged: 0, removed: 2, failed: 0 })
    const rows = await stored(title)
    expect(rows).toMatchObject([
      // Columns that a replacement leaves out are blank, as in a new record.
      { id: before[1]?.id, unique_reference: 'F2', city: 'Leeds', sub_type: '', sub_end_on: '2100-01-01', version: 2 },
      { id: shop, unique_reference: 'S1', full_name: 'Shop Per', origin: 'storefront' },
      { unique_reference: 'N1', origin: 'file' },
    ])
    expect(rows.every((row) => typeof row.key_name === 'string' && row.key_name !== '')).toBe(true)
  })

  it('changes nothing when given the readers’ own export', async () => {
    const { title, staff } = await makeMixedTitle()
    await services.db.run(`UPDATE readers SET is_deleted = :yes, sub_currency = 'USD' WHERE id = :staff`, {
      yes: true,
      staff,
    })
    const before = await stored(title)
    const report = await importInto(title, await exported(title), 'replace')
    expect(report).toMatchObject({ rows: 4, added: 0, updated: 0, unchanged: 4, removed: 0, failed: 0 })
    expect(await stored(title)).toEqual(before)
  })

  it('keeps a reader named in a rejected row: a typing error removes nobody', async () => {
    const { title } = await makeMixedTitle()
    const report = await importInto(
      title,
      'UniqueReference,FullName,Email\nF1,Ann Lee,not an address\nF2,Bo Ray,\nS1,"Never closed,\n',
      'replace',
    )
    expect(report).toMatchObject({ updated: 1, removed: 1, failed: 2 })
    expect(await references(title)).toEqual(['F1', 'F2', 'S1'])
    expect((await stored(title))[0]).toMatchObject({ version: 1, city: 'Fowey' })
  })

  it('keeps the readers whom rows with the same reference identify by BuyerId, and rejects all but the last row', async () => {
    const { title } = await makeMixedTitle()
    const [ann, bo] = await stored(title)
    const file = fileOf(`BuyerId,UniqueReference,FullName\n${ann?.id},X,Ann Lee\n${bo?.id},X,Bo Ray\n`)
    for (const options of [{ dryRun: true }, {}]) {
      const report = await importInto(title, file, 'replace', options)
      expect(report).toMatchObject({ updated: 1, removed: 2, repeated: 0, failed: 1 })
      expect(report.reasons).toMatchObject([
        {
          column: 'UniqueReference',
          reason: 'is given to another reader by a later line of this file',
          count: 1,
          firstLine: 2,
        },
      ])
    }
    expect(await stored(title)).toMatchObject([ann ?? {}, { id: bo?.id, unique_reference: 'X' }])
  })

  it('is refused when no row can be imported, and says why', async () => {
    const { title } = await makeMixedTitle()
    const before = await stored(title)
    const file = fileOf('UniqueReference,Email\nF1,bad\n,worse\n')
    const preview = await importInto(title, file, 'replace', { dryRun: true })
    expect(preview).toMatchObject({ rows: 2, removed: 0, failed: 2 })
    const error = await refusal(importInto(title, file, 'replace'))
    expect(error).toMatchObject({
      kind: 'invalid',
      message: 'No row of the file can be imported, so nothing was replaced',
    })
    expect(await stored(title)).toEqual(before)
    const [newestUpload] = await services.db.query<{ id: number }>(
      `SELECT max(id) AS id FROM uploads WHERE publication_id = :id`,
      { id: title.id },
    )
    const upload = await getUpload(services.as(operator), { uploadId: newestUpload?.id })
    expect(upload).toMatchObject({ state: 'failed', failed: 2 })
    expect((await rejectedRows(services.as(operator), { uploadId: upload.id })).total).toBe(2)
    // The publication is free for another import again.
    expect(await importInto(title, await exported(title), 'replace')).toMatchObject({ unchanged: 4 })
  })

  it('keeps readers added while it ran', async () => {
    const { title } = await makeMixedTitle()
    let late: Promise<number> | undefined
    await importInto(title, 'UniqueReference,FullName\nF1,Ann Lee\n', 'replace', {
      onProgress: () => {
        late ??= makeReader(services, title.id, { uniqueReference: 'LATE', origin: 'storefront' })
      },
    })
    await late
    expect(await references(title)).toEqual(['F1', 'LATE'])
  })

  it('previews the same counts, and changes nothing', async () => {
    const { title } = await makeMixedTitle()
    const before = await stored(title)
    const file = fileOf('UniqueReference,FullName,Email\nF1,Ann Lee,\nF2,Bo,bad\n,New One,\nF1,Ann Again,\n')
    const preview = await importInto(title, file, 'replace', { dryRun: true })
    expect(await stored(title)).toEqual(before)
    const actual = await importInto(title, file, 'replace')
    for (const report of [preview, actual])
      expect(report).toMatchObject({ rows: 4, added: 1, updated: 1, unchanged: 0, removed: 2, repeated: 1, failed: 1 })
  })
})

describe('replacing the imported readers', () => {
  it('keeps readers from the storefront and staff, and rejects rows that name them', async () => {
    const { title, shop, staff } = await makeMixedTitle()
    const before = await stored(title)
    const report = await importInto(
      title,
      `BuyerId,UniqueReference,FullName,SubExpiry,Shoe size\n,F1,Ann Lea,,\n,S1,Not Me,,44\n${staff},,Nor Me,,\n,N1,New,,\n`,
      'replace',
      { target: 'imported', mapping: { 'Shoe size': '' } },
    )
    expect(report).toMatchObject({ added: 1, updated: 1, removed: 1, failed: 2 })
    const { chunks } = await rejectedRows(services.as(operator), { uploadId: report.uploadId ?? 0 })
    const rejects = await textOf(chunks)
    // Blank cells stay blank and columns that are not imported are kept: the file is meant to be corrected.
    expect(rejects).toContain('\n,S1,Not Me,,44,3,')
    expect(report.reasons).toEqual([
      {
        column: 'UniqueReference',
        reason: 'belongs to a reader who was not imported from a file; only imported readers are replaced',
        count: 2,
        firstLine: 3,
      },
    ])
    const rows = await stored(title)
    expect(rows.map((row) => row.unique_reference)).toEqual(['F1', 'S1', 'T1', 'N1'])
    for (const id of [shop, staff])
      expect(rows.find((row) => row.id === id)).toEqual(before.find((row) => row.id === id))
  })

  it('keeps a reader whose number is in a row with the reference of a storefront reader', async () => {
    const { title } = await makeMixedTitle()
    const before = await stored(title)
    const file = fileOf(`BuyerId,UniqueReference,FullName\n${before[0]?.id},S1,Ann Lea\n,F2,Bo Ray\n`)
    for (const dryRun of [true, false]) {
      const report = await importInto(title, file, 'replace', { target: 'imported', dryRun })
      expect(report).toMatchObject({ updated: 1, removed: 0, failed: 1 })
    }
    expect((await stored(title))[0]).toEqual(before[0])
  })
})

describe('two replacements at once', () => {
  it('the second is refused, naming the first', async () => {
    const { title } = await makeMixedTitle()
    const first = importInto(title, fileOf('UniqueReference,FullName\nF1,One\n', 'first.csv'), 'replace')
    const second = importInto(title, fileOf('UniqueReference,FullName\nF2,Two\n', 'second.csv'), 'replace')
    const results = await Promise.allSettled([first, second])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const failure = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult
    expect(failure.reason).toMatchObject({ kind: 'conflict', message: expect.stringMatching(/(first|second)\.csv/) })
    expect(await references(title)).toHaveLength(1)
  })
})

describe('a reader with orders and an account who is replaced', () => {
  it('keeps both, buys again as a new reader, and has the old record back after an undo', async () => {
    const shop = await makeShop(services)
    const email = 'shopper@example.test'
    const firstOrder = await placeOrder(services.as(visitor), orderForm(shop, { email }))
    const linked = async () => {
      const [row] = await services.db.query<{
        order_id: number
        order_reader: number
        buyer_id: number
        buyer_reader: number
      }>(
        `SELECT o.id AS order_id, o.reader_id AS order_reader, b.id AS buyer_id, r.id AS buyer_reader
         FROM orders o JOIN buyers b ON b.id = o.buyer_id LEFT JOIN readers r ON r.buyer_id = b.id WHERE o.order_number = :orderNumber`,
        { orderNumber: firstOrder.orderNumber },
      )
      if (!row) throw new Error('The order is gone')
      return row
    }
    const { order_id: orderId, order_reader: readerId, buyer_id: buyerId } = await linked()
    const report = await importInto(shop, 'UniqueReference,FullName\nN1,Somebody Else\n', 'replace')
    expect(report).toMatchObject({ added: 1, removed: 1 })

    const buyer = services.as({ kind: 'buyer', buyerId, publicationId: shop.id })
    expect((await listOwnOrders(buyer, {})).total).toBe(1)
    expect((await buyerProfile(buyer, {})).email).toBe(email)
    expect(await getOrder(services.as(operator), { id: orderId })).toMatchObject({
      readerId: null,
      orderNumber: firstOrder.orderNumber,
    })

    const undone = await undoImport(services.as(operator), { uploadId: report.uploadId })
    expect(undone).toMatchObject({ broughtBack: 1, leftAlone: 0 })
    expect(await linked()).toMatchObject({ order_reader: readerId, buyer_reader: readerId })
    expect(await getOrder(services.as(operator), { id: orderId })).toMatchObject({ readerId })

    await importInto(shop, 'UniqueReference,FullName\nN1,Somebody Else\n', 'replace', { again: true })
    await placeOrder(services.as(visitor), orderForm(shop, { email }))
    const rows = await stored(shop)
    expect(rows.map((row) => [row.full_name, row.origin])).toEqual([
      ['Somebody Else', 'file'],
      ["Mrs Ann O'Brien", 'storefront'],
    ])
    expect(rows[1]?.id).not.toBe(readerId)
  })
})
