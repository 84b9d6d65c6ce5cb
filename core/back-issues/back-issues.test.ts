import { beforeAll, beforeEach, expect, it } from 'vitest'
import { type Actor, visitor } from '#core/access/actor.ts'
import { placeBackIssueOrder } from '#core/orders/place-back-issue-order.ts'
import { actorOf, makePublication } from '#tests/support/factories.ts'
import { issueForm } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { createBackIssue } from './create-back-issue.ts'
import { issuesOnSale } from './issues-on-sale.query.ts'
import { listBackIssues, searchBackIssues } from './list-back-issues.query.ts'
import { removeBackIssue } from './remove-back-issue.ts'
import { updateBackIssue } from './update-back-issue.ts'

let services: TestServices
let publisher: Actor
let publicationId: number
beforeAll(async () => {
  services = await openTestServices()
})
beforeEach(async () => {
  const publication = await makePublication(services, { sellsBackIssues: true })
  publicationId = publication.id
  publisher = await actorOf(services, 'publisher', publication.publisherId)
})

const fields = (more: object = {}): Record<string, unknown> => ({
  publicationId,
  volume: 'Winter 2025',
  description: 'Storms',
  stock: '3',
  price: '6.50',
  priceUs: '9',
  postage: '0',
  ...more,
})

it('a back issue is added, listed, changed and removed', async () => {
  const ctx = services.as(publisher)
  const { id } = await createBackIssue(ctx, fields())
  await createBackIssue(ctx, fields({ volume: 'Spring 2026', stock: '' }))
  expect(await listBackIssues(ctx, {})).toMatchObject([
    { volume: 'Spring 2026', stock: null },
    {
      id,
      volume: 'Winter 2025',
      stock: 3,
      sold: 0,
      price: 650,
      priceUs: 900,
      priceEu: null,
      postage: 0,
      postageUs: null,
    },
  ])
  await updateBackIssue(ctx, { ...fields({ stock: '0', price: '7' }), id })
  expect(await listBackIssues(ctx, { id })).toMatchObject([{ stock: 0, price: 700 }])
  const elsewhere = { ...fields({ stock: '9' }), id, publicationId: publicationId + 1 }
  await expect(updateBackIssue(ctx, elsewhere)).rejects.toMatchObject({
    fields: { publicationId: expect.any(String) },
  })
  expect(await listBackIssues(ctx, { id })).toMatchObject([{ stock: 0 }])
  const [entry] = await services.db.query<{ facts: unknown }>(`SELECT facts FROM audit_log ORDER BY id DESC LIMIT 1`)
  expect(JSON.stringify(entry?.facts)).toMatch(/stock.*price|price.*stock/)
  await removeBackIssue(ctx, { id })
  expect(await listBackIssues(ctx, { id })).toEqual([])
  await expect(updateBackIssue(ctx, { ...fields(), id })).rejects.toMatchObject({ kind: 'notFound' })
})

it('back issues are listed newest first, by when they were added, in the back office and in the shop', async () => {
  const ctx = services.as(publisher)
  const volumes = ['Autumn 2025', 'Winter 2025', 'Spring 2026']
  for (const volume of volumes) await createBackIssue(ctx, fields({ volume }))
  const newestFirst = volumes.toReversed().map((volume) => ({ volume }))
  expect(await listBackIssues(ctx, {})).toMatchObject(newestFirst)
  expect(await issuesOnSale(ctx, publicationId)).toMatchObject(newestFirst)
})

it('back issues are searched by volume, description and publication, a page at a time, with their sold copies', async () => {
  const ctx = services.as(publisher)
  const shop = await services.db.query<{ urlKey: string; publisherId: number }>(
    `SELECT url_key AS "urlKey", publisher_id AS "publisherId" FROM publications WHERE id = :publicationId`,
    { publicationId },
  )
  const ids: number[] = []
  for (let n = 1; n <= 12; n++)
    ids.push((await createBackIssue(ctx, fields({ volume: `No. ${n}`, description: n === 3 ? 'Été' : 'Storms' }))).id)
  const order = issueForm({ id: publicationId, ...(shop[0] as { urlKey: string; publisherId: number }) }, [
    ids[0] as number,
  ])
  await placeBackIssueOrder(services.as(visitor), order)
  const page = await searchBackIssues(ctx, { page: 2, size: 10 })
  expect(page).toMatchObject({ total: 12, all: 12, pages: 2 })
  expect(page.rows.map(({ volume, sold }) => [volume, sold])).toEqual([
    ['No. 2', 0],
    ['No. 1', 1],
  ])
  const found = async (q: string) => (await searchBackIssues(ctx, { q, size: 100 })).rows.map(({ volume }) => volume)
  expect(await found('no. 12')).toEqual(['No. 12'])
  expect(await found('ÉTÉ')).toEqual(['No. 3'])
  expect(await found('title')).toHaveLength(12)
  expect(await searchBackIssues(ctx, { q: 'nothing' })).toMatchObject({ rows: [], total: 0, all: 12 })
  const other = services.as(await actorOf(services, 'publisher'))
  expect(await searchBackIssues(other, {})).toMatchObject({ rows: [], all: 0 })
})

it('a change keeps sales made while the form was open if the stock is unchanged; a changed stock is refused', async () => {
  const ctx = services.as(publisher)
  const { id } = await createBackIssue(ctx, fields())
  await services.db.run(`UPDATE back_issues SET stock = 2 WHERE id = :id`, { id })
  await updateBackIssue(ctx, { ...fields({ volume: 'Winter', stock: '3', stockBefore: '3' }), id })
  expect(await listBackIssues(ctx, { id })).toMatchObject([{ volume: 'Winter', stock: 2 }])
  await expect(updateBackIssue(ctx, { ...fields({ stock: '10', stockBefore: '3' }), id })).rejects.toMatchObject({
    kind: 'conflict',
    fields: { stock: expect.stringContaining('It is now 2 copies') },
  })
  await updateBackIssue(ctx, { ...fields({ stock: '', stockBefore: '2' }), id })
  expect(await listBackIssues(ctx, { id })).toMatchObject([{ stock: null }])
  await updateBackIssue(ctx, { ...fields({ stock: '', stockBefore: '' }), id })
  await updateBackIssue(ctx, { ...fields({ stock: '4', stockBefore: '' }), id })
  expect(await listBackIssues(ctx, { id })).toMatchObject([{ stock: 4 }])
})

it('a cover is kept when a change does not name one, and removed when it is blank', async () => {
  const ctx = services.as(publisher)
  const { id } = await createBackIssue(ctx, fields())
  await services.db.run(`UPDATE back_issues SET cover_image = 'demo/x.svg' WHERE id = :id`, { id })
  await updateBackIssue(ctx, { ...fields(), id })
  expect(await listBackIssues(ctx, { id })).toMatchObject([{ coverImage: 'demo/x.svg' }])
  await expect(updateBackIssue(ctx, { ...fields({ coverImage: 'demo/y.svg' }), id })).rejects.toMatchObject({
    fields: { coverImage: 'Upload the image first' },
  })
  await updateBackIssue(ctx, { ...fields({ coverImage: '' }), id })
  expect(await listBackIssues(ctx, { id })).toMatchObject([{ coverImage: null }])
})

it('reports all errors at once, in the specified words', async () => {
  const wrong = {
    publicationId: '',
    volume: ' ',
    description: 'x'.repeat(501),
    stock: 'many',
    price: '6,50',
    priceEu: '0',
    postageEu: '1e2',
  }
  await expect(createBackIssue(services.as(publisher), wrong)).rejects.toMatchObject({
    fields: {
      publicationId: 'Required',
      volume: 'Required',
      description: 'Must be 500 characters or fewer',
      stock: 'Must be a number',
      price: 'Must be an amount such as 29.99',
      priceEu: 'Leave blank where it is not for sale',
      postageEu: 'Must be an amount such as 29.99',
    },
  })
})

it('requires a publication that sells back issues', async () => {
  const withoutBackIssues = await makePublication(services, { publisherId: (publisher as { userId: number }).userId })
  await expect(
    createBackIssue(services.as(publisher), fields({ publicationId: withoutBackIssues.id })),
  ).rejects.toMatchObject({
    fields: { publicationId: expect.stringContaining('does not sell back issues') },
  })
})

it('a back issue belongs to its publisher; a pubadmin sees the parent’s, other roles see nothing', async () => {
  const { id } = await createBackIssue(services.as(publisher), fields())
  const stranger = services.as(await actorOf(services, 'publisher'))
  expect(await listBackIssues(stranger, {})).toEqual([])
  for (const change of [
    () => createBackIssue(stranger, fields()),
    () => updateBackIssue(stranger, { ...fields(), id }),
    () => removeBackIssue(stranger, { id }),
  ])
    await expect(change()).rejects.toMatchObject({ kind: 'notFound' })
  const { publisherId } = publisher as { publisherId: number }
  expect(await listBackIssues(services.as(await actorOf(services, 'pubadmin', publisherId)), {})).toHaveLength(1)
  await expect(listBackIssues(services.as(await actorOf(services, 'admin', publisherId)), {})).rejects.toMatchObject({
    kind: 'denied',
  })
})
