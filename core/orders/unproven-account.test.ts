import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { makeBuyerLink } from '#core/buyers/buyer-link.ts'
import { readBuyerSession } from '#core/buyers/buyer-session.ts'
import { Buyers } from '#core/buyers/buyers.rows.ts'
import { changeBuyerEmail } from '#core/buyers/change-buyer-email.ts'
import { checkBuyerReset } from '#core/buyers/check-buyer-reset.ts'
import { listOwnOrders } from '#core/buyers/list-own-orders.query.ts'
import { logInBuyer } from '#core/buyers/log-in-buyer.ts'
import { ownReaders } from '#core/buyers/own-readers.query.ts'
import { resetBuyerPassword } from '#core/buyers/reset-buyer-password.ts'
import { chargeRenewal } from '#core/charging/charge-renewal.ts'
import { demoCards } from '#core/payment-methods/demo-cards.rules.ts'
import { Readers } from '#core/readers/readers.rows.ts'
import { announceRenewals } from '#tests/support/announce-renewals.ts'
import { actorOf, system } from '#tests/support/factories.ts'
import { makeEffort } from '#tests/support/make-effort.ts'
import { makeReader } from '#tests/support/readers.ts'
import { makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { stripeCards } from '#tests/support/stripe-cards.ts'
import { type StripeServer, startStripeServer } from '#tests/support/stripe-server.ts'
import { stripeShops } from '#tests/support/stripe-shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { confirmOrder } from './confirm-order.ts'
import { getConfirmation } from './get-confirmation.query.ts'
import { orderByLink } from './order-by-link.ts'
import { Orders } from './orders.rows.ts'
import { placeOrder } from './place-order.ts'
import { recordInvoicePayment } from './record-invoice-payment.ts'
import { answerLink } from './renewal-link.ts'
import { settleOrder } from './settle-order.ts'
import { takeStaffOrder } from './take-staff-order.ts'

let services: TestServices
let stripe: StripeServer
beforeAll(async () => {
  stripe = await startStripeServer()
  services = await openTestServices({ STRIPE_API_BASE: stripe.url })
})
beforeEach(async () => {
  services.clock.now = new Date('2026-11-21T12:00:00Z')
  await services.db.run(`DELETE FROM rate_limits`)
})
const stripeShop = stripeShops(
  () => services,
  () => stripe,
)

const email = 'ann@example.test'
/** The password of whoever opened the account. */
const password = 'kite-under-harbour'
const visiting = () => services.as(visitor)
type Shop = Awaited<ReturnType<typeof makeShop>>

/** A shop where somebody ordered under Ann's email with a password of their own, is logged in, and has an open reset link. */
async function openedAccount(shop: Shop) {
  await placeOrder(visiting(), orderForm(shop, { email, password, plan: '2DN2.99', firstName: 'Mallory' }))
  const { sessionToken } = await logInBuyer(visiting(), { publicationId: shop.id, email, password })
  const buyer = await buyerOf(shop)
  const resetToken = await resetTokenOf(buyer.id)
  return { shop, sessionToken, resetToken, buyer }
}

async function buyerOf(shop: Shop) {
  const buyer = await Buyers.find(services, { publicationId: shop.id, emailKey: email })
  if (!buyer) throw new Error('There is no account')
  return buyer
}

async function resetTokenOf(buyerId: number): Promise<string> {
  return (await makeBuyerLink(services.as(system), buyerId))?.url.split('/resetsub/')[1] ?? ''
}

/** A year of print that staff take by phone. */
async function orderByPhone(shop: Shop) {
  const { plan, idempotencyKey, firstName, lastName, country, billing } = orderForm(shop)
  const staff = services.as(await actorOf(services, 'publisher', shop.publisherId))
  const form = { plan, idempotencyKey, firstName, lastName, country, billing, email, method: 'cheque', note: 'No. 12' }
  return takeStaffOrder(staff, { ...form, publicationId: shop.id })
}

/** An imported record of Ann's, and the order by the link in its reminder. */
async function orderByRenewalLink(shop: Shop, ctx = visiting()) {
  const address = { addressOne: '1 Quay Street', city: 'Falmouth' }
  const postCode = 'TR11 3LH'
  const readerId = await makeReader(services, shop.id, { ...address, email, lastName: 'Lee', postCode, country: 'GB' })
  const { key } = await makeEffort(services, readerId)
  const { proof } = await answerLink(visiting(), { urlKey: shop.urlKey, key, answer: postCode })
  const { password: _, confirmEmail: __, ...form } = orderForm(shop, { email, billing: { ...address, postCode } })
  const placed = await orderByLink(ctx, { ...form, key, proof })
  return { placed, readerId }
}

async function orderByWallet(shop: Shop) {
  const payment = { provider: 'stripe-card', details: { wallet: 'true' } }
  const { placed, intent } = await stripeShop.order({ email, password: '', payment }, 'stripe-card', shop)
  return { placed, intent }
}

type Opened = Awaited<ReturnType<typeof openedAccount>>

async function expectPasswordRemoved({ shop, sessionToken, resetToken, buyer }: Opened): Promise<void> {
  expect(await buyerOf(shop)).toMatchObject({ passwordHash: null, tokenVersion: buyer.tokenVersion + 1 })
  // The same answer as for an email without an account.
  await expect(logInBuyer(visiting(), { publicationId: shop.id, email, password })).rejects.toMatchObject({
    fields: { password: 'The email or the password is wrong' },
  })
  await expect(placeOrder(visiting(), orderForm(shop, { email, password }))).rejects.toMatchObject({
    fields: { password: expect.stringContaining('already has an account') },
  })
  expect(await readBuyerSession(services, { token: sessionToken, publicationId: shop.id })).toBeNull()
  expect((await checkBuyerReset(visiting(), { token: resetToken })).email).toBeNull()
  const entries = await services.db.query(`SELECT id FROM audit_log WHERE action = :action AND subject_id = :id`, {
    action: 'take-buyer-password',
    id: buyer.id,
  })
  expect(entries).toHaveLength(1)
}

/** Sets a new password by the emailed link, which only the owner of the email can open, and expects the account to show the order. */
async function expectAllVisibleAfterReset(shop: Shop, orderNumber: string): Promise<void> {
  const { id } = await buyerOf(shop)
  const reset = { token: await resetTokenOf(id), password: 'lantern-over-quay', password2: 'lantern-over-quay' }
  await resetBuyerPassword(visiting(), reset)
  const session = await logInBuyer(visiting(), { publicationId: shop.id, email, password: reset.password })
  const actor = await readBuyerSession(services, { token: session.sessionToken, publicationId: shop.id })
  if (!actor) throw new Error('There is no session')
  const orders = await listOwnOrders(services.as(actor), {})
  expect(JSON.stringify(orders)).toContain(orderNumber)
}

const hasPassword = async (shop: Shop) => (await buyerOf(shop)).passwordHash !== null

describe('an account whose email was never proven loses its password to', () => {
  it('an order that staff take under that email', async () => {
    const opened = await openedAccount(await makeShop(services))
    const { orderNumber } = await orderByPhone(opened.shop)
    await expectPasswordRemoved(opened)
    await expectAllVisibleAfterReset(opened.shop, orderNumber)
    // The email is proven now: the next order by phone leaves the new password.
    await orderByPhone(opened.shop)
    expect(await hasPassword(opened.shop)).toBe(true)
  })

  it('an order by the renewal link of a record, whose confirmation offers to set one', async () => {
    const opened = await openedAccount(await makeShop(services))
    const { placed, readerId } = await orderByRenewalLink(opened.shop)
    await expectPasswordRemoved(opened)
    expect((await Readers.find(services, { id: readerId }))?.buyerId).toBe(opened.buyer.id)
    expect(await getConfirmation(visiting(), placed)).toMatchObject({ needsPassword: true })
    await expectAllVisibleAfterReset(opened.shop, placed.orderNumber)
    const readers = await ownReaders(services, { id: opened.buyer.id, publicationId: opened.shop.id })
    expect(readers.map(({ id }) => id)).toContain(readerId)
  })

  it('an order by wallet, once it is paid', async () => {
    const opened = await openedAccount(await stripeShop.open())
    const { placed, intent } = await orderByWallet(opened.shop)
    expect(await hasPassword(opened.shop)).toBe(true)
    stripe.pay(intent, stripeCards.paid)
    await confirmOrder(visiting(), placed)
    await expectPasswordRemoved(opened)
    expect(await getConfirmation(visiting(), placed)).toMatchObject({ needsPassword: true })
    await expectAllVisibleAfterReset(opened.shop, placed.orderNumber)
  })

  it('a wallet order that was begun before the account', async () => {
    const shop = await stripeShop.open()
    const { placed, intent } = await orderByWallet(shop)
    const opened = await openedAccount(shop)
    stripe.pay(intent, stripeCards.paid)
    await confirmOrder(visiting(), placed)
    await expectPasswordRemoved(opened)
  })
})

describe('an account keeps its password', () => {
  it('if its email is proven, however it is ordered under it', async () => {
    const { shop, buyer, resetToken: token } = await openedAccount(await stripeShop.open())
    await resetBuyerPassword(visiting(), { token, password, password2: password })
    await orderByPhone(shop)
    await orderByRenewalLink(shop)
    const { placed, intent } = await orderByWallet(shop)
    stripe.pay(intent, stripeCards.paid)
    await confirmOrder(visiting(), placed)
    const after = await buyerOf(shop)
    expect(after.tokenVersion).toBe(buyer.tokenVersion + 1)
    expect((await logInBuyer(visiting(), { publicationId: shop.id, email, password })).publicationId).toBe(shop.id)
  })

  it('when it orders itself: with its password, or logged in, by a renewal link too', async () => {
    const { shop, buyer } = await openedAccount(await makeShop(services))
    await placeOrder(visiting(), orderForm(shop, { email, password, isSecondMeant: 'true' }))
    const actor = { kind: 'buyer', buyerId: buyer.id, publicationId: shop.id } as const
    await placeOrder(services.as(actor), orderForm(shop, { email, password: '', isSecondMeant: 'true' }))
    await orderByRenewalLink(shop, services.as(actor))
    expect(await buyerOf(shop)).toMatchObject({ passwordHash: buyer.passwordHash, tokenVersion: buyer.tokenVersion })
  })
})

describe('an automatic renewal', () => {
  it('leaves the password, proven or not', async () => {
    services.clock.now = new Date('2026-11-22T10:00:00Z')
    const shop = await stripeShop.open()
    const { placed, intent } = await stripeShop.order({ email, password, plan: '1PR25.00' }, 'stripe-card', shop)
    stripe.pay(intent, stripeCards.paid)
    await confirmOrder(visiting(), placed)
    const before = await buyerOf(shop)
    services.clock.now = new Date('2027-10-23T05:00:00Z')
    await announceRenewals(services.as(system), '2027-10-23')
    services.clock.now = new Date('2027-11-22T05:00:00Z')
    const [renewal] = await rowsOf(services, 'renewals', shop.id)
    expect(await chargeRenewal(services.as(system), Number(renewal?.id), '2027-11-22')).toBe('paid')
    expect(await buyerOf(shop)).toMatchObject({ passwordHash: before.passwordHash, tokenVersion: before.tokenVersion })
    expect(before.passwordHash).not.toBeNull()
  })
})

describe('an order that was begun before the account', () => {
  it('makes a record of its own when it is paid once the account exists, and changes neither the account nor its record', async () => {
    const shop = await makeShop(services)
    const begun = await placeOrder(
      visiting(),
      orderForm(shop, { email, language: 'de', payment: { details: { cardNumber: demoCards.needsAction } } }),
    )
    expect(begun.state).toBe('pending')
    const billing = { addressOne: '9 Mill Lane', city: 'Truro', postCode: 'TR1 2AA' }
    const paid = await placeOrder(visiting(), orderForm(shop, { email, password, billing, language: 'fr' }))
    const money = { amount: begun.amount, currency: begun.currency }
    const result = { state: 'paid', reference: 'demo_late', money } as const
    expect(await settleOrder(services.as(system), { orderId: begun.orderId, result })).toBe('paid')

    const first = await readerOf(begun.orderId)
    const second = await readerOf(paid.orderId)
    expect(second).toMatchObject({ addressOne: '9 Mill Lane', subEndOn: '2027-11-21' })
    expect(first).toMatchObject({ addressOne: '1 Quay Street', subEndOn: '2027-11-21' })
    expect(first?.id).not.toBe(second?.id)
    expect(await rowsOf(services, 'readers', shop.id)).toHaveLength(2)
    expect(await buyerOf(shop)).toMatchObject({ language: 'fr' })
    // Neither of the two passwords is known to belong to the owner of the email.
    expect(await hasPassword(shop)).toBe(false)
  })
})

describe('an order that is paid once its account has another email', () => {
  const changed = { email: 'moved@example.test', confirmEmail: 'moved@example.test', currentPassword: password }
  const accountOf = (buyer: { id: number }, shop: Shop) =>
    services.as({ kind: 'buyer', buyerId: buyer.id, publicationId: shop.id })

  it('is that account’s if it placed the order', async () => {
    const { shop, buyer } = await openedAccount(await makeShop(services))
    const payment = { details: { cardNumber: demoCards.needsAction } }
    const begun = await placeOrder(visiting(), orderForm(shop, { email, password, payment, plan: '1PN29.99' }))
    await changeBuyerEmail(accountOf(buyer, shop), changed)
    const money = { amount: begun.amount, currency: begun.currency }
    const result = { state: 'paid', reference: 'demo_later', money } as const
    expect(await settleOrder(services.as(system), { orderId: begun.orderId, result })).toBe('paid')
    expect(await Orders.find(services, { id: begun.orderId })).toMatchObject({ buyerId: buyer.id })
    expect(await Buyers.find(services, { publicationId: shop.id, emailKey: email })).toBeNull()
    expect((await Buyers.find(services, { id: buyer.id }))?.passwordHash).not.toBeNull()
  })

  it('is not that of an account which had only claimed the email when staff took the order', async () => {
    const { shop, buyer } = await openedAccount(await makeShop(services))
    const staff = services.as(await actorOf(services, 'publisher', shop.publisherId))
    const { idempotencyKey, country, billing } = orderForm(shop, { email })
    const names = { firstName: 'Ann', lastName: 'Lee', plan: '1PN29.99', method: 'invoice', begins: 'paid' }
    const form = { publicationId: shop.id, idempotencyKey, country, billing, email, ...names }
    const { orderId } = await takeStaffOrder(staff, form)
    await changeBuyerEmail(accountOf(buyer, shop), changed)
    await recordInvoicePayment(staff, { orderId, amount: '29.99', method: 'cheque', key: idempotencyKey })
    const owner = await Buyers.find(services, { publicationId: shop.id, emailKey: email })
    expect(owner?.id).not.toBe(buyer.id)
    expect(await Orders.find(services, { id: orderId })).toMatchObject({ state: 'paid', buyerId: owner?.id })
  })
})

async function readerOf(orderId: number) {
  const order = await Orders.find(services, { id: orderId })
  return Readers.find(services, { id: order?.readerId ?? 0 })
}
