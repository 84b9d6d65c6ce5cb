import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Actor } from '#core/access/actor.ts'
import { actorOf } from '#tests/support/factories.ts'
import { makeShop, orderForm } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { visitor } from '../access/actor.ts'
import { placeOrder } from '../orders/place-order.ts'
import { createPromo } from './create-promo.ts'
import { deletePromo } from './delete-promo.ts'
import { getPromo } from './get-promo.query.ts'
import { listPromos, searchPromos } from './list-promos.query.ts'
import { updatePromo } from './update-promo.ts'

let services: TestServices
let shop: Awaited<ReturnType<typeof makeShop>>
let publisher: Actor
beforeAll(async () => {
  services = await openTestServices()
})
beforeEach(async () => {
  shop = await makeShop(services)
  publisher = await actorOf(services, 'publisher', shop.publisherId)
})

const yearOfPrint = { print: { priceOneYear: true } }
const fields = (more: object = {}) => ({
  publicationId: shop.id,
  name: 'Spring',
  code: 'SPRING25',
  discountPercent: '25',
  applicableProducts: yearOfPrint,
  ...more,
})
const make = (more: object = {}) => createPromo(services.as(publisher), fields(more))
const buy = (promoCode: string) => placeOrder(services.as(visitor), orderForm(shop, { promoCode, total: undefined }))

describe('the search of promo codes', () => {
  it('returns a page, the newest first, without codes for one reader, and counts all', async () => {
    for (let n = 1; n <= 12; n++) await make({ code: `CODE-${n}` })
    const readerPromo = await make({ code: 'FOR-ONE' })
    await services.db.run(`UPDATE promo_codes SET reader_id = 1 WHERE id = :id`, { id: readerPromo.id })
    const ctx = services.as(publisher)
    const page = await searchPromos(ctx, { publicationId: shop.id, page: 2, size: 10 })
    expect(page).toMatchObject({ total: 12, all: 12, pages: 2, publication: { id: shop.id, urlKey: shop.urlKey } })
    expect(page.rows.map(({ code, status }) => [code, status])).toEqual([
      ['CODE-2', 'live'],
      ['CODE-1', 'live'],
    ])
  })

  it('finds a part of a name or code, in any case, also with accents and the characters of patterns', async () => {
    await make({ name: 'Été 50% à Paris', code: 'summer' })
    await make({ name: 'W_100%', code: 'winter' })
    const found = async (q: string) => {
      const { rows, total, all } = await searchPromos(services.as(publisher), { publicationId: shop.id, q })
      expect([total, all]).toEqual([rows.length, 2])
      return rows.map(({ code }) => code)
    }
    expect(await found('SUMM')).toEqual(['summer'])
    expect(await found('été')).toEqual(['summer'])
    expect(await found('0%')).toEqual(['winter', 'summer'])
    expect(await found('_1')).toEqual(['winter'])
    expect(await found('nothing')).toEqual([])
  })

  it('is of the publisher’s own publications', async () => {
    const other = services.as(await actorOf(services, 'publisher'))
    await expect(searchPromos(other, { publicationId: shop.id })).rejects.toMatchObject({ kind: 'notFound' })
  })
})

describe('a new promo code', () => {
  it('begins today when no start is given, and is listed with its state', async () => {
    const promo = await make({ endsOn: '31-12-2026', uses: '' })
    expect(promo).toMatchObject({
      startsOn: '2026-11-21',
      endsOn: '2026-12-31',
      uses: 0,
      used: 0,
      applicableProducts: {
        print: { priceOneYear: true, priceSixMonths: false, priceThreeMonths: false },
        digital: { priceOneYear: false },
      },
    })
    await make({ code: 'LATER', startsOn: '1/12/2026' })
    const { promos, publication } = await listPromos(services.as(publisher), { publicationId: shop.id })
    expect(publication.urlKey).toBe(shop.urlKey)
    expect(promos.map(({ code, status }) => [code, status])).toEqual([
      ['LATER', 'scheduled'],
      ['SPRING25', 'live'],
    ])
  })

  it('is not listed when it was made for one reader: a series makes thousands of them', async () => {
    await make()
    const readerPromo = await make({ code: 'FOR-ONE' })
    await services.db.run(`UPDATE promo_codes SET reader_id = 1 WHERE id = :id`, { id: readerPromo.id })
    const { promos } = await listPromos(services.as(publisher), { publicationId: shop.id })
    expect(promos.map(({ code }) => code)).toEqual(['SPRING25'])
  })

  it('is unique in its publication without regard to case, even concurrently; free again after deletion', async () => {
    const outcomes = await Promise.allSettled([make(), make({ code: 'spring25' })])
    const refused = outcomes.filter(({ status }) => status === 'rejected')
    expect(refused).toMatchObject([
      { reason: { kind: 'invalid', fields: { code: expect.stringMatching(/already in use/) } } },
    ])
    const otherShop = await makeShop(services)
    const elsewhere = await createPromo(services.as(await actorOf(services, 'publisher', otherShop.publisherId)), {
      ...fields(),
      publicationId: otherShop.id,
    })
    expect(elsewhere.code).toBe('SPRING25')
    const [listed] = (await listPromos(services.as(publisher), { publicationId: shop.id })).promos
    await deletePromo(services.as(publisher), { id: listed?.id })
    await expect(make()).resolves.toMatchObject({ code: 'SPRING25' })
  })

  it('reports all errors at once', async () => {
    const wrong = {
      publicationId: shop.id,
      name: ' ',
      code: 'TEN OFF!',
      discountPercent: 'much',
      startsOn: '31/02/2026',
      endsOn: '20 Nov 2026',
      uses: '-1',
      applicableProducts: {},
    }
    await expect(createPromo(services.as(publisher), wrong)).rejects.toMatchObject({
      fields: {
        name: 'Required',
        code: 'Only letters, digits, underscores and hyphens allowed',
        discountPercent: 'Must be a number',
        startsOn: 'Must be a date such as 31-12-2026',
        endsOn: 'Must not be in the past',
        uses: 'Must be from 0 (unlimited) to 1,000,000',
        applicableProducts: 'Tick at least one product',
      },
    })
    for (const [more, field] of [
      [{ discountPercent: '0' }, 'discountPercent'],
      [{ discountPercent: '101' }, 'discountPercent'],
      [{ discountPercent: '12.5' }, 'discountPercent'],
      [{ startsOn: '02-12-2026', endsOn: '01-12-2026' }, 'endsOn'],
      [{ endsOn: '20-11-2026' }, 'endsOn'],
      [{ endsOn: 'soon' }, 'endsOn'],
      [{ code: 'X'.repeat(61) }, 'code'],
      [{ code: 'ß'.repeat(60) }, 'code'],
    ] as const) {
      await expect(make(more), field).rejects.toMatchObject({
        kind: 'invalid',
        fields: { [field]: expect.any(String) },
      })
    }
  })
})

describe('changing a promo code', () => {
  it('keeps its start, and does not allow fewer uses than have been made', async () => {
    const { id } = await make({ uses: 3 })
    await buy('spring25')
    await buy('SPRING25')
    const change = (more: object) => updatePromo(services.as(publisher), { ...fields(), id, ...more })
    await expect(change({ uses: 1 })).rejects.toMatchObject({ fields: { uses: expect.stringContaining('at least 2') } })
    await expect(change({ startsOn: '01-12-2026' })).rejects.toMatchObject({ fields: { startsOn: expect.any(String) } })
    await expect(change({ name: '', uses: 1, endsOn: '20 Nov 2026' })).rejects.toMatchObject({
      fields: { name: 'Required', uses: expect.any(String), endsOn: 'Must not be before the start date' },
    })
    await expect(change({ endsOn: '20-11-2026' })).rejects.toMatchObject({ fields: { endsOn: expect.any(String) } })
    await expect(change({ uses: 2, name: 'Summer', startsOn: '21-11-2026' })).resolves.toMatchObject({
      name: 'Summer',
      uses: 2,
      used: 2,
    })
    await expect(buy('SPRING25')).rejects.toMatchObject({ fields: { promoCode: 'Promo code invalid or expired' } })
    await make({ code: 'OTHER' })
    await expect(change({ code: 'other' })).rejects.toMatchObject({ fields: { code: expect.any(String) } })
    await expect(change({ code: 'Spring25' })).resolves.toMatchObject({ code: 'Spring25' })
    const [entry] = await services.db.query<{ action: string; facts: string | { fields: string[] } }>(
      `SELECT action, facts FROM audit_log ORDER BY id DESC LIMIT 1`,
    )
    expect(entry?.action).toBe('update-promo')
    expect(JSON.stringify(entry?.facts)).toContain('code')
  })

  it('is refused to one of two that take the same code concurrently', async () => {
    const first = await make({ code: 'ONE' })
    const second = await make({ code: 'TWO' })
    const outcomes = await Promise.allSettled(
      [first, second].map(({ id }) => updatePromo(services.as(publisher), { ...fields({ code: 'BOTH' }), id })),
    )
    const refused = outcomes.filter(({ status }) => status === 'rejected')
    expect(refused).toMatchObject([{ reason: { fields: { code: expect.stringMatching(/already in use/) } } }])
  })

  it('by deletion makes it invalid, and orders that used it keep its code and discount', async () => {
    const { id } = await make()
    const order = await buy('SPRING25')
    await deletePromo(services.as(publisher), { id })
    await expect(buy('SPRING25')).rejects.toMatchObject({ fields: { promoCode: 'Promo code invalid or expired' } })
    const [row] = await services.db.query(`SELECT promo_code, discount, amount FROM orders WHERE id = :id`, {
      id: order.orderId,
    })
    expect(row).toEqual({ promo_code: 'SPRING25', discount: 750, amount: 2249 })
    await expect(getPromo(services.as(publisher), { id })).rejects.toMatchObject({ kind: 'notFound' })
  })
})

it('a promo code is for its publisher and a pubadmin: another publisher sees nothing, other roles are refused', async () => {
  const { id } = await make()
  const stranger = services.as(await actorOf(services, 'publisher'))
  for (const work of [
    () => getPromo(stranger, { id }),
    () => updatePromo(stranger, { ...fields(), id }),
    () => deletePromo(stranger, { id }),
    () => listPromos(stranger, { publicationId: shop.id }),
    () => createPromo(stranger, fields({ code: 'MINE' })),
  ])
    await expect(work()).rejects.toMatchObject({ kind: 'notFound' })
  for (const userType of ['admin', 'mailer'] as const) {
    const staff = services.as(await actorOf(services, userType, shop.publisherId))
    await expect(listPromos(staff, { publicationId: shop.id })).rejects.toMatchObject({ kind: 'denied' })
  }
  const pubadmin = services.as(await actorOf(services, 'pubadmin', shop.publisherId))
  await expect(updatePromo(pubadmin, { ...fields(), id, name: 'By staff' })).resolves.toMatchObject({
    name: 'By staff',
  })
})

it('a code with one use is used by one of two concurrent buyers', async () => {
  await make({ uses: 1 })
  const outcomes = await Promise.allSettled([buy('SPRING25'), buy('SPRING25')])
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const { promos } = await listPromos(services.as(publisher), { publicationId: shop.id })
  expect(promos).toMatchObject([{ used: 1, uses: 1, status: 'used up' }])
})
