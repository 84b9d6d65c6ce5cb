import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { orderNoticeSample } from '#core/emails/order-notice.email.ts'
import { orderReceiptSample } from '#core/emails/order-receipt.email.ts'
import { projectRoot } from '#core/platform/env.ts'
import { makeMailer } from '#core/platform/mailer.ts'

const samples = [orderReceiptSample, orderNoticeSample]
const templatesDir = join(projectRoot(), 'templates')
const mailFrom = 'subscriptions@example.com'
const mailer = makeMailer({ templatesDir, mailUrl: undefined, mailFrom, keepDir: '/nowhere' })

describe('every email', () => {
  it('has a sample, and every sample a template', () => {
    const folders = readdirSync(templatesDir).filter((name) => name !== 'layouts' && name !== 'partials')
    expect(folders.sort()).toEqual(samples.map(({ template }) => template).sort())
  })

  it.each(samples)('$template renders in strict mode, with every value of its sample', async (sample) => {
    const { subject, html, text } = await mailer.render(sample.template, sample)
    expect(subject).toContain(sample.orderNumber)
    for (const { label, value } of sample.rows) {
      expect(text).toContain(`${label}: ${value}`)
      expect(html).toContain(value)
    }
    for (const body of [html, text]) {
      expect(body).toContain(sample.total)
      expect(body).toContain(sample.publisherAddress)
      expect(body).not.toMatch(/undefined|null|NaN|\[object|\{\{/)
    }
    expect(text).not.toMatch(/\n{3,}|&[a-z#]/)
  })

  it.each(samples)('$template refuses a view that lacks a name', async (sample) => {
    const { orderNumber: _, ...rest } = sample
    await expect(mailer.render(sample.template, rest)).rejects.toThrow(/orderNumber/)
  })

  it.each(samples)('$template shows what people typed as text', async (sample) => {
    const typed = `<script>alert("x")</script> & Söhne`
    const { html, text } = await mailer.render(sample.template, {
      ...sample,
      name: typed,
      buyerName: typed,
      publicationName: typed,
    })
    expect(html).not.toContain('<script>')
    expect(html).toContain('&lt;script&gt;')
    expect(text).toContain(typed)
  })
})

describe('over SMTP', () => {
  const received: ParsedMail[] = []
  let isRefusing = false
  let port = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      simpleParser(stream).then((mail) => {
        if (!isRefusing) received.push(mail)
        done(isRefusing ? Object.assign(new Error('No room'), { responseCode: 452 }) : undefined)
      }, done)
    },
  })

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.server.address() as { port: number }).port
  })
  afterAll(() => new Promise<void>((resolve) => server.close(resolve)))

  const overSmtp = () =>
    makeMailer({ templatesDir, mailUrl: `smtp://127.0.0.1:${port}`, mailFrom, keepDir: '/nowhere' })
  const headers = { to: 'ann@example.com', fromName: 'Harbour Light', messageId: '<receipt.order.1@example.com>' }

  it('arrives with both bodies, its own Message-ID and a reply address', async () => {
    const mail = overSmtp()
    const rendered = await mail.render('order-receipt', orderReceiptSample)
    await mail.send({ ...headers, ...rendered, cc: 'copy@example.com', replyTo: 'readers@example.com' })
    const [got] = received.splice(0)
    expect(got).toMatchObject({ subject: 'Your order OD-7KQ2MXA: Harbour Light', messageId: headers.messageId })
    expect(got?.from?.value).toEqual([{ address: mailFrom, name: 'Harbour Light' }])
    expect(got?.replyTo?.text).toBe('readers@example.com')
    expect(got?.text).toContain('Total paid: £29.99 GBP')
    expect(got?.html).toContain('Dear Mrs Ann O&#x27;Brien')
  })

  it('lets no name or subject add a header', async () => {
    const evil = 'Harbour\r\nBcc: everybody@example.com\r\n\r\nHello'
    await overSmtp().send({ ...headers, fromName: evil, subject: evil, html: '', text: 'x' })
    const [got] = received.splice(0)
    expect(got?.bcc).toBeUndefined()
    expect(got?.headers.has('bcc')).toBe(false)
    expect(got?.subject).toBe('Harbour Bcc: everybody@example.com Hello')
  })

  it('says so when the server refuses, so that the job is tried again', async () => {
    isRefusing = true
    await expect(overSmtp().send({ ...headers, subject: 's', html: '', text: 'x' })).rejects.toMatchObject({
      kind: 'upstream',
    })
    isRefusing = false
  })
})
