import { bounceAddresses } from '../bounces/bounce-addresses.ts'
import type { DeliveryEvent } from '../bounces/delivery-event.ts'
import { isSameAddress, recordDeliveryEvent } from '../bounces/record-delivery-event.ts'
import type { AppContext } from '../context.ts'
import { storableText } from '../kernel/storable-text.ts'
import type { RowOf } from '../table.ts'
import { Emails } from './emails.rows.ts'

/**
 * Stores a report about an email. Call it in a transaction. True if the report was new. A report must name one of our emails by its individual sender
 * address or Message-ID, which are known only to those who have the email: any other report is forged or about someone else's mail.
 */
export async function recordReport(ctx: AppContext, event: DeliveryEvent): Promise<boolean> {
  const identified = await identifyMail(ctx, event)
  const address = identified && reportedAddress(identified, event)
  if (!identified || !address) return false
  const { mail } = identified
  const answer = storableText(event.answer)
  if (!(await recordDeliveryEvent(ctx, mail, { ...event, answer, address }))) return false
  const isUndelivered = ['hard', 'soft', 'blocked'].includes(event.kind)
  if (isUndelivered && isSameAddress(address, mail.toAddress)) {
    const lastAnswer = (answer || event.status).slice(0, 1000)
    await Emails.update(ctx, { id: mail.id, state: 'sent' }, { state: 'bounced', fault: 'bounced', lastAnswer })
  }
  return true
}

interface IdentifiedMail {
  mail: RowOf<typeof Emails>
  /** Whether the email was found by its unique sender address. */
  isBySender: boolean
}

async function identifyMail(ctx: AppContext, { mail }: DeliveryEvent): Promise<IdentifiedMail | null> {
  const { appSecret, bounceMailbox } = ctx.settings
  const senders = bounceAddresses(appSecret, bounceMailbox ?? 'bounces@localhost')
  for (const address of mail.addresses) {
    const id = senders.emailIdOf(address)
    const row = id === null ? null : await Emails.find(ctx, { id })
    if (row) return { mail: row, isBySender: true }
  }
  for (const messageId of mail.messageIds) {
    // Our Message-IDs are printable ASCII; others may contain characters that no database accepts.
    const row = /^[\x21-\x7e]{3,200}$/.test(messageId) ? await Emails.find(ctx, { messageId }) : null
    if (row) return { mail: row, isBySender: false }
  }
  return null
}

/**
 * Which of the email's addresses a report is about. A forwarded email bounces under another address: if it was sent to only one address, that one has
 * failed. Where only the Message-ID identifies the email, the report has to name the address as well: Message-IDs of earlier releases could be
 * guessed.
 */
function reportedAddress({ mail, isBySender }: IdentifiedMail, { recipient, kind }: DeliveryEvent): string | null {
  const { toAddress, settled } = mail
  const addresses = [toAddress, ...(settled ?? []).map(({ address }) => address)]
  const match = recipient === null ? undefined : addresses.find((address) => isSameAddress(address, recipient))
  if (match !== undefined) return match
  // Complaints arrive with the address removed.
  const isSure = isBySender || (kind === 'complaint' && recipient === null)
  return isSure && addresses.every((address) => isSameAddress(address, toAddress)) ? toAddress : null
}
