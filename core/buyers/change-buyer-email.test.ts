import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { AddressMarks } from '#core/bounces/address-marks.rows.ts'
import { getOrder } from '#core/orders/get-order.query.ts'
import { Orders } from '#core/orders/orders.rows.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { recordInvoicePayment } from '#core/orders/record-invoice-payment.ts'
import { refundOrder } from '#core/orders/refund-order.ts'
import { takeStaffOrder } from '#core/orders/take-staff-order.ts'
import { queuedEmails } from '#tests/support/emails.ts'
import { actorOf } from '#tests/support/factories.ts'
import { makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { findClaim, makeClaim } from './account-claims.rows.ts'
import { Buyers } from './buyers.rows.ts'
import { changeBuyerEmail, ownAddressBounces } from './change-buyer-email.ts'
import { logInBuyer } from './log-in-buyer.ts'

const services = await openTestServices()
const shop = await makeShop(services)

async function makeCustomer(email: string) {
  await placeOrder(services.as(visitor), orderForm(shop, { email }))
  const [buyer] = await services.db.query<{ id: number }>(
    `SELECT id FROM buyers WHERE publication_id = :id AND email = :email`,
    { id: shop.id, email },
  )
  return services.as({ kind: 'buyer', buyerId: buyer?.id ?? 0, publicationId: shop.id })
}

const changeTo = (email: string, fields: object = {}) => ({
  email,
  confirmEmail: email,
  currentPassword: 'masthead',
  ...fields,
})
const readerEmails = async () => (await rowsOf(services, 'readers', shop.id)).map(({ email }) => email)

describe('changing the email of an account', () => {
  it('lets the buyer log in with the new one, updates the reader’s record, and notifies both addresses', async () => {
    const ctx = await makeCustomer('before@example.test')
    await AddressMarks.insert(services, {
      publisherId: shop.publisherId,
      addressKey: 'before@example.test',
      bouncedAt: services.now(),
    })
    expect(await ownAddressBounces(ctx, {})).toBe(true)
    expect(await changeBuyerEmail(ctx, changeTo(' After@example.test '))).toEqual({ email: 'After@example.test' })
    expect(await ownAddressBounces(ctx, {})).toBe(false)
    expect(await readerEmails()).toContain('After@example.test')
    expect(await readerEmails()).not.toContain('before@example.test')
    const notices = await queuedEmails(services, 'buyer-notice')
    expect(notices.map(({ about }) => [about.kind, about.to])).toEqual([
      ['email-changed', 'before@example.test'],
      ['email-changed', 'After@example.test'],
    ])
    const account = { publicationId: shop.id, password: 'masthead' }
    await expect(logInBuyer(services.as(visitor), { ...account, email: 'before@example.test' })).rejects.toMatchObject({
      kind: expect.any(String),
    })
    expect(await logInBuyer(services.as(visitor), { ...account, email: 'after@example.test' })).toMatchObject({
      sessionToken: expect.any(String),
    })
  })

  it('revokes a link to set a first password that was sent to the previous address', async () => {
    const ctx = await makeCustomer('former@example.test')
    const claim = { publicationId: shop.id, emailKey: 'former@example.test' }
    const token = await makeClaim(services.as(visitor), claim)
    await changeBuyerEmail(ctx, changeTo('later@example.test'))
    expect(await findClaim(services.as(visitor), token)).toBeUndefined()
  })

  it('is refused without the password, when the two entries differ, and when another account has the email', async () => {
    await makeCustomer('taken@example.test')
    const ctx = await makeCustomer('own@example.test')
    const wrong: [object, string][] = [
      [changeTo('new@example.test', { currentPassword: 'wrong' }), 'currentPassword'],
      [changeTo('new@example.test', { confirmEmail: 'other@example.test' }), 'confirmEmail'],
      [changeTo('no email'), 'email'],
      [changeTo('TAKEN@example.test'), 'email'],
    ]
    for (const [input, field] of wrong)
      await expect(changeBuyerEmail(ctx, input), field).rejects.toMatchObject({
        fields: { [field]: expect.anything() },
      })
    expect(await readerEmails()).toContain('own@example.test')
    await expect(changeBuyerEmail(services.as(visitor), changeTo('new@example.test'))).rejects.toMatchObject({
      kind: 'unauthenticated',
    })
  })

  it('gives an email to one of several accounts that request it at once, and refuses the others as for any taken email', async () => {
    const names = ['first', 'second', 'third', 'fourth']
    const accounts = await Promise.all(names.map((name) => makeCustomer(`${name}@example.test`)))
    const results = await Promise.allSettled(
      accounts.map((ctx) => changeBuyerEmail(ctx, changeTo('Wanted@example.test'))),
    )
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    const taken = { kind: 'conflict', fields: { email: 'This email already has an account here.' } }
    expect(refused).toMatchObject([taken, taken, taken])
  })

  it('leaves a different email on the reader’s record unchanged', async () => {
    const ctx = await makeCustomer('account@example.test')
    await services.db.run(`UPDATE readers SET email = 'record@example.test' WHERE email = 'account@example.test'`)
    await changeBuyerEmail(ctx, changeTo('account2@example.test'))
    expect(await readerEmails()).toContain('record@example.test')
    expect(await readerEmails()).not.toContain('account2@example.test')
  })

  it('keeps orders of the account that are paid only afterwards, and their credit, from whoever uses the former email', async () => {
    const email = 'moving@example.test'
    const ctx = await makeCustomer(email)
    const { buyerId } = ctx.actor as { buyerId: number }
    await Buyers.update(services, { id: buyerId }, { emailProvenAt: services.now() })
    const [reader] = (await rowsOf(services, 'readers', shop.id)).filter((row) => row.email === email)
    const staff = services.as(await actorOf(services, 'publisher', shop.publisherId))
    const takeOrder = (fields: object) =>
      takeStaffOrder(staff, {
        publicationId: shop.id,
        plan: '1PN29.99',
        country: 'GB',
        idempotencyKey: randomUUID(),
        method: 'invoice',
        begins: 'paid',
        firstName: 'Ann',
        lastName: 'Lee',
        email,
        billing: { addressOne: '1 Quay Street', city: 'London', postCode: 'SW1A 1AA' },
        ...fields,
      })
    const { orderId } = await takeOrder({ readerId: reader?.id })
    await changeBuyerEmail(ctx, changeTo('moved@example.test'))
    await recordInvoicePayment(staff, { orderId, amount: '29.99', method: 'cheque', key: randomUUID() })
    expect(await Orders.find(services, { id: orderId })).toMatchObject({ state: 'paid', buyerId, readerId: reader?.id })
    expect(await Buyers.find(services, { publicationId: shop.id, emailKey: email })).toBeNull()

    await refundOrder(staff, { id: orderId, scope: 'whole', method: 'credit', reason: 'Agreed' })
    const creditOf = async (address: string) =>
      (await getOrder(staff, await takeOrder({ email: address }).then(({ orderId: id }) => ({ id })))).buyerCredit
    expect(await creditOf('moved@example.test')).toBe(2999)
    expect(await creditOf(email)).toBe(2999)
    // Somebody else opens an account with the former email.
    await placeOrder(services.as(visitor), orderForm(shop, { email }))
    expect(await creditOf(email)).toBe(0)
    expect(await creditOf('moved@example.test')).toBe(2999)
  })
})
