import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountNoticeTexts } from '#core/emails/account-notice-texts.ts'
import { buyerNoticeTexts } from '#core/emails/buyer-notice-texts.ts'
import { emails, type MailName } from '#core/emails/emails.ts'
import { sampleFrame } from '#core/emails/mail-frame.rules.ts'
import { mailMessages } from '#core/emails/mail-translator.ts'
import { languages } from '#core/kernel/languages.ts'
import { makeMailer } from '#core/platform/mailer.ts'
import { sampleMailer as mailer, mailerBase } from '#tests/support/sample-mailer.ts'

const names = Object.keys(emails) as MailName[]
const samples = names.map((template) => ({ template, sample: emails[template].sample() }))
const { templatesDir, mailFrom } = mailerBase

/** Every text of a view, at any depth, except those that are not shown as text or that only one of the two bodies contains. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (Array.isArray(value)) return value.flatMap(textsOf)
  if (value === null) return []
  return Object.entries(value as object).flatMap(([name, inner]) =>
    ['template', 'color', 'storefrontUrl', 'locale', 'subject', 'button', 'copyLink'].includes(name)
      ? []
      : textsOf(inner),
  )
}

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
  '&#x3D;': '=',
}
const unescaped = (html: string) => html.replaceAll(/&#?\w+;/g, (entity) => entities[entity] ?? entity)
/** A sentence with its linked addresses. */
const unlinked = (html: string) => unescaped(html.replaceAll(/<\/?a\b[^>]*>/g, ''))

describe('every email', () => {
  it('has a folder of templates, and there is no other folder', () => {
    const folders = readdirSync(templatesDir).filter((name) => name !== 'layouts' && name !== 'partials')
    expect(folders.sort()).toEqual(names.toSorted())
  })

  it.each(samples)('$template renders in strict mode, with every value of its sample', async ({ sample, template }) => {
    const { subject, html, text } = await mailer.render(template, sample)
    expect(subject).not.toBe('')
    for (const value of textsOf(sample)) {
      expect(text).toContain(value)
      expect(unescaped(html) + unlinked(html)).toContain(value)
    }
    for (const body of [subject, html, text]) expect(body).not.toMatch(/undefined|null|NaN|\[object|\{\{/)
    expect(text).not.toMatch(/\n{3,}|&(?:[a-z]+|#\w+);/)
  })

  it.each(samples)('$template refuses a view that lacks a text of its own', async ({ sample, template }) => {
    const source = readFileSync(join(templatesDir, template, 'text.hbs'), 'utf8')
    const ownTexts = Object.entries(sample).filter(
      ([name, value]) => typeof value === 'string' && !(name in sampleFrame),
    )
    const needed = ownTexts
      .map(([name]) => name)
      .filter((name) => source.includes(`{{${name}}}`) && !source.includes(`{{#if ${name}}}`))
    expect(needed).not.toEqual([])
    for (const missing of needed) {
      const incomplete = Object.fromEntries(Object.entries(sample).filter(([name]) => name !== missing))
      await expect(mailer.render(template, incomplete)).rejects.toThrow(new RegExp(missing))
    }
  })

  it.each(samples)('$template escapes what people typed', async ({ sample, template }) => {
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

  it('has the order number in its subject, or what happened if it is a notice', async () => {
    const subjectOf = async (name: MailName, changes: object = {}) =>
      (await mailer.render(name, { ...emails[name].sample(), ...changes })).subject
    expect(await subjectOf('order-receipt')).toContain('OD-7KQ2MXA')
    expect(await subjectOf('order-notice')).toContain('OD-7KQ2MXA')
    for (const { headline } of Object.values(accountNoticeTexts))
      expect(await subjectOf('account-notice', { headline })).toBe(headline)
    for (const { headline } of Object.values(buyerNoticeTexts))
      expect(await subjectOf('buyer-notice', { headline })).toBe(`${headline}: Harbour Light`)
    expect(await subjectOf('invitation')).toBe('Your account at Masthead for Quayside Press')
    expect(await subjectOf('invitation', { companyName: '' })).toBe('Your account at Masthead')
  })
})

/** The emails to readers of a publication, without the publisher's custom texts. */
const toReaders = names.filter((name) => emails[name].custom)

describe.each(languages.filter((language) => language !== 'en'))('in %s', (language) => {
  it('every email to a reader is fully translated', async () => {
    const english = Object.entries(mailMessages[language]).filter(
      ([text, translation]) => text !== translation && text.includes(' '),
    )
    for (const name of toReaders) {
      const { subject, html, text } = await mailer.render(name, emails[name].sample(language))
      const longestParts = english.map(
        ([sentence]) => sentence.split(/\{\w+\}/).sort((a, b) => b.length - a.length)[0] ?? '',
      )
      for (const body of [subject, unlinked(html), text])
        expect(
          longestParts.filter((part) => part.trim().length > 8 && body.includes(part)),
          name,
        ).toEqual([])
    }
  })

  it('every email to staff and publishers is English', () => {
    for (const name of names.filter((candidate) => !toReaders.includes(candidate)))
      expect(emails[name].sample(language), name).toEqual(emails[name].sample())
  })
})

it.each(toReaders)('in French a colon has a space before it in the subject and the text of %s', async (name) => {
  const { subject, text } = await mailer.render(name, emails[name].sample('fr'))
  expect(`${subject}\n${text}`).not.toMatch(/[^\u00A0]:(?!\S)/)
})

it('a link in a sentence ends where its address ends, and typed text never becomes a link', async () => {
  const help = 'Write to ann@example.com, or see https://example.com/a?b=1&c=2. <b>'
  const { html } = await mailer.render('order-receipt', { ...emails['order-receipt'].sample(), help })
  expect(html).toContain('<a href="mailto:ann@example.com" style="color:#17202A;">ann@example.com</a>, or see')
  expect(html).toContain('>https://example.com/a?b&#x3D;1&amp;c&#x3D;2</a>. &lt;b&gt;')
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

  const overSmtp = () => makeMailer({ ...mailerBase, mailUrl: `smtp://127.0.0.1:${port}` })
  const headers = { to: 'ann@example.com', fromName: 'Harbour Light', messageId: '<receipt.order.1@example.com>' }

  it('arrives with both bodies, its own Message-ID and a reply-to address', async () => {
    const mail = overSmtp()
    const rendered = await mail.render('order-receipt', emails['order-receipt'].sample('de'))
    await mail.send({ ...headers, ...rendered, cc: 'copy@example.com', replyTo: 'readers@example.com' })
    const [arrived] = received.splice(0)
    expect(arrived).toMatchObject({
      subject: 'Ihre Bestellung OD-7KQ2MXA: Harbour Light',
      messageId: headers.messageId,
    })
    expect(arrived?.from?.value).toEqual([{ address: mailFrom, name: 'Harbour Light' }])
    expect(arrived?.replyTo?.text).toBe('readers@example.com')
    expect(arrived?.text).toContain('Bezahlter Betrag: 29,99\u00A0£')
    expect(arrived?.text).toContain('Endet am: 21.11.2027')
    expect(arrived?.html).toContain('lang="de-DE"')
    expect(arrived?.html).toContain('Guten Tag Mrs Ann O&#x27;Brien')
  })

  it('lets no name or subject add a header', async () => {
    const evil = 'Harbour\r\nBcc: everybody@example.com\r\n\r\nHello'
    await overSmtp().send({ ...headers, fromName: evil, subject: evil, html: '', text: 'x' })
    const [arrived] = received.splice(0)
    expect(arrived?.bcc).toBeUndefined()
    expect(arrived?.headers.has('bcc')).toBe(false)
    expect(arrived?.subject).toBe('Harbour Bcc: everybody@example.com Hello')
  })

  it('reports that the server refused the email', async () => {
    isRefusing = true
    const outcome = await overSmtp().send({ ...headers, subject: 's', html: '', text: 'x' })
    expect(outcome).toMatchObject({ answers: [{ address: headers.to, fault: 'later', answer: '452 No room' }] })
    isRefusing = false
  })
})
