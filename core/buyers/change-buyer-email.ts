import { z } from 'zod'
import { CurrentPassword } from '../access/password.input.ts'
import { passwordMatches } from '../access/passwords.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { addressMark } from '../bounces/address-marks.rows.ts'
import { isUniqueViolation } from '../database.ts'
import { EmailAddress } from '../kernel/email-address.ts'
import { conflict, invalid } from '../kernel/errors.ts'
import { countAttempt } from '../rate-limits/rate-limit.ts'
import { resetAttempts } from '../rate-limits/rate-limits.rows.ts'
import { changeReaderEmail } from '../readers/change-reader-email.ts'
import { lockReaders } from '../readers/readers.rows.ts'
import { notifyBuyer } from '../sessions/notify.ts'
import { voidLinks } from '../sessions/password-resets.rows.ts'
import { useCase } from '../use-case.ts'
import { voidClaims } from './account-claims.rows.ts'
import { Buyers } from './buyers.rows.ts'
import { buyerSubject, ownBuyer } from './live-buyer.ts'
import { ownReaders, ownRemovedReaders } from './own-readers.query.ts'
import { emailKey } from './recognise-buyer.ts'

const perBuyer = { hits: 10, windowSeconds: 15 * 60 }
const emailTakenMessage = 'This email already has an account here.'
const emailTaken = () => conflict(emailTakenMessage, { fields: { email: emailTakenMessage } })

/**
 * Changes the email of the logged-in buyer, for log-ins and for emails, also in the buyer's own reader records that have the previous one, removed
 * ones included, in case they are restored. Both addresses are notified. If the previous address is marked (for bounces or complaints), the new one is not.
 */
export const changeBuyerEmail = useCase({
  permission: 'buyer',
  input: z
    .object({
      email: EmailAddress,
      confirmEmail: z.string('Required').trim().min(1, 'Required'),
      currentPassword: CurrentPassword,
    })
    .refine(({ email, confirmEmail }) => emailKey(email) === emailKey(confirmEmail), {
      path: ['confirmEmail'],
      error: 'Emails must match',
    }),
  transaction: 'none',
  async run(ctx, { email, currentPassword }): Promise<{ email: string }> {
    const buyer = await ownBuyer(ctx)
    // Counted per buyer, not per email or network: only the logged-in buyer can use up these attempts.
    const key = `confirm-buyer:${buyer.id}`
    await countAttempt(ctx, key, perBuyer)
    if (!(await passwordMatches(buyer.passwordHash, currentPassword)))
      throw invalid({ currentPassword: 'The current password is wrong' })
    await resetAttempts(ctx, key)
    const { id, publicationId, email: previousEmail } = buyer
    return ctx.db.transaction(async () => {
      const existing = await Buyers.find(ctx, { publicationId, emailKey: emailKey(email) })
      if (existing && existing.id !== id) throw emailTaken()
      if (previousEmail === email) return { email }
      const removed = await ownRemovedReaders(ctx, buyer)
      const readers = (await ownReaders(ctx, buyer)).filter(({ isGift }) => !isGift)
      // The readers are locked before the buyer, as when an order is placed, to avoid a deadlock.
      await lockReaders(
        ctx,
        publicationId,
        readers.map((reader) => reader.id),
      )
      await voidClaims(ctx, id)
      // The new address is not proven yet; if only the case has changed, the proof stays.
      const emailProvenAt = emailKey(email) === buyer.emailKey ? buyer.emailProvenAt : null
      await Buyers.update(ctx, { id }, { email, emailKey: emailKey(email), emailProvenAt }).catch((error: unknown) => {
        // If another account takes the email concurrently, it is not found above, but the unique index refuses the second write.
        throw isUniqueViolation(error) ? emailTaken() : error
      })
      for (const { id: readerId } of [...readers, ...removed])
        await changeReaderEmail(ctx, { readerId, publicationId, from: previousEmail, to: email })
      // Password reset links in the previous mailbox must no longer work.
      await voidLinks(ctx, { buyerId: id })
      await recordAudit(ctx, 'buyer-change-email', buyerSubject(buyer))
      for (const to of [previousEmail, email]) await notifyBuyer(ctx, buyer, 'email-changed', { to })
      return { email }
    })
  },
})

/** Whether mail to the logged-in buyer's address bounces. */
export const ownAddressBounces = useCase({
  permission: 'buyer',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<boolean> {
    const { publisherId, email } = await ownBuyer(ctx)
    return Boolean((await addressMark(ctx, { publisherId, address: email }))?.bouncedAt)
  },
})
