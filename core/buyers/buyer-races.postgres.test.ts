import { expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { makeReader } from '#tests/support/readers.ts'
import { makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { whileLocked } from '#tests/support/while-locked.ts'
import { makeClaim } from './account-claims.rows.ts'
import { changeBuyerEmail } from './change-buyer-email.ts'
import { changeDeliveryAddress } from './change-delivery-address.ts'
import { claimAccount } from './claim-account.ts'

const services = await openTestServices()

/** A buyer with a subscription and an order being paid: the order has locked the reader's row, and updates the buyer's row next. */
async function makeCustomer(email: string) {
  const shop = await makeShop(services)
  await placeOrder(services.as(visitor), orderForm(shop, { email }))
  const [reader] = await rowsOf(services, 'readers', shop.id)
  const [buyer] = await rowsOf(services, 'buyers', shop.id)
  return {
    shop,
    readerId: Number(reader?.id),
    ctx: services.as({ kind: 'buyer', buyerId: Number(buyer?.id), publicationId: shop.id }),
    order: {
      first: `SELECT id FROM readers WHERE id = ${reader?.id} FOR UPDATE`,
      second: `UPDATE buyers SET updated_at = updated_at WHERE id = ${buyer?.id}`,
    },
  }
}

it('a new delivery address waits for the reader before it changes the buyer, as an order does', async () => {
  const { ctx, order, shop } = await makeCustomer('moves@example.test')
  const newAddress = { addressOne: '1 Quay Street', city: 'Fowey', postCode: 'PL23 1AQ' }
  const [problem, address] = await whileLocked(services, order, () => changeDeliveryAddress(ctx, newAddress))
  expect([problem, address]).toMatchObject([null, newAddress])
  expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([{ address_one: '1 Quay Street' }])
})

it('a new email waits for the reader before it changes the buyer, as an order does', async () => {
  const { ctx, order, shop } = await makeCustomer('before@example.test')
  const change = { email: 'after@example.test', confirmEmail: 'after@example.test', currentPassword: 'masthead' }
  const ended = await whileLocked(services, order, () => changeBuyerEmail(ctx, change))
  expect(ended).toEqual([null, { email: 'after@example.test' }])
  expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([{ email: 'after@example.test' }])
})

it('an account claimed by its link waits for the reader before it changes the buyer, as an order does', async () => {
  const email = 'claims@example.test'
  const { shop, order, readerId } = await makeCustomer(email)
  await services.db.run('UPDATE readers SET buyer_id = NULL WHERE id = :readerId', { readerId })
  await makeReader(services, shop.id, { email })
  const token = await makeClaim(services.as(visitor), { publicationId: shop.id, emailKey: email })
  const claim = { urlKey: shop.urlKey, token, password: 'kite under harbour' }
  expect(await whileLocked(services, order, () => claimAccount(services.as(visitor), claim))).toEqual([null, undefined])
  const [{ id } = {}] = await rowsOf(services, 'buyers', shop.id)
  expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([{ buyer_id: id }, { buyer_id: id }])
})
