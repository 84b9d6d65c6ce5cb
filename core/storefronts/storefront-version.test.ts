import { beforeAll, beforeEach, expect, it } from 'vitest'
import { type Actor, visitor } from '#core/access/actor.ts'
import { updateAccount } from '#core/accounts/update-account.ts'
import { createBackIssue } from '#core/back-issues/create-back-issue.ts'
import { removeBackIssue } from '#core/back-issues/remove-back-issue.ts'
import { updateBackIssue } from '#core/back-issues/update-back-issue.ts'
import { placeBackIssueOrder } from '#core/orders/place-back-issue-order.ts'
import { storefrontTables } from '#core/platform/database/storefront-version.ts'
import { deactivateUser } from '#core/users/deactivate-user.ts'
import { reactivateUser } from '#core/users/reactivate-user.ts'
import { actorOf } from '#tests/support/factories.ts'
import { issueForm, makeShop } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { countPageView } from '../publications/count-page-view.ts'
import { editPublication } from '../publications/edit-publication.ts'
import { removePublication } from '../publications/remove-publication.ts'
import { restorePublication } from '../publications/restore-publication.ts'
import { getStorefront } from './get-storefront.query.ts'

let services: TestServices
let shop: Awaited<ReturnType<typeof makeShop>>
let publisher: Actor
beforeAll(async () => {
  services = await openTestServices()
})
beforeEach(async () => {
  shop = await makeShop(services, { sellsBackIssues: true })
  publisher = await actorOf(services, 'publisher', shop.publisherId)
})

const issue = (): Record<string, unknown> => ({
  publicationId: shop.id,
  volume: 'Winter 2025',
  stock: '1',
  price: '6.50',
  postage: '0',
})

/** How much the work increments the version of what storefronts show. */
async function versionChange(work: () => Promise<unknown>): Promise<number> {
  const before = services.db.storefrontVersion()
  await work()
  return services.db.storefrontVersion() - before
}

it('the version increases with every change that a storefront shows', async () => {
  const ctx = services.as(publisher)
  const superuser = services.as(await actorOf(services, 'superuser'))
  let issueId = 0
  const changes: Record<string, () => Promise<unknown>> = {
    name: () => editPublication(ctx, { id: shop.id, publicationName: 'Another name' }),
    price: () => editPublication(ctx, { id: shop.id, printPriceOneYear: '31.00' }),
    account: () => updateAccount(ctx, { telephone: '020 7946 0999' }),
    'new issue': async () => {
      issueId = (await createBackIssue(ctx, issue())).id
    },
    'issue changed': () => updateBackIssue(ctx, { ...issue(), id: issueId, price: '7.00' }),
    'issue sold': () => placeBackIssueOrder(services.as(visitor), issueForm(shop, [issueId])),
    'issue gone': () => removeBackIssue(ctx, { id: issueId }),
    closed: () => deactivateUser(superuser, { id: shop.publisherId }),
    open: () => reactivateUser(superuser, { id: shop.publisherId }),
    removed: () => removePublication(ctx, { id: shop.id }),
    restored: () => restorePublication(ctx, { id: shop.id }),
  }
  for (const [name, change] of Object.entries(changes))
    expect([name, (await versionChange(change)) > 0]).toEqual([name, true])
})

it('the version is unchanged by rollbacks and reads', async () => {
  const ctx = services.as(publisher)
  const failing = services.db.transaction(async () => {
    await editPublication(ctx, { id: shop.id, publicationName: 'Never stored' })
    throw new Error('given up')
  })
  expect(await versionChange(() => failing.catch(() => {}))).toBe(0)
  const visitorCtx = {
    ...services.as(visitor),
    origin: { entryPoint: 'test' as const, address: '10.0.0.1', userAgent: 'Mozilla' },
  }
  expect(await versionChange(() => countPageView(visitorCtx, { publicationId: shop.id }))).toBe(0)
  expect(await versionChange(() => getStorefront(services.as(visitor), { urlKey: shop.urlKey }))).toBe(0)
})

it('the version increases once, and only when the change can be read', async () => {
  const seen: number[] = []
  const before = services.db.storefrontVersion()
  await services.db.transaction(async () => {
    await services.db.run(`UPDATE publications SET color = '#123456' WHERE id = :id`, { id: shop.id })
    await services.db.transaction(() =>
      services.db.run(`UPDATE accounts SET telephone = '1' WHERE user_id = :id`, { id: shop.publisherId }),
    )
    seen.push(services.db.storefrontVersion())
  })
  expect([...seen, services.db.storefrontVersion()]).toEqual([before, before + 1])
})

it('the version covers every table that a storefront is read from', async () => {
  const { options } = services.db.sequelize as unknown as { options: { logging: unknown } }
  const statements: string[] = []
  await createBackIssue(services.as(publisher), issue())
  options.logging = (statement: string) => statements.push(statement)
  await getStorefront(services.as(visitor), { urlKey: shop.urlKey })
  options.logging = false
  const tables = statements.flatMap((text) => [...text.matchAll(/\b(?:FROM|JOIN)\s+(\w+)/gi)].map(([, table]) => table))
  expect(tables.length).toBeGreaterThan(3)
  expect(tables.filter((table) => !(storefrontTables as readonly string[]).includes(table ?? ''))).toEqual([])
})
