import { createHash, createVerify, generateKeyPairSync } from 'node:crypto'
import { expect, it } from 'vitest'
import type { OutgoingMail } from '#core/ports/mailer.ts'
import { atFileEnd } from '#tests/support/file-end.ts'
import { startMailServer } from '#tests/support/smtp-server.ts'
import { type DkimKey, openMailTransport } from './mail-transport.ts'
import { makeMailer } from './mailer.ts'

const unsubscribe = `<https://subscriptions.example.com/harbour-light/unsubscribe/${'x'.repeat(120)}>`
const mail: OutgoingMail = {
  ...{ to: 'Ann <ann@example.test>', replyTo: 'readers@example.test', fromName: 'Harbour Light', subject: 'Übrigens' },
  ...{ html: '<p>Grüße</p>', text: 'Grüße\n\n', messageId: '<one@example.test>' },
  headers: { 'List-Unsubscribe': unsubscribe, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
}

async function open(dkim: DkimKey | null = null) {
  const server = await startMailServer()
  const options = { mailFrom: 'masthead@example.test', connections: 1, timeoutMs: 10_000, now: () => new Date(), dkim }
  const transport = openMailTransport({ mailUrl: server.url, ...options })
  atFileEnd(transport.close)
  const mailer = makeMailer({ templatesDir: '/nowhere', mailUrl: server.url, keepDir: '/nowhere', ...options })
  atFileEnd(mailer.close)
  return { server, transport, mailer }
}

it('headers of the list arrive on one line each, however long', async () => {
  const { server, transport } = await open()
  await transport.send(mail)
  const lines = server.received[0]?.raw.split('\r\n') ?? []
  expect(lines).toContain(`List-Unsubscribe: ${unsubscribe}`)
  expect(lines).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
})

it('a header that is not of the list, or not one line of ASCII, is not sent', async () => {
  const { server, mailer } = await open()
  const bad = [
    { 'X-Other': 'x' },
    { 'List-Unsubscribe': '<https://a.test>\r\nBcc: all@example.test' },
    { 'List-Unsubscribe': '<https://a.test/ü>' },
    { 'List-Unsubscribe': `<https://a.test/${'x'.repeat(900)}>` },
    { 'List-Unsubscribe': '' },
  ]
  for (const headers of bad) await expect(mailer.send({ ...mail, headers })).rejects.toThrow('header')
  expect(server.received).toEqual([])
})

it('the sender of the envelope is the mail’s own, else that of all mails, and not seen in the mail', async () => {
  const { server, transport } = await open()
  await transport.send({ ...mail, envelope: { from: 'bounces+1-abc@example.test' } })
  await transport.send(mail)
  expect(server.received.map(({ envelope }) => envelope.from)).toEqual([
    'bounces+1-abc@example.test',
    'masthead@example.test',
  ])
  expect(server.received[0]?.from?.value).toEqual([{ address: 'masthead@example.test', name: 'Harbour Light' }])
})

it('a signed mail is verified with the public key, both headers of one-click unsubscription within', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const { server, transport } = await open({ domain: 'example.test', selector: 'masthead', privateKey: pem })
  await transport.send(mail)
  const raw = server.received[0]?.raw ?? ''
  const { tags, isGood } = verify(raw, publicKey.export({ type: 'spki', format: 'pem' }).toString())
  expect(tags).toMatchObject({ d: 'example.test', s: 'masthead', a: 'rsa-sha256' })
  expect(tags.h?.toLowerCase().split(':')).toEqual(
    expect.arrayContaining(['from', 'message-id', 'list-unsubscribe', 'list-unsubscribe-post']),
  )
  expect(isGood).toBe(true)
  const pemText = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  expect(verify(raw.replace('List-Unsubscribe=One-Click', 'List-Unsubscribe=Two-Click'), pemText).isGood).toBe(false)
  expect(verify(raw.replace('masthead@example.test', 'other@example.test'), pemText).isGood).toBe(false)
})

/** Checks a relaxed/relaxed DKIM signature (RFC 6376, 3.4 and 3.7) by itself. */
function verify(raw: string, publicKey: string): { tags: Record<string, string>; isGood: boolean } {
  const end = raw.indexOf('\r\n\r\n')
  const fields = raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const relaxed = (field: string) => {
    const colon = field.indexOf(':')
    const value = field
      .slice(colon + 1)
      .replaceAll(/[ \t]+/g, ' ')
      .trim()
    return `${field.slice(0, colon).trim().toLowerCase()}:${value}`
  }
  const signature = fields.find((field) => /^DKIM-Signature:/i.test(field)) ?? ''
  const tags = Object.fromEntries(
    signature
      .slice(signature.indexOf(':') + 1)
      .split(';')
      .map((tag) => tag.trim())
      .filter(Boolean)
      .map((tag) => [tag.slice(0, tag.indexOf('=')), tag.slice(tag.indexOf('=') + 1).replaceAll(/\s/g, '')]),
  )
  const body = `${raw
    .slice(end + 4)
    .replaceAll(/[ \t]+(?=\r\n)/g, '')
    .replaceAll(/[ \t]+/g, ' ')
    .replace(/(\r\n)*$/, '')}\r\n`
  const bodyHash = createHash('sha256').update(body, 'utf8').digest('base64')
  const signed = (tags.h ?? '')
    .split(':')
    .map((name) => fields.find((field) => field.toLowerCase().startsWith(`${name.toLowerCase()}:`)))
    .filter((field) => field !== undefined)
    .map(relaxed)
  const text = [...signed, relaxed(signature.replace(/([;\s]b=)[^;]*/, '$1'))].join('\r\n')
  const isGood =
    bodyHash === tags.bh &&
    createVerify('RSA-SHA256')
      .update(text)
      .verify(publicKey, tags.b ?? '', 'base64')
  return { tags, isGood }
}
