import { beforeAll, expect, it } from 'vitest'
import { PromoCodes } from '#core/promos/promo-codes.rows.ts'
import { makeShop } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'

let services: TestServices
let publicationId: number
beforeAll(async () => {
  services = await openTestServices()
  publicationId = (await makeShop(services)).id
})

const applicableProducts = { print: { priceOneYear: true } }
const newCode = (code: string) => ({
  publicationId,
  name: code,
  code,
  codeKey: code.toUpperCase(),
  discountPercent: 25,
  startsOn: '2026-11-22',
  applicableProducts,
})

it('inserts a row with its defaults and moments and finds it again, decoded alike on both engines', async () => {
  const id = await PromoCodes.insert(services, newCode('spring'))
  const found = await PromoCodes.find(services, { id })
  expect(found).toEqual({
    ...newCode('spring'),
    id,
    endsOn: null,
    uses: 0,
    used: 0,
    readerId: null,
    removedAt: null,
    createdAt: services.clock.now,
    updatedAt: services.clock.now,
  })
  const [read] = await PromoCodes.rows<{ twice: number }>(
    services,
    `SELECT ${PromoCodes.columns('c')}, 2 * c.discount_percent AS twice FROM promo_codes c WHERE c.id = :id`,
    { id },
  )
  expect(read).toEqual({ ...found, twice: 50 })
})

it('updates only rows in the expected state, and returns how many', async () => {
  const id = await PromoCodes.insert(services, newCode('summer'))
  const later = new Date('2026-11-23T09:00:00Z')
  const at = { ...services, now: () => later }
  expect(await PromoCodes.update(at, { id, uses: 5 }, { name: 'Never' })).toBe(0)
  expect(await PromoCodes.update(at, { id, removedAt: null }, { name: 'Once', removedAt: later })).toBe(1)
  expect(await PromoCodes.update(at, { id, removedAt: null }, { name: 'Twice' })).toBe(0)
  expect(await PromoCodes.find(services, { id })).toMatchObject({
    name: 'Once',
    removedAt: later,
    createdAt: services.clock.now,
    updatedAt: later,
  })
})

it('joins the transaction it is called in', async () => {
  const broken = services.db.transaction(async () => {
    await PromoCodes.insert(services, newCode('autumn'))
    throw new Error('rolled back')
  })
  await expect(broken).rejects.toThrow('rolled back')
  expect(await PromoCodes.find(services, { publicationId, code: 'autumn' })).toBeNull()
})

it('deletes rows and returns how many', async () => {
  const id = await PromoCodes.insert(services, newCode('winter'))
  expect(await PromoCodes.remove(services, { id, code: 'other' })).toBe(0)
  expect(await PromoCodes.remove(services, { id })).toBe(1)
  expect(await PromoCodes.find(services, { id })).toBeNull()
})

it('inserts a row unless another has its value in a unique column', async () => {
  const made = await PromoCodes.insertNew(services, newCode('once'))
  expect(made).toMatchObject({ ...newCode('once'), used: 0, createdAt: services.clock.now })
  expect(await PromoCodes.insertNew(services, { ...newCode('once'), name: 'Again' })).toBeNull()
  expect(await PromoCodes.find(services, { publicationId, code: 'once' })).toEqual(made)
})

it('stores texts unchanged: quotes, backslashes, colons and what looks like a parameter', async () => {
  const name = `O'Brien \\ ":name" :where_id ? $1 %`
  const id = await PromoCodes.insert(services, { ...newCode('odd'), name })
  expect(await PromoCodes.update(services, { name }, { code: `${name}!` })).toBe(1)
  expect(await PromoCodes.find(services, { code: `${name}!` })).toMatchObject({ id, name })
})

it('refuses a condition that would match every row, and unknown columns', async () => {
  await expect(PromoCodes.remove(services, {})).rejects.toThrow('lacks a value')
  await expect(PromoCodes.update(services, { id: undefined } as never, { name: 'All' })).rejects.toThrow(
    'lacks a value',
  )
  await expect(PromoCodes.find(services, { 'id = id OR id': 1 } as never)).rejects.toThrow('no column')
})
