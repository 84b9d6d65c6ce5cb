import { generateKeyPairSync } from 'node:crypto'
import { expect, it } from 'vitest'
import type { DkimKey, OutgoingMail } from '#core/ports/mailer.ts'
import { atFileEnd } from '#tests/support/file-end.ts'
import { startMailServer } from '#tests/support/smtp-server.ts'
import { verifyDkim } from '#tests/support/verify-dkim.ts'
import { openMailTransport } from './mail-transport.ts'
import { makeMailer } from './mailer.ts'

const unsubscribe = `<https://subscriptions.example.com/harbour-light/unsubscribe/${'x'.repeat(120)}>`
const mail: OutgoingMail = {
  to: 'Ann <ann@example.test>',
  replyTo: 'readers@example.test',
  fromName: 'Harbour Light',
  subject: 'Übrigens',
  html: '<p>Grüße</p>',
  text: 'Grüße\n\n',
  messageId: '<one@example.test>',
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

const makeKeyPair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })

it('list headers arrive on one line each, however long', async () => {
  const { server, transport } = await open()
  await transport.send(mail)
  const lines = server.received[0]?.raw.split('\r\n') ?? []
  expect(lines).toContain(`List-Unsubscribe: ${unsubscribe}`)
  expect(lines).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
})

it('a header that is not on the list, or not one line of ASCII, is not sent', async () => {
  const { server, mailer } = await open()
  const refused = [
    { 'X-Other': 'x' },
    { 'List-Unsubscribe': '<https://a.test>\r\nBcc: all@example.test' },
    { 'List-Unsubscribe': '<https://a.test/ü>' },
    { 'List-Unsubscribe': `<https://a.test/${'x'.repeat(900)}>` },
    { 'List-Unsubscribe': '' },
  ]
  for (const headers of refused) await expect(mailer.send({ ...mail, headers })).rejects.toThrow('header')
  expect(server.received).toEqual([])
})

it('the envelope sender is the email’s own, else the general one, and not visible in the email', async () => {
  const { server, transport } = await open()
  await transport.send({ ...mail, envelope: { from: 'bounces+1-abc@example.test' } })
  await transport.send(mail)
  expect(server.received.map(({ envelope }) => envelope.from)).toEqual([
    'bounces+1-abc@example.test',
    'masthead@example.test',
  ])
  expect(server.received[0]?.from?.value).toEqual([{ address: 'masthead@example.test', name: 'Harbour Light' }])
})

it('a signed email is verified with the public key, with both headers of one-click unsubscribe signed', async () => {
  const { privateKey, publicKey } = makeKeyPair()
  const { server, transport } = await open({ domain: 'example.test', selector: 'masthead', privateKey })
  await transport.send(mail)
  const raw = server.received[0]?.raw ?? ''
  const { tags, isValid } = verifyDkim(raw, publicKey)
  expect(tags).toMatchObject({ d: 'example.test', s: 'masthead', a: 'rsa-sha256' })
  expect(tags.h?.toLowerCase().split(':')).toEqual(
    expect.arrayContaining(['from', 'message-id', 'list-unsubscribe', 'list-unsubscribe-post']),
  )
  expect(isValid).toBe(true)
  expect(verifyDkim(raw.replace('List-Unsubscribe=One-Click', 'List-Unsubscribe=Two-Click'), publicKey).isValid).toBe(
    false,
  )
  expect(verifyDkim(raw.replace('masthead@example.test', 'other@example.test'), publicKey).isValid).toBe(false)
})

it('an email with its own sender is sent from there, signed only by its key, and bounces to the installation', async () => {
  const ours = makeKeyPair()
  const theirs = makeKeyPair()
  const { server, transport } = await open({
    domain: 'example.test',
    selector: 'masthead',
    privateKey: ours.privateKey,
  })
  const dkim = { domain: 'quay.test', selector: 'mh1', privateKey: theirs.privateKey }
  await transport.send({ ...mail, from: 'offers@example.test', ownSender: { address: 'readers@quay.test', dkim } })
  await transport.send(mail)
  const [own, standard] = server.received
  expect(own?.from?.value).toEqual([{ address: 'readers@quay.test', name: 'Harbour Light' }])
  expect(own?.envelope.from).toBe('offers@example.test')
  expect(own?.raw.match(/^DKIM-Signature:/gm)).toHaveLength(1)
  expect(verifyDkim(own?.raw ?? '', theirs.publicKey)).toMatchObject({
    isValid: true,
    tags: { d: 'quay.test', s: 'mh1' },
  })
  expect(verifyDkim(standard?.raw ?? '', theirs.publicKey)).toMatchObject({
    isValid: false,
    tags: { d: 'example.test' },
  })
})
