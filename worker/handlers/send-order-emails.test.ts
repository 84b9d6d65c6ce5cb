import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { upsertMailText } from '#core/emails/mail-texts.rows.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { startEmbeddedWorker } from '#core/platform/queue/embedded-worker.ts'
import type { OutgoingMail } from '#core/ports/mailer.ts'
import { mailSender } from '#tests/support/emails.ts'
import { system } from '#tests/support/factories.ts'
import { makeShop, orderForm } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { handlers } from './index.ts'

const sendOrderReceipt = mailSender('order-receipt')

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

async function emailsAbout(orderNumber: string) {
  const emails = (await services.mail.devMailbox?.list(100)) ?? []
  return emails.filter((mail) => mail.subject.includes(orderNumber)).sort((a, b) => (a.to < b.to ? -1 : 1))
}

describe('the emails of an order', () => {
  it('are sent to the buyer and to the publisher, once, by the worker', async () => {
    const shop = await makeShop(services, {
      publicationName: 'Harbour Light',
      orderEmailAddress: 'zz-orders@example.test',
      ccEmail: 'copy@example.test',
      iosAppLink: 'https://apps.example/ios',
      questionC: 'Which boat?',
    })
    await upsertMailText(
      services.as({ kind: 'system' }),
      { publicationId: shop.id, mail: 'order-receipt', language: '' },
      { subject: '', body: 'Thank you for coming aboard.\n\nFair winds.' },
    )
    const worker = startEmbeddedWorker(services, handlers)
    const answers = { C: 'A <b>dinghy</b>' }
    const { orderNumber, orderId } = await placeOrder(
      services.as(visitor),
      orderForm(shop, { email: 'ann@example.test', plan: '1BN39.99', answers }),
    )
    await worker.idle()
    await worker.stop()

    const [receipt, notice, ...more] = await emailsAbout(orderNumber)
    expect(more).toEqual([])
    expect(receipt).toMatchObject({
      to: 'ann@example.test',
      fromName: 'Harbour Light',
      replyTo: 'enquiries@example.test',
    })
    for (const words of [
      'Fair winds.',
      orderNumber,
      'Print and digital, one year',
      '21/11/2027',
      '£39.99\u00A0GBP',
      '1 Quay Street',
      'https://apps.example/ios',
    ]) {
      expect(receipt?.html).toContain(words)
      expect(receipt?.text).toContain(words)
    }
    expect(notice).toMatchObject({ to: 'zz-orders@example.test', cc: 'copy@example.test' })
    expect(notice?.text).toContain('Which boat?\n  A <b>dinghy</b>')
    expect(notice?.html).toContain('A &lt;b&gt;dinghy&lt;/b&gt;')

    expect(await sendOrderReceipt(services.as(system), { orderId })).toBe(false)
    expect(await emailsAbout(orderNumber)).toHaveLength(2)
  })

  it('are retried under the same Message-ID when the mail server failed', async () => {
    const shop = await makeShop(services)
    const { orderId } = await placeOrder(services.as(visitor), orderForm(shop))
    const messageIds: string[] = []
    const failingMail = {
      ...services.mail,
      send: (mail: { messageId: string }) => {
        messageIds.push(mail.messageId)
        return Promise.reject(new Error('down'))
      },
    }
    const ctx = services.as(system)
    await expect(sendOrderReceipt({ ...ctx, mail: failingMail }, { orderId })).rejects.toThrow('down')
    const workingMail = {
      ...services.mail,
      send: (mail: OutgoingMail) => {
        messageIds.push(mail.messageId)
        return services.mail.send(mail)
      },
    }
    expect(await sendOrderReceipt({ ...ctx, mail: workingMail }, { orderId })).toBe(true)
    expect(new Set(messageIds).size).toBe(1)
    expect(messageIds).toHaveLength(2)
  })

  it('are not sent for an unpaid order, nor by a visitor', async () => {
    const shop = await makeShop(services)
    const declined = orderForm(shop, { payment: { details: { cardNumber: '4000000000000002' } } })
    await placeOrder(services.as(visitor), declined).catch(() => {})
    const [order] = await services.db.query<{ id: number }>(`SELECT id FROM orders WHERE publication_id = :id`, {
      id: shop.id,
    })
    expect(await sendOrderReceipt(services.as(system), { orderId: order?.id })).toBe(false)
    await expect(sendOrderReceipt(services.as(visitor), { orderId: order?.id })).rejects.toMatchObject({
      kind: 'unauthenticated',
    })
  })
})
