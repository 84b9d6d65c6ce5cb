import { unseal } from '../access/sealed.ts'
import type { AppContext } from '../context.ts'
import type { OwnSender } from '../ports/mailer.ts'
import { PublisherSenders } from './publisher-senders.rows.ts'

/** A publisher's settings for the sender of its emails to readers. */
interface PublisherSender {
  /** Empty: the publication's. */
  fromName: string
  replyTo: string
  /** Null: the installation's address. */
  own: OwnSender | null
}

/** Null if a publisher has set nothing. */
export async function senderOfPublisher(
  ctx: Pick<AppContext, 'db' | 'settings'>,
  publisherId: number,
): Promise<PublisherSender | null> {
  const row = await PublisherSenders.find(ctx, { publisherId })
  if (!row) return null
  const { senderName: fromName, replyTo, address, domain, selector } = row
  // A key sealed under another APP_SECRET cannot sign, and without a signature receivers do not trust the address.
  const privateKey = row.activeSince === null ? null : unseal(ctx.settings.appSecret, 'dkim-key', row.privateSealed)
  return { fromName, replyTo, own: privateKey === null ? null : { address, dkim: { domain, selector, privateKey } } }
}
