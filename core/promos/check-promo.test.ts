import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AppContext } from '#core/context.ts'
import { makeShop } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { visitor } from '../access/actor.ts'
import { promoMessages } from '../pricing/discount.rules.ts'
import { checkPromo } from './check-promo.ts'
import { createPromo } from './create-promo.ts'
import { findShopPromo } from './find-shop-promo.query.ts'

let services: TestServices
let urlKey: string
let publicationId: number
let addresses = 0
beforeAll(async () => {
  services = await openTestServices()
})
beforeEach(async () => {
  const shop = await makeShop(services)
  urlKey = shop.urlKey
  publicationId = shop.id
})

const makePromo = (code: string, more: object = {}) =>
  createPromo(services.as({ kind: 'operator' }), {
    publicationId,
    name: code,
    code,
    discountPercent: 25,
    applicableProducts: { print: { priceOneYear: true } },
    ...more,
  })

/** A visitor from a separate network address. */
function stranger(): AppContext {
  return { ...services.as(visitor), origin: { entryPoint: 'web', address: `192.0.2.${++addresses}` } }
}

describe('a promo code in a link', () => {
  it('is shown before a plan is chosen; with a plan it must be for that one', async () => {
    await makePromo('SPRING')
    await expect(checkPromo(stranger(), { urlKey, promoCode: ' spring ' })).resolves.toMatchObject({
      code: 'SPRING',
      discountPercent: 25,
    })
    await expect(checkPromo(stranger(), { urlKey, promoCode: 'spring', plan: '2DN2.99' })).rejects.toMatchObject({
      fields: { promoCode: 'This promo code is not for the product selected' },
    })
    await expect(checkPromo(stranger(), { urlKey, promoCode: 'spring', plan: '' })).rejects.toMatchObject({
      fields: { plan: 'Choose a subscription' },
    })
  })

  it('of 100% is refused for a plan that renews: nothing could be charged for its next term', async () => {
    await makePromo('ALL', { discountPercent: 100 })
    await expect(checkPromo(stranger(), { urlKey, promoCode: 'ALL', plan: '1PR25.00' })).rejects.toMatchObject({
      kind: 'invalid',
      fields: { promoCode: promoMessages.freeRenewal },
    })
    await expect(checkPromo(stranger(), { urlKey, promoCode: 'ALL', plan: '1PN29.99' })).resolves.toMatchObject({
      discountPercent: 100,
    })
  })

  it('that is unknown, of another title, over or not begun is reported as invalid or expired', async () => {
    await makePromo('LATER', { startsOn: '22-11-2026' })
    await makePromo('TODAY', { endsOn: '21-11-2026' })
    const elsewhere = await makeShop(services)
    await makePromo('ELSEWHERE', { publicationId: elsewhere.id })
    for (const promoCode of ['NOSUCH', 'LATER', 'ELSEWHERE']) {
      await expect(checkPromo(stranger(), { urlKey, promoCode }), promoCode).rejects.toMatchObject({
        fields: { promoCode: 'Promo code invalid or expired' },
      })
    }
    await expect(checkPromo(stranger(), { urlKey, promoCode: 'TODAY' })).resolves.toMatchObject({ code: 'TODAY' })
    const today = services.clock.now
    try {
      services.clock.now = new Date('2026-11-22T00:00:00Z')
      await expect(checkPromo(stranger(), { urlKey, promoCode: 'TODAY' })).rejects.toMatchObject({ kind: 'invalid' })
      await expect(checkPromo(stranger(), { urlKey, promoCode: 'LATER' })).resolves.toMatchObject({ code: 'LATER' })
    } finally {
      services.clock.now = today
    }
  })
})

it('limits guesses by the /64 of an IPv6 address, in which one connection can use any address', async () => {
  for (let guess = 0; guess <= 30; guess++) {
    const origin = { entryPoint: 'web' as const, address: `2001:db8:0:7::${guess}` }
    const checked = checkPromo({ ...services.as(visitor), origin }, { urlKey, promoCode: `NO-${guess}` })
    await expect(checked).rejects.toMatchObject({ kind: guess < 30 ? 'invalid' : 'tooMany' })
  }
  // The API's own look-up shares the count.
  const elsewhere = { ...services.as(visitor), origin: { entryPoint: 'api' as const, address: '2001:db8:0:7::ffff' } }
  await expect(findShopPromo(elsewhere, { publicationId, code: 'NO' })).rejects.toMatchObject({ kind: 'tooMany' })
})

it('limits guesses by address, even with valid codes between them; valid codes by themselves have no limit', async () => {
  await makePromo('SPRING')
  const checkValidCode = (ctx: AppContext) => checkPromo(ctx, { urlKey, promoCode: 'SPRING' })
  const office = stranger()
  for (let reader = 0; reader < 40; reader++) await checkValidCode(office)
  const guesser = stranger()
  const checkWrongCode = () => checkPromo(guesser, { urlKey, promoCode: 'GUESS' })
  for (let tries = 0; tries < 30; tries++) {
    await expect(checkWrongCode()).rejects.toMatchObject({ kind: 'invalid' })
    if (tries < 29) await checkValidCode(guesser)
  }
  await expect(checkWrongCode()).rejects.toMatchObject({ kind: 'tooMany' })
  await expect(checkValidCode(guesser)).rejects.toMatchObject({ kind: 'tooMany' })
  await expect(checkValidCode(office)).resolves.toMatchObject({ code: 'SPRING' })
})

it('allows no more guesses than the limit, even concurrently', async () => {
  await makePromo('SPRING')
  const guesser = stranger()
  const guesses = Array.from({ length: 45 }, (_, n) => (n < 44 ? `GUESS${n}` : 'SPRING'))
  const answers = await Promise.allSettled(guesses.map((promoCode) => checkPromo(guesser, { urlKey, promoCode })))
  const kinds = answers.map((answer) => (answer.status === 'rejected' ? answer.reason.kind : 'accepted'))
  expect(kinds.filter((kind) => kind === 'invalid')).toHaveLength(30)
  expect(kinds.filter((kind) => kind === 'tooMany')).toHaveLength(15)
})
