import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { importReaders } from '#core/imports/import-readers.ts'
import { makePublication, operator } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { mergeReaders } from '../duplicates/merge-readers.ts'
import { undoMerge } from '../duplicates/undo-merge.ts'
import { changeReaderAddress } from './change-reader-address.ts'
import { allOptedOut } from './opt-outs.rules.ts'
import { readersVersion } from './reader-editions.rows.ts'
import { reverseTerm } from './reverse-term.ts'
import { setOptOuts } from './set-opt-outs.ts'
import { type BoughtSubscription, subscribeReader } from './subscribe-reader.ts'

const services = await openTestServices()
const ctx = services.as(operator)
let publicationId: number
let urlKey: string

beforeEach(async () => {
  const publication = await makePublication(services)
  publicationId = publication.id
  urlKey = publication.urlKey
})

const address = {
  title: 'Ms',
  firstName: 'Nell',
  lastName: 'Gwynne',
  companyName: '',
  addressOne: '1 Quay',
  addressTwo: '',
  addressThree: '',
  city: 'Fowey',
  state: '',
  postCode: 'PL23 1AT',
  country: 'GB',
}

const bought = (): BoughtSubscription => ({
  publicationId,
  buyerId: 1,
  isNewRecord: true,
  today: '2026-11-21',
  email: 'nell@example.test',
  telephone: '',
  address,
  optOuts: allOptedOut(),
  answers: {},
  plan: { product: 'print', termMonths: 12 },
  orderId: 1,
  orderNumber: 'OD-1',
  productName: 'One year',
  money: null,
})

/** By how much the edition number grew during the work. */
async function editionGrowth(work: () => Promise<unknown>): Promise<number> {
  const before = await readersVersion(services.db, publicationId)
  await work()
  return (await readersVersion(services.db, publicationId)) - before
}

const growthInTransaction = (work: () => Promise<unknown>) => editionGrowth(() => services.db.transaction(work))

describe('the edition number of a publication’s readers', () => {
  it('grows with an order, its reversal, a changed address and other opt-outs', async () => {
    expect(await growthInTransaction(() => subscribeReader(ctx, bought()))).toBe(1)
    const [reader] = await services.db.query<{ id: number; sub_start_on: string; sub_end_on: string }>(
      `SELECT id, sub_start_on, sub_end_on FROM readers WHERE publication_id = :publicationId`,
      { publicationId },
    )
    const readerId = reader?.id ?? 0
    const newAddress = { ...address, addressOne: '2 Quay' }
    expect(
      await growthInTransaction(() => changeReaderAddress(ctx, { readerId, publicationId, address: newAddress })),
    ).toBe(1)
    expect(
      await growthInTransaction(() => changeReaderAddress(ctx, { readerId, publicationId, address: newAddress })),
    ).toBe(0)
    const chosen = { ...allOptedOut(), pubOffers: false }
    expect(await growthInTransaction(() => setOptOuts(ctx, { readerId, publicationId, chosen }))).toBe(1)
    const term = { startOn: String(reader?.sub_start_on), endOn: String(reader?.sub_end_on), today: '2026-11-22' }
    const order = { orderId: 1, orderNumber: 'OD-1', product: 'print' as const, reason: 'refunded' }
    expect(await growthInTransaction(() => reverseTerm(ctx, { readerId, publicationId, ...order, ...term }))).toBe(1)
  })

  it('grows with a merge and with its undo', async () => {
    const readerIds = [await makeReader(services, publicationId), await makeReader(services, publicationId)]
    let mergeId = 0
    expect(
      await editionGrowth(async () => {
        mergeId = (await mergeReaders(ctx, { publicationId, readerIds })).mergeId ?? 0
      }),
    ).toBe(1)
    expect(await editionGrowth(() => undoMerge(ctx, { mergeId }))).toBe(1)
  })

  it('grows with a file that adds readers, and not with its dry run', async () => {
    const file = join(services.dataDir, 'two.csv')
    writeFileSync(file, 'FirstName,LastName\nAda,One\nBob,Two\n')
    expect(await editionGrowth(() => importReaders(ctx, { urlKey, file, mode: 'add', dryRun: true }))).toBe(0)
    expect(await editionGrowth(() => importReaders(ctx, { urlKey, file, mode: 'add' }))).toBeGreaterThan(0)
  })

  it('is unchanged when the transaction is rolled back', async () => {
    const work = services.db.transaction(async () => {
      await subscribeReader(ctx, bought())
      throw new Error('The order fell through')
    })
    await expect(work).rejects.toThrow('fell through')
    expect(await readersVersion(services.db, publicationId)).toBe(0)
  })
})
