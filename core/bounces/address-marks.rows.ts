import type { AppContext } from '../context.ts'
import { emailKey } from '../kernel/search-keys.rules.ts'
import { defaulted, defineTable, id, instant, nullable, ref, text } from '../table.ts'

/** Addresses with a report about them, one row for every publisher that writes to the address. */
export const AddressMarks = defineTable('address_marks', {
  id: id(),
  /** The publisher whose emails were reported; `installationPublisherId` for emails to staff. */
  publisherId: ref(),
  addressKey: text(),
  /** No email is sent to the address after this. */
  bouncedAt: nullable(instant()),
  /** Reported as spam: only notices are sent after this. */
  complainedAt: nullable(instant()),
  /** RFC 3463, such as `5.1.1`; empty where the server named none. */
  status: defaulted(text()),
  /** The text of the server's reply. */
  answer: defaulted(text()),
  /** When a user asked to try it again: reports about emails sent until then are ignored. */
  resetAt: nullable(instant()),
  /** When the newest email that was reported as delivered was sent: soft bounces of emails sent until then no longer count. */
  deliveredAt: nullable(instant()),
  createdAt: instant(),
  updatedAt: instant(),
})

/** Used in place of a publisher's id for emails of the installation itself, to staff. */
export const installationPublisherId = 0

/** The publisher that a publication's emails are filed under; without a publication the installation. */
export async function markOwner(
  ctx: Pick<AppContext, 'db'>,
  publicationId: number | null | undefined,
): Promise<number> {
  if (publicationId == null) return installationPublisherId
  const [row] = await ctx.db.query<{ publisher_id: number }>(
    `SELECT publisher_id FROM publications WHERE id = :publicationId`,
    { publicationId },
  )
  return row ? Number(row.publisher_id) : installationPublisherId
}

/** What prevents sending to an address. */
export interface AddressMark {
  bouncedAt: Date | null
  complainedAt: Date | null
  status: string
  answer: string
  /** When a user asked to try it again. */
  resetAt: Date | null
  /** When the newest delivered email was sent. */
  deliveredAt: Date | null
}

/** Whether an address that once refused an email may accept one now: a user asked to try it again, or an email was delivered. */
export function maySendAgain(mark: AddressMark | null): boolean {
  return mark !== null && (mark.resetAt !== null || mark.deliveredAt !== null)
}

/** The mark of an address for a publisher; null if nothing was reported about it. */
export async function addressMark(
  ctx: Pick<AppContext, 'db'>,
  { publisherId, address }: { publisherId: number; address: string },
): Promise<AddressMark | null> {
  const addressKey = emailKey(address.trim())
  return addressKey === '' ? null : AddressMarks.find(ctx, { publisherId, addressKey })
}

/** The row of an address, created where there is none, and locked: reports about one address are counted one after the other. */
export async function lockedMark(ctx: AppContext, key: { publisherId: number; addressKey: string }) {
  await AddressMarks.insertNew(ctx, key)
  const row = await AddressMarks.find(ctx, key, { isLocked: true })
  if (!row) throw new Error('The mark of an address was deleted while it was being written')
  return row
}
