import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Actor } from '#core/access/actor.ts'
import { actorOf, makeUser } from '#tests/support/factories.ts'
import { orderForm } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { visitor } from '../access/actor.ts'
import { circulation } from '../analytics/circulation.query.ts'
import { topBarFigures } from '../analytics/top-bar.query.ts'
import { storeUpload } from '../imports/store-upload.ts'
import { takeOverOpeningBalances } from '../ledger/take-over-opening-balances.ts'
import { placeOrder } from '../orders/place-order.ts'
import { takeStaffOrder } from '../orders/take-staff-order.ts'
import { countedTitles } from '../plans/counted-titles.query.ts'
import { checkPromo } from '../promos/check-promo.ts'
import { createPublication } from '../publications/create-publication.ts'
import { getTitleQuota } from '../publications/get-title-quota.query.ts'
import { listPublications } from '../publications/list-publications.query.ts'
import { listSitemapStorefronts } from '../publications/list-sitemap-storefronts.query.ts'
import { listStorefronts } from '../publications/list-storefronts.query.ts'
import { removePublication } from '../publications/remove-publication.ts'
import { getStorefront, previewStorefront } from '../storefronts/get-storefront.query.ts'
import { changeAccount } from '../users/accounts.rows.ts'
import { checkTestPromo } from './check-test-promo.ts'
import { makeExample } from './make-example.ts'
import { placeTestOrder } from './place-test-order.ts'
import { removeExample } from './remove-example.ts'

let services: TestServices
let publisher: Actor
let publisherId: number
let urlKey: string
beforeAll(async () => {
  services = await openTestServices()
})
beforeEach(async () => {
  publisherId = (await makeUser(services)).id
  publisher = await actorOf(services, 'publisher', publisherId)
  urlKey = `example-${publisherId}`
  await changeAccount(services.as(publisher), publisherId, { numberOfPublications: 1 })
})

const ctx = () => services.as(publisher)

async function* csv() {
  yield Buffer.from('FirstName,LastName,Email\nAnn,Lee,ann@example.com\n')
}
const upload = (publicationId: number, chunks: AsyncIterable<Uint8Array> = csv()) =>
  storeUpload(ctx(), { publicationId, mode: 'add', fileName: 'readers.csv', chunks })

/** The number of rows of each table that belong to the publication. */
async function rowsOfTitle(id: number): Promise<Record<string, number>> {
  const columns =
    services.db.dialect === 'postgres'
      ? `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = current_schema() AND column_name = 'publication_id'`
      : `SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c ON c.name = 'publication_id' WHERE m.type = 'table'`
  const tables = await services.db.query<{ name: string }>(columns)
  const counts = await Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await services.db.query<{ n: number }>(
        `SELECT COUNT(*) AS n FROM ${name} WHERE publication_id = :id`,
        { id },
      )
      return [name, Number(row?.n)] as const
    }),
  )
  return Object.fromEntries(counts.filter(([, n]) => n > 0))
}

describe('an example title', () => {
  it('has prices, two promo codes and a few dozen readers with no real addresses', async () => {
    const { id, publicationName, isNew } = await makeExample(ctx(), {})
    expect({ publicationName, isNew }).toEqual({ publicationName: 'Example: Harbour Light', isNew: true })
    const counts = await rowsOfTitle(id)
    expect(counts.promo_codes).toBe(2)
    expect(counts.readers).toBeGreaterThanOrEqual(36)
    const emails = await services.db.query<{ email: string }>(
      `SELECT email FROM readers WHERE publication_id = :id AND email <> ''
       UNION SELECT email_address FROM publications WHERE id = :id UNION SELECT order_email_address FROM publications WHERE id = :id`,
      { id },
    )
    expect(emails.filter(({ email }) => !/@([\w-]+\.)*(example\.(com|net|org)|example)$/.test(email))).toEqual([])
    expect(await services.db.query(`SELECT id FROM jobs WHERE name LIKE 'send-%'`)).toEqual([])
    expect(await listPublications(ctx(), {})).toMatchObject([{ id, isExample: true, isOnSale: true }])
  })

  it('is created once, even by two concurrent requests', async () => {
    const examples = await Promise.all([makeExample(ctx(), {}), makeExample(ctx(), {})])
    expect(examples[0]?.id).toBe(examples[1]?.id)
    expect(examples.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect(await listPublications(ctx(), {})).toHaveLength(1)
  })

  it('does not count towards the plan or in any total', async () => {
    const { id } = await makeExample(ctx(), {})
    expect(await getTitleQuota(ctx(), {})).toMatchObject({ used: 0, allowed: 1 })
    expect(await countedTitles(ctx(), publisherId)).toEqual([])
    expect(await topBarFigures(ctx(), {})).toMatchObject({ titles: 0, readers: 0 })
    const everyTitle = await circulation(ctx(), {})
    expect(everyTitle.counts?.all.all).toBe(0)
    const example = await circulation(ctx(), { publicationId: id })
    expect(example.counts?.all.all).toBeGreaterThan(0)
    await createPublication(ctx(), {
      publicationName: 'My own',
      issuesPerYear: '4',
      urlKey: `own-${publisherId}`,
      emailAddress: 'a@own.example',
      orderEmailAddress: 'a@own.example',
    })
  })

  it('is visible only to its own publisher, and sells nothing through any entry point', async () => {
    const { id } = await makeExample(ctx(), {})
    const shop = { id, urlKey, publisherId }
    const asVisitor = services.as(visitor)
    await expect(getStorefront(asVisitor, { urlKey })).rejects.toMatchObject({ kind: 'notFound' })
    await expect(placeOrder(asVisitor, orderForm(shop, { plan: '1PN54.00' }))).rejects.toMatchObject({
      kind: 'notFound',
    })
    await expect(checkPromo(asVisitor, { urlKey, promoCode: 'WELCOME20' })).rejects.toMatchObject({ kind: 'notFound' })
    const stranger = services.as(await actorOf(services, 'publisher'))
    await expect(previewStorefront(stranger, { publicationId: id })).rejects.toMatchObject({ kind: 'notFound' })
    expect(await previewStorefront(ctx(), { publicationId: id })).toMatchObject({ isExample: true, accepts: ['demo'] })
    expect((await listStorefronts(asVisitor, {})).map((storefront) => storefront.urlKey)).not.toContain(urlKey)
    const addresses = await listSitemapStorefronts(asVisitor, { after: 0, upTo: id })
    expect(addresses.map((storefront) => storefront.urlKey)).not.toContain(urlKey)
    const staffOrder = {
      publicationId: id,
      plan: '1PN54.00',
      country: 'GB',
      idempotencyKey: 'a'.repeat(20),
      channel: 'phone',
      method: 'cash',
      firstName: 'Ann',
      lastName: 'Lee',
      email: 'ann@example.com',
      sendsReceipt: false,
      billing: { addressOne: '1 Quay Street', city: 'London', postCode: 'SW1A 1AA' },
    }
    await expect(takeStaffOrder(ctx(), staffOrder)).rejects.toMatchObject({ kind: 'conflict' })
    await expect(takeOverOpeningBalances(ctx(), { publicationId: id, on: '2026-11-01' })).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('example title'),
    })
    await expect(removePublication(ctx(), { id })).rejects.toMatchObject({ kind: 'conflict' })
  })

  it('allows a test order with its promo code', async () => {
    const { id } = await makeExample(ctx(), {})
    const input = { urlKey, plan: '1PN54.00', promoCode: 'welcome20' }
    expect(await checkTestPromo(ctx(), input)).toMatchObject({ code: 'WELCOME20', discountPercent: 20 })
    await expect(checkTestPromo(ctx(), { ...input, promoCode: 'NOPE' })).rejects.toMatchObject({ kind: 'invalid' })
    const form = orderForm({ id, urlKey, publisherId }, { plan: '1PN54.00', promoCode: 'WELCOME20' })
    await placeTestOrder(ctx(), form)
    expect(await rowsOfTitle(id)).toMatchObject({ test_orders: 1 })
    expect(
      await services.db.query(`SELECT used FROM promo_codes WHERE publication_id = :id AND used > 0`, { id }),
    ).toEqual([])
  })
})

describe('the removal of an example title', () => {
  it('deletes everything that belongs to the title, and another example can be created', async () => {
    const { id } = await makeExample(ctx(), {})
    await placeTestOrder(ctx(), orderForm({ id, urlKey, publisherId }, { plan: '1PN54.00' }))
    expect(await removeExample(ctx(), { publicationId: id })).toEqual({ publicationName: 'Example: Harbour Light' })
    expect(await rowsOfTitle(id)).toEqual({})
    expect(await listPublications(ctx(), {})).toEqual([])
    await expect(removeExample(ctx(), { publicationId: id })).rejects.toMatchObject({ kind: 'notFound' })
    expect((await makeExample(ctx(), {})).isNew).toBe(true)
  })

  it('deletes only an example of the publisher’s own', async () => {
    const { id } = await makeExample(ctx(), {})
    const stranger = services.as(await actorOf(services, 'publisher'))
    await expect(removeExample(stranger, { publicationId: id })).rejects.toMatchObject({ kind: 'notFound' })
    const ownTitle = await createPublication(ctx(), {
      publicationName: 'My own',
      issuesPerYear: '4',
      urlKey: `mine-${publisherId}`,
      emailAddress: 'a@own.example',
      orderEmailAddress: 'a@own.example',
    })
    await expect(removeExample(ctx(), { publicationId: ownTitle.id })).rejects.toMatchObject({ kind: 'conflict' })
  })

  it('is refused while a reader file is being read, and deletes one that waits for confirmation', async () => {
    const { id } = await makeExample(ctx(), {})
    const { state } = await upload(id)
    expect(state).toBe('checking')
    await expect(removeExample(ctx(), { publicationId: id })).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('check of an upload'),
    })
    await services.db.run(`UPDATE tasks SET state = 'done', lock_key = NULL WHERE publication_id = :id`, { id })
    const [row] = await services.db.query<{ stored_file: string }>(
      `SELECT stored_file FROM uploads WHERE publication_id = :id`,
      { id },
    )
    await removeExample(ctx(), { publicationId: id })
    expect(await rowsOfTitle(id)).toEqual({})
    await expect.poll(() => services.uploadFiles.exists(row?.stored_file ?? '')).toBe(false)
  })

  it('logs a warning about an uploaded file that cannot be removed, and completes', async () => {
    const { id } = await makeExample(ctx(), {})
    await upload(id)
    await services.db.run(`UPDATE tasks SET state = 'done', lock_key = NULL WHERE publication_id = :id`, { id })
    const warnings: (string | undefined)[] = []
    const refused = new Error('EACCES: permission denied')
    await removeExample(
      {
        ...ctx(),
        uploadFiles: { ...services.uploadFiles, remove: () => Promise.reject(refused) },
        log: { ...services.log, warn: (_, message) => warnings.push(message) },
      },
      { publicationId: id },
    )
    await expect.poll(() => warnings).toEqual(['an uploaded file was not removed'])
  })

  it('lets a concurrent upload fail with the error that its title is not found', async () => {
    const { id } = await makeExample(ctx(), {})
    async function* chunksAroundRemoval() {
      yield Buffer.from('FirstName,LastName,Email\n')
      await removeExample(ctx(), { publicationId: id })
      yield Buffer.from('Ann,Lee,ann@example.com\n')
    }
    await expect(upload(id, chunksAroundRemoval())).rejects.toMatchObject({ kind: 'notFound' })
    expect(await rowsOfTitle(id)).toEqual({})
  })
})
