import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { checkBuyerReset } from '#core/buyers/check-buyer-reset.ts'
import { requestBuyerReset } from '#core/buyers/request-buyer-reset.ts'
import { resetBuyerPassword } from '#core/buyers/reset-buyer-password.ts'
import { timeOf } from '#core/kernel/calendar.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { turnRenewalOff } from '#core/payments/turn-renewal-off.ts'
import { ownAgreements } from '#core/renewals/own-agreements.query.ts'
import { notifyBuyer } from '#core/sessions/notify.ts'
import { mailSender } from '#tests/support/emails.ts'
import { makeBuyer, system } from '#tests/support/factories.ts'
import { makeShop, orderForm } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { runWorker } from '#tests/support/worker.ts'

const sendBuyerResetLink = mailSender('buyer-reset-link')
const sendBuyerNotice = mailSender('buyer-notice')

let services: TestServices
let shop: Awaited<ReturnType<typeof makeShop>>
beforeAll(async () => {
  services = await openTestServices({ APP_URL: 'https://subscriptions.example.test' })
  shop = await makeShop(services, { publicationName: 'The Tide Table', color: '#12455C' })
})

async function emailsTo(email: string) {
  await runWorker(services)
  const emails = (await services.mail.devMailbox?.list(200)) ?? []
  return emails.filter(({ to }) => to === email).reverse()
}

const tokenIn = (text = '') => /https:\/\/subscriptions\.example\.test\/resetsub\/([\w-]{43})\s/.exec(text)?.[1] ?? ''
const asVisitor = () => services.as(visitor)

describe('the password reset email to a buyer', () => {
  it('is sent once, in the publication’s name, with a token that is stored nowhere else', async () => {
    const { email } = await makeBuyer(services, shop.id)
    await requestBuyerReset(asVisitor(), { publicationId: shop.id, email })
    const [mail, ...more] = await emailsTo(email)
    expect(more).toEqual([])
    expect(mail).toMatchObject({
      subject: 'Set a new password for The Tide Table',
      fromName: 'The Tide Table',
      replyTo: 'enquiries@example.test',
    })
    expect(mail?.html).toContain('#12455C')
    const token = tokenIn(mail?.text)
    expect(await checkBuyerReset(asVisitor(), { token })).toMatchObject({ email })
    for (const table of ['jobs', 'emails', 'password_resets', 'audit_log']) {
      expect(JSON.stringify(await services.db.query(`SELECT * FROM ${table}`))).not.toContain(token)
    }
  })

  it('is not sent twice, nor to an unknown buyer', async () => {
    const { id, email } = await makeBuyer(services, shop.id)
    const job = { buyerId: id, key: 'one-request' }
    expect(await sendBuyerResetLink(services.as(system), job)).toBe(true)
    expect(await sendBuyerResetLink(services.as(system), job)).toBe(false)
    expect(await emailsTo(email)).toHaveLength(1)
    expect(await sendBuyerResetLink(services.as(system), { ...job, buyerId: 999_999 })).toBe(false)
    for (const send of [sendBuyerResetLink, sendBuyerNotice])
      await expect(send(asVisitor(), { ...job, kind: 'renewal-off' })).rejects.toMatchObject({
        kind: 'unauthenticated',
      })
  })
})

describe('a buyer is notified by email', () => {
  it('of a new password, with a link to set another one', async () => {
    const { email } = await makeBuyer(services, shop.id)
    await requestBuyerReset(asVisitor(), { publicationId: shop.id, email })
    const token = tokenIn((await emailsTo(email))[0]?.text)
    await resetBuyerPassword(asVisitor(), { token, password: 'kite-under-harbour' })
    const [, notice] = await emailsTo(email)
    expect(notice?.subject).toBe('Your password was changed: The Tide Table')
    expect(notice?.text).toContain(`https://subscriptions.example.test/${shop.urlKey}/forgot`)
    expect(notice?.text).toContain('When: 21/11/2026 10:00 (Europe/London)')
  })

  it('that a renewal is off: which one, and until when it runs', async () => {
    const form = orderForm(shop, { plan: '1PR25.00' })
    await placeOrder(asVisitor(), form)
    const email = String(form.email)
    const [buyer] = await services.db.query<{ id: number }>(`SELECT id FROM buyers WHERE email = :email`, { email })
    const ctx = services.as({ kind: 'buyer', buyerId: buyer?.id ?? 0, publicationId: shop.id })
    const [agreement] = await ownAgreements(ctx, {})
    await turnRenewalOff(ctx, { agreementId: agreement?.id })
    const notices = (await emailsTo(email)).filter(({ subject }) => subject.includes('renewal'))
    expect(notices.map(({ subject }) => subject)).toEqual(['Your automatic renewal is off: The Tide Table'])
    expect(notices[0]?.text).toContain('Subscription: Print, one year\nRuns until: 21/11/2027')
  })
})

it('the notice of a change has the time of the change, whenever it is sent', async () => {
  const { id, email } = await makeBuyer(services, shop.id)
  const changedAt = services.clock.now
  await services.db.transaction(() =>
    notifyBuyer(services.as(system), { id, publisherId: shop.publisherId }, 'password-changed'),
  )
  services.clock.now = new Date(changedAt.getTime() + 14 * 3_600_000)
  const [mail] = await emailsTo(email)
  services.clock.now = changedAt
  const { timeZone } = services.settings
  expect(mail?.text).toContain(`${timeOf(changedAt, timeZone)} (${timeZone})`)
})
