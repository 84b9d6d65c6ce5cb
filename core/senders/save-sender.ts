import { randomBytes } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { z } from 'zod'
import { hashToken, newToken } from '../access/tokens.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { enqueueMail } from '../jobs/enqueue-mail.ts'
import { BasedOn, refuseOutdated } from '../kernel/based-on.ts'
import { isEmailAddress, normalEmail } from '../kernel/email.rules.ts'
import { AppError, conflict } from '../kernel/errors.ts'
import { requirePublisherId } from '../publications/own-publication.ts'
import { countAttempt } from '../rate-limits/rate-limit.ts'
import { useCase } from '../use-case.ts'
import { checkRecords } from './check-sender.ts'
import { newSenderKey } from './new-sender-key.ts'
import { PublisherSenders, type SenderRow } from './publisher-senders.rows.ts'

/** The rate limits of emailed links: to one address, and by one publisher. */
const perAddress = { hits: 5, windowSeconds: 24 * 3600 }
const perPublisher = { hits: 10, windowSeconds: 24 * 3600 }
/** How long a link proves the address it was sent to. */
const linkMs = 24 * 3600_000

const email = z
  .string('Must be an email address')
  .overwrite(normalEmail)
  .refine((text) => text === '' || isEmailAddress(text), 'Must be an email address')

const SenderInput = z.object({
  senderName: z
    .string('Must be text')
    .trim()
    .max(100, 'Must be 100 characters or fewer')
    // The display name that mail programs show must not look like another address.
    .refine(
      (text) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}@<>"]/u.test(text),
      'Must be a name without @, <, > or quotation marks',
    ),
  /** Only ASCII before the @: not every mail server accepts others in a sender. */
  address: email
    .refine(
      (text) => !/[^\x21-\x7e]/.test(text.slice(0, text.lastIndexOf('@') + 1)),
      'Must contain only unaccented letters, digits and punctuation before the @',
    )
    .transform(inAscii),
  replyTo: email,
  basedOn: BasedOn,
})

/**
 * Sets the sender of the acting publisher's emails to its readers. A new address gets an email with a link that proves it; its domain gets
 * its own key pair, unless it is the domain that was set before.
 */
export const saveSender = useCase({
  permission: 'sender:write',
  input: SenderInput,
  transaction: 'none',
  async run(ctx, { basedOn, ...input }): Promise<{ isLinkSent: boolean }> {
    const publisherId = requirePublisherId(ctx)
    const stored = await PublisherSenders.find(ctx, { publisherId })
    const isNew = input.address !== (stored?.address ?? '')
    const domain = domainOf(input.address)
    if (isNew && input.address !== '') await countLinks(ctx, publisherId, input.address)
    // Before the transaction, so that no lock is held while it runs.
    const key = isNew && domain !== (stored?.domain ?? '') ? await newSenderKey(ctx, domain) : {}
    return ctx.db.transaction(async () => {
      const row = await lockedSender(ctx, publisherId)
      if (row.address !== (stored?.address ?? '')) throw changedMeanwhile()
      refuseOutdated(basedOn, row, input)
      await PublisherSenders.update(ctx, { id: row.id }, { ...input, ...key, ...(isNew ? unverified : {}) })
      await recordAudit(ctx, 'update-sender', { type: 'sender', id: row.id, publisherId }, { domain })
      if (!isNew || input.address === '') return { isLinkSent: false }
      await enqueueLink(ctx, row.id, publisherId)
      return { isLinkSent: true }
    })
  },
})

/** Emails a new link to the address to be verified. */
export const sendSenderLink = useCase({
  permission: 'sender:write',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<{ to: string }> {
    const publisherId = requirePublisherId(ctx)
    const row = await PublisherSenders.find(ctx, { publisherId })
    if (!row || row.address === '') throw conflict('There is no sender address to verify')
    if (row.verifiedAt !== null) throw conflict(`${row.address} is already verified`)
    await countLinks(ctx, publisherId, row.address)
    await ctx.db.transaction(() => enqueueLink(ctx, row.id, publisherId))
    return { to: row.address }
  },
})

/** Accepts the link's token as proof of the address. Only staff of the publisher who set it can use it, once. */
export const confirmSender = useCase({
  permission: 'sender:write',
  input: z.object({ token: z.string('The link is incomplete. Copy all of it.').max(100) }),
  transaction: 'none',
  async run(ctx, { token }): Promise<{ address: string }> {
    const publisherId = requirePublisherId(ctx)
    const row = await ctx.db.transaction(async () => {
      const sender = await PublisherSenders.find(ctx, { publisherId, tokenHash: hashToken(token) }, { isLocked: true })
      if (!sender || sender.tokenUntil === null || sender.tokenUntil <= ctx.now())
        throw new AppError(
          'conflict',
          'This link has been used, has expired or belongs to another address. Send a new one.',
        )
      const verified = { verifiedAt: ctx.now(), tokenHash: null, tokenUntil: null }
      await PublisherSenders.update(ctx, { id: sender.id }, verified)
      await recordAudit(ctx, 'verify-sender', { type: 'sender', id: sender.id, publisherId }, { domain: sender.domain })
      return { ...sender, ...verified }
    })
    await checkRecords(ctx, row)
    return { address: row.address }
  },
})

/** The data of a link; the token is stored nowhere else. Voids the previous one. Null if there is no longer anything to verify. */
export async function makeSenderLink(
  ctx: AppContext,
  senderId: number,
): Promise<{ address: string; publisherId: number; token: string } | null> {
  const row = await PublisherSenders.find(ctx, { id: senderId })
  if (!row || row.address === '' || row.verifiedAt !== null) return null
  const token = newToken()
  const tokenUntil = new Date(ctx.now().getTime() + linkMs)
  const { address, publisherId } = row
  const updated = await PublisherSenders.update(
    ctx,
    { id: senderId, address, verifiedAt: null },
    { tokenHash: hashToken(token), tokenUntil },
  )
  return updated === 1 ? { address, publisherId, token } : null
}

const unverified = {
  verifiedAt: null,
  tokenHash: null,
  tokenUntil: null,
  activeSince: null,
  lostAt: null,
  refusedAt: null,
  refusedAnswer: '',
} satisfies Partial<SenderRow>

async function countLinks(ctx: AppContext, publisherId: number, address: string): Promise<void> {
  await countAttempt(ctx, `sender-links:${publisherId}`, perPublisher)
  await countAttempt(ctx, `sender-link:${hashToken(address.toLowerCase())}`, perAddress)
}

async function enqueueLink(ctx: AppContext, senderId: number, publisherId: number): Promise<void> {
  const key = randomBytes(9).toString('base64url')
  await enqueueMail(ctx, 'sender-link', { senderId, key }, { dedupeKey: `sender-link:${senderId}:${key}`, publisherId })
}

/** The publisher's row, created if there is none, and locked. */
async function lockedSender(ctx: AppContext, publisherId: number): Promise<SenderRow> {
  await PublisherSenders.insertNew(ctx, { publisherId })
  const row = await PublisherSenders.find(ctx, { publisherId }, { isLocked: true })
  if (!row) throw changedMeanwhile()
  return row
}

function changedMeanwhile(): AppError {
  return conflict('Somebody has changed the sender since you opened it. Open it again, and repeat your change.')
}

function inAscii(address: string): string {
  const at = address.lastIndexOf('@')
  return at < 0 ? '' : `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1).toLowerCase())}`
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1)
}
