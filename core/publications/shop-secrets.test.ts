import { beforeAll, expect, it } from 'vitest'
import { makePublication } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { visitor } from '../access/actor.ts'
import { findShopPromo } from '../promos/find-shop-promo.query.ts'
import { paypalDetails } from './paypal-details.query.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

const makeStorefront = async () => {
  const { id, publisherId } = await makePublication(services)
  return { id, publisherId }
}

it('gives a storefront the PayPal client id and never the secret, and nothing once the publisher is deactivated', async () => {
  const { id, publisherId } = await makeStorefront()
  expect(await paypalDetails(services.as(visitor), { publicationId: id })).toEqual({ clientId: '' })
  await services.db.run(
    `UPDATE accounts SET paypal_client_id = 'client-1', paypal_secret = 'sealed' WHERE user_id = :publisherId`,
    { publisherId },
  )
  expect(await paypalDetails(services.as(visitor), { publicationId: id })).toEqual({ clientId: 'client-1' })
  await services.db.run(`UPDATE users SET is_active = :no WHERE id = :publisherId`, { no: false, publisherId })
  await expect(paypalDetails(services.as(visitor), { publicationId: id })).rejects.toMatchObject({ kind: 'notFound' })
})

it('reports an unknown promo code as invalid, and refuses more attempts after thirty', async () => {
  const { id } = await makeStorefront()
  const tryCode = () => {
    const ctx = services.as(visitor)
    return findShopPromo(
      { ...ctx, origin: { ...ctx.origin, address: '192.0.2.9' } },
      { publicationId: id, code: 'GUESS' },
    )
  }
  for (let n = 0; n < 30; n++)
    await expect(tryCode()).rejects.toMatchObject({ kind: 'notFound', message: 'Promo code invalid or expired' })
  await expect(tryCode()).rejects.toMatchObject({ kind: 'tooMany' })
})
