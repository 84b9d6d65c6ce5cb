import { domainToASCII } from 'node:url'
import type { AppContext } from '../context.ts'
import { asInstant } from '../database.ts'
import { dayOf } from '../kernel/calendar.ts'
import { emailKey } from '../kernel/search-keys.rules.ts'
import { storableText } from '../kernel/storable-text.ts'
import { readersChanged } from '../readers/reader-editions.rows.ts'
import type { RowOf } from '../table.ts'
import { AddressMarks, addressMark, lockedMark, markOwner } from './address-marks.rows.ts'
import type { DeliveryEvent } from './delivery-event.ts'
import { DeliveryEvents } from './delivery-events.rows.ts'

/** One of our emails, to which a report refers. */
export interface ReportedMail {
  id: number
  publicationId: number | null
  /** The recipient. */
  toAddress: string
  /** Null while it is not sent yet. */
  sentAt: Date | null
}

type EventDetails = Pick<DeliveryEvent, 'key' | 'kind' | 'at' | 'status' | 'answer'>
type MarkRow = RowOf<typeof AddressMarks>

/** After soft bounces on this many days no more emails are sent to an address. */
const softDays = 3

/** Mail servers try for five days and then report: an email without a report by then was delivered. */
const silentDays = 5

/**
 * Records a report about an address of an email, and marks the address where needed. Call it in a transaction. False if the report is not stored:
 * it is stored already, or it reports a delivery to an address without earlier reports.
 */
export async function recordDeliveryEvent(
  ctx: AppContext,
  mail: ReportedMail,
  { address, ...event }: EventDetails & { address: string },
): Promise<boolean> {
  const publisherId = await markOwner(ctx, mail.publicationId)
  const addressKey = emailKey(address.trim())
  // Nearly every email is delivered: a delivery needs a row only if earlier emails to the address failed.
  if (event.kind === 'delivered' && !(await addressMark(ctx, { publisherId, address }))) return false
  const now = ctx.now()
  const mailSentAt = mail.sentAt ?? now
  // A report may name any day: an impossible one is ignored.
  const happenedAt = event.at && event.at >= mailSentAt && event.at <= now ? event.at : now
  const row = await lockedMark(ctx, { publisherId, addressKey })
  const answer = { status: event.status.slice(0, 20), answer: oneLine(event.answer).slice(0, 500) }
  const isNew = await DeliveryEvents.insertNew(ctx, {
    eventKey: storableText(event.key).slice(0, 120),
    publisherId,
    addressKey,
    kind: event.kind,
    emailId: mail.id,
    mailSentAt,
    happenedAt,
    ...answer,
  })
  if (!isNew) return false
  const isOld = row.resetAt !== null && mailSentAt <= row.resetAt
  if (isOld) return true
  const changes = await changesBy(ctx, row, { mail, kind: event.kind, mailSentAt, happenedAt })
  if (!changes) return true
  const replyFields = changes.deliveredAt ? {} : answer
  await AddressMarks.update(ctx, { id: row.id }, { ...changes, ...replyFields })
  await markChanged(ctx, { publisherId, addressKey })
  return true
}

interface MailEvent {
  mail: ReportedMail
  kind: DeliveryEvent['kind']
  mailSentAt: Date
  happenedAt: Date
}

/** What a report changes in the mark of its address; null for nothing. */
async function changesBy(
  ctx: AppContext,
  row: MarkRow,
  { mail, kind, mailSentAt, happenedAt }: MailEvent,
): Promise<Partial<MarkRow> | null> {
  if (kind === 'blocked') return null
  if (kind === 'complaint') return row.complainedAt ? null : { complainedAt: happenedAt }
  // Only a user can lift a bounce: a later report of a delivery may be about an email that was sent before it.
  if (row.bouncedAt) return null
  if (kind === 'hard') return { bouncedAt: happenedAt }
  // A delivery cancels the soft bounces before it. It does not cancel a complaint: people complain about emails that were delivered.
  if (row.deliveredAt && mailSentAt <= row.deliveredAt) return null
  if (kind === 'delivered') return { deliveredAt: mailSentAt }
  return (await softDaysOf(ctx, row, mail)) >= softDays ? { bouncedAt: happenedAt } : null
}

/** On how many days emails to an address could not be delivered since the last delivered one. An email counts once. */
async function softDaysOf(ctx: AppContext, row: MarkRow, { toAddress }: ReportedMail): Promise<number> {
  const [delivered] = await ctx.db.query<{ sentAt: Date | string | null }>(
    `SELECT MAX(e.sent_at) AS "sentAt" FROM emails e LEFT JOIN publications p ON p.id = e.publication_id
     WHERE e.to_address = :toAddress AND COALESCE(p.publisher_id, 0) = :publisherId AND e.state = 'sent' AND e.sent_at < :before
       AND NOT EXISTS (SELECT 1 FROM delivery_events v WHERE v.email_id = e.id AND v.kind <> 'delivered')`,
    {
      toAddress,
      publisherId: row.publisherId,
      before: new Date(ctx.now().getTime() - silentDays * 86_400_000),
    },
  )
  const since = [row.resetAt, row.deliveredAt, delivered?.sentAt].flatMap((at) => (at ? [asInstant(at).getTime()] : []))
  const events = await DeliveryEvents.rows(
    ctx,
    `SELECT ${DeliveryEvents.columns()} FROM delivery_events
     WHERE publisher_id = :publisherId AND address_key = :addressKey AND kind = 'soft' ORDER BY id`,
    { publisherId: row.publisherId, addressKey: row.addressKey },
  )
  const dayOfMail = new Map<number, string>()
  for (const { emailId, mailSentAt, happenedAt } of events) {
    const isCounted = since.every((at) => mailSentAt.getTime() > at)
    if (isCounted && !dayOfMail.has(emailId)) dayOfMail.set(emailId, dayOf(happenedAt, ctx.settings.timeZone))
  }
  return new Set(dayOfMail.values()).size
}

/** Invalidates the counts of readers with this address. */
export async function markChanged(
  ctx: AppContext,
  { publisherId, addressKey }: { publisherId: number; addressKey: string },
): Promise<void> {
  const publications = await ctx.db.query<{ id: number }>(
    `SELECT p.id FROM publications p WHERE p.publisher_id = :publisherId
       AND EXISTS (SELECT 1 FROM readers r WHERE r.publication_id = p.id AND r.key_email <> '' AND r.key_email = :addressKey)`,
    { publisherId, addressKey },
  )
  for (const { id } of publications) await readersChanged(ctx.db, id)
}

/** Whether two texts are the same address: an international domain may be written in ASCII. */
export function isSameAddress(a: string, b: string): boolean {
  return asciiAddress(a) === asciiAddress(b)
}

function asciiAddress(address: string): string {
  const name = address.slice(0, address.lastIndexOf('@'))
  const domain = address.slice(address.lastIndexOf('@') + 1)
  return emailKey(`${name}@${domainToASCII(domain.trim().toLowerCase()) || domain}`.trim())
}

const oneLine = (text: string) => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
