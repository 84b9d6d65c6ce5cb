import { createHash } from 'node:crypto'
import PostalMime, { type Email } from 'postal-mime'
import { bounceKind, statusOf } from './bounce-kind.rules.ts'
import type { DeliveryEvent } from './delivery-event.ts'

/** A longer message is truncated: the relevant part of a report is at its beginning, and our own emails are smaller than 100 kB. */
const maxBytes = 512 * 1024

/** Real reports are never nested deeper and have no more headers; others are meant to exhaust the server. */
const limits = { maxNestingDepth: 20, maxHeadersSize: 128 * 1024, forceRfc822Attachments: true }

/** A report about more addresses than any of our emails has is not about one of our emails. */
const maxRecipients = 50

/**
 * What a message reports about emails: a delivery status report (RFC 3464), a complaint (RFC 5965), or the plain text of an older mail server. Empty
 * for everything else: replies, out-of-office messages, notices that an email is delayed. Null for a message that cannot be read at all. Nothing is
 * verified: the caller has to find out whose emails they are.
 */
export async function readReport(raw: Uint8Array | string): Promise<DeliveryEvent[] | null> {
  const message = await PostalMime.parse(raw.slice(0, maxBytes), limits).catch(() => null)
  if (!message) return null
  const report = { message, key: keyOf(message, raw), at: dateOf(message.date), mail: mailOf(message) }
  return statusReport(report) ?? complaint(report) ?? parsePlainTextReport(report) ?? []
}

interface Report {
  message: Email
  key: string
  at: Date | null
  mail: DeliveryEvent['mail']
}

/** The same report has the same key, whichever way it arrives. */
function keyOf({ messageId }: Email, raw: Uint8Array | string): string {
  return `report:${createHash('sha256')
    .update(messageId ?? raw)
    .digest('hex')
    .slice(0, 40)}`
}

function dateOf(date: string | undefined): Date | null {
  const at = new Date(date ?? '')
  return Number.isNaN(at.getTime()) ? null : at
}

/** The recipients of a delivery status report to whom delivery failed or succeeded. */
function statusReport({ message, key, ...report }: Report): DeliveryEvent[] | null {
  const [, ...recipients] = blocksOf(partOf(message, /^message\/(global-)?delivery-status$/)) ?? []
  if (recipients.length === 0) return null
  return recipients.slice(0, maxRecipients).flatMap((fields, index) => {
    const action = (fields.get('action') ?? '').toLowerCase()
    if (action !== 'failed' && action !== 'delivered') return []
    const diagnostic = (fields.get('diagnostic-code') ?? '').replace(/^[\w-]+\s*;\s*/, '')
    const status = statusOf(fields.get('status') ?? '', diagnostic)
    const answer = diagnostic || status
    const kind = action === 'delivered' ? 'delivered' : bounceKind({ status, answer })
    const recipient = addressOfField(fields.get('original-recipient')) ?? addressOfField(fields.get('final-recipient'))
    return [{ ...report, key: `${key}:${index}`, kind, recipient, status, answer }]
  })
}

const complaintTypes = ['abuse', 'fraud']

/** A report that a recipient marked an email as spam. */
function complaint({ message, key, ...report }: Report): DeliveryEvent[] | null {
  const [fields] = blocksOf(partOf(message, /^message\/feedback-report$/)) ?? []
  if (!fields) return null
  if (!complaintTypes.includes((fields.get('feedback-type') ?? '').toLowerCase())) return []
  const addresses = [...report.mail.addresses, ...addressesIn(fields.get('original-mail-from') ?? '')]
  const [recipient = null] = addressesIn(fields.get('original-rcpt-to') ?? '')
  const mail = { ...report.mail, addresses }
  return [{ ...report, mail, key: `${key}:0`, kind: 'complaint', recipient, status: '', answer: 'Reported as spam' }]
}

/** Mail servers that send plain text instead of a report. The status in it distinguishes it from an out-of-office message. */
function parsePlainTextReport({ message, key, ...report }: Report): DeliveryEvent[] | null {
  const from = addressesIn(headerOf(message, 'from'))
  if (!from.some((address) => /^(mailer-daemon|postmaster)@/i.test(address))) return null
  if (/^auto-replied/i.test(headerOf(message, 'auto-submitted'))) return null
  const line = (message.text ?? '').split('\n').find((text) => /(?<![\d.])5\.\d{1,3}\.\d{1,3}(?![\d.])/.test(text))
  if (line === undefined) return null
  const answer = line.trim().slice(0, 500)
  const status = statusOf(answer)
  return [{ ...report, key: `${key}:0`, kind: bounceKind({ status, answer }), recipient: null, status, answer }]
}

/** What identifies the email that a report is about: the recipient of the report itself, and the headers of the returned email. */
function mailOf(message: Email): DeliveryEvent['mail'] {
  const to = ['to', 'delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to']
  const original = partOf(message, /^(message\/(global|rfc822)|text\/rfc822-headers|message\/global-headers)$/) ?? ''
  const [headers] = blocksOf(original) ?? []
  return {
    addresses: [
      ...to.flatMap((name) => addressesIn(headerOf(message, name))),
      ...addressesIn(headers?.get('return-path') ?? ''),
    ],
    messageIds: messageIdsIn(headers?.get('message-id') ?? ''),
  }
}

function messageIdsIn(text: string): string[] {
  return (text.slice(0, 2000).match(/<[^<>\s]{3,300}>/g) ?? []).slice(0, 5)
}

function addressesIn(text: string): string[] {
  return (text.slice(0, 10_000).match(/[^\s<>"(),;:]{1,128}@[^\s<>"(),;:]{1,253}/g) ?? []).slice(0, 20)
}

function headerOf({ headers }: Email, name: string): string {
  return headers.flatMap(({ key, value }) => (key === name ? [value] : [])).join(', ')
}

/** The address in a field such as `rfc822; ann@example.com`. */
function addressOfField(field: string | undefined): string | null {
  return addressesIn((field ?? '').replace(/^[\w-]+\s*;/, ''))[0] ?? null
}

function partOf({ attachments }: Email, type: RegExp): string | null {
  const part = attachments.find(({ mimeType }) => type.test(mimeType))
  if (!part) return null
  const { content } = part
  return typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString('utf8')
}

/** The groups of fields of a report, separated by empty lines; folded lines are joined. */
function blocksOf(text: string | null): Map<string, string>[] | null {
  if (text === null) return null
  return text
    .slice(0, 100_000)
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/\n[ \t]+(?=\S)/g, ' ')
    .split(/\n[ \t]*\n/)
    .filter((block) => block.trim() !== '')
    .slice(0, maxRecipients + 1)
    .map((block) => {
      const fields = new Map<string, string>()
      for (const line of block.split('\n')) {
        const colon = line.indexOf(':')
        const name = line.slice(0, colon).trim().toLowerCase()
        if (colon > 0 && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim())
      }
      return fields
    })
}
