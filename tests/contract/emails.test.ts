import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AccountNoticeView, accountNoticeSample } from '#core/emails/account-notice.email.ts'
import { accountNoticeWords } from '#core/emails/account-notice-words.ts'
import { type BuyerNoticeView, buyerNoticeSample } from '#core/emails/buyer-notice.email.ts'
import { buyerNoticeWords } from '#core/emails/buyer-notice-words.ts'
import { buyerResetLinkSample } from '#core/emails/buyer-reset-link.email.ts'
import { contactRequestSample } from '#core/emails/contact-request.email.ts'
import { directDebitNoticeSample } from '#core/emails/direct-debit-notice.email.ts'
import { giftNoticeSample } from '#core/emails/gift-notice.email.ts'
import { type InvitationView, invitationSample } from '#core/emails/invitation.email.ts'
import { orderNoticeSample } from '#core/emails/order-notice.email.ts'
import { orderReceiptSample } from '#core/emails/order-receipt.email.ts'
import { paymentFailedSample } from '#core/emails/payment-failed.email.ts'
import { resetLinkSample } from '#core/emails/reset-link.email.ts'
import { welcomeSample } from '#core/emails/welcome.email.ts'
import { projectRoot } from '#core/platform/env.ts'
import { makeMailer } from '#core/platform/mailer.ts'

/** `needs`: a name without which the mail has a hole. */
const samples = [
  { sample: orderReceiptSample, needs: 'orderNumber' },
  { sample: orderNoticeSample, needs: 'orderNumber' },
  { sample: giftNoticeSample, needs: 'buyerName' },
  { sample: directDebitNoticeSample, needs: 'takenOn' },
  { sample: paymentFailedSample, needs: 'headline' },
  { sample: resetLinkSample, needs: 'url' },
  { sample: buyerResetLinkSample, needs: 'url' },
  { sample: buyerNoticeSample, needs: 'headline' },
  { sample: invitationSample, needs: 'url' },
  { sample: accountNoticeSample, needs: 'headline' },
  { sample: welcomeSample, needs: 'loginUrl' },
  { sample: contactRequestSample, needs: 'writtenAt' },
].map((row) => ({ ...row, template: row.sample.template }))
const templatesDir = join(projectRoot(), 'templates')
const mailFrom = 'subscriptions@example.com'
const mailer = makeMailer({ templatesDir, mailUrl: undefined, mailFrom, keepDir: '/nowhere' })

/** Every text of a view, wherever it stands, but for what no reader sees as text. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (Array.isArray(value)) return value.flatMap(textsOf)
  return Object.entries(value as object).flatMap(([name, inner]) =>
    ['template', 'color', 'storefrontUrl'].includes(name) ? [] : textsOf(inner),
  )
}

const signs: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
  '&#x3D;': '=',
}
const unescaped = (html: string) => html.replaceAll(/&#?\w+;/g, (sign) => signs[sign] ?? sign)

describe('every email', () => {
  it('has a sample, and every sample a template', () => {
    const folders = readdirSync(templatesDir).filter((name) => name !== 'layouts' && name !== 'partials')
    expect(folders.sort()).toEqual(samples.map(({ template }) => template).sort())
  })

  it.each(samples)('$template renders in strict mode, with every value of its sample', async ({ sample, template }) => {
    const { subject, html, text } = await mailer.render(template, sample)
    expect(subject).not.toBe('')
    for (const value of textsOf(sample)) {
      expect(text).toContain(value)
      expect(unescaped(html)).toContain(value)
    }
    for (const body of [subject, html, text]) expect(body).not.toMatch(/undefined|null|NaN|\[object|\{\{/)
    expect(text).not.toMatch(/\n{3,}|&[a-z#]/)
  })

  it.each(samples)('$template refuses a view that lacks a name', async ({ sample, template, needs }) => {
    const rest = Object.fromEntries(Object.entries(sample).filter(([name]) => name !== needs))
    await expect(mailer.render(template, rest)).rejects.toThrow(new RegExp(needs))
  })

  it.each(samples)('$template shows what people typed as text', async ({ sample, template }) => {
    const typed = `<script>alert("x")</script> & Söhne`
    const { html, text } = await mailer.render(template, {
      ...sample,
      name: typed,
      buyerName: typed,
      greeting: typed,
      publicationName: typed,
    })
    expect(html).not.toContain('<script>')
    expect(html).toContain('&lt;script&gt;')
    expect(text).toContain(typed)
  })

  it('says the number of an order in its subject, and what happened in that of a notice', async () => {
    const subjectOf = async (view: { template: string }) => (await mailer.render(view.template, view)).subject
    expect(await subjectOf(orderReceiptSample)).toContain(orderReceiptSample.orderNumber)
    expect(await subjectOf(orderNoticeSample)).toContain(orderNoticeSample.orderNumber)
    for (const { headline } of Object.values(accountNoticeWords))
      expect(await subjectOf({ ...accountNoticeSample, headline } as AccountNoticeView)).toBe(headline)
    for (const { headline } of Object.values(buyerNoticeWords))
      expect(await subjectOf({ ...buyerNoticeSample, headline } as BuyerNoticeView)).toBe(`${headline}: Harbour Light`)
    expect(await subjectOf(invitationSample)).toBe('Your account at Masthead for Quayside Press')
    expect(await subjectOf({ ...invitationSample, companyName: '' } as InvitationView)).toBe('Your account at Masthead')
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
