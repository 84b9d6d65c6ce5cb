import { z } from 'zod'
import { recordAudit } from '../access/audit.ts'
import { passwordMatches } from '../access/passwords.ts'
import { countTry, forgetTries } from '../access/rate-limit.ts'
import type { AppContext } from '../context.ts'
import { AppError } from '../kernel/errors.ts'
import { type BuyerRow, buyerSubject, liveBuyer } from './live-buyer.ts'
import { buyerTries, emailKey } from './recognise-buyer.ts'
import { openShop, whichShop } from './which-shop.ts'

export const BuyerCredentials = z.object({
  ...whichShop,
  email: z.string('Required').trim().min(1, 'Required').max(254, 'Must be 254 characters or fewer'),
  password: z.string('Required').min(1, 'Required').max(200, 'Must be 200 characters or fewer'),
})

const perAddress = { hits: 50, windowSeconds: 15 * 60 }

/** The buyer these credentials belong to at one publication. An unknown e-mail and a wrong password get the same answer in the same time. */
export async function checkBuyerCredentials(
  ctx: AppContext,
  { email, password, ...which }: z.output<typeof BuyerCredentials>,
): Promise<BuyerRow> {
  const shop = await openShop(ctx, which)
  const tries = buyerTries(shop.id, email)
  await countTry(ctx, tries.key, tries.limit)
  if (ctx.origin.address) await countTry(ctx, `buyer-login-from:${ctx.origin.address}`, perAddress)
  const buyer = await liveBuyer(ctx, { publicationId: shop.id, emailKey: emailKey(email) })
  const matches = await passwordMatches(buyer?.password_hash, password)
  if (!buyer || !matches) {
    const subject = buyer ? buyerSubject(buyer) : { type: 'buyer', id: null, publisherId: shop.publisherId }
    await recordAudit(ctx, 'buyer-log-in-refused', subject)
    const message = 'The email or the password is not right'
    throw new AppError('invalid', message, { fields: { password: message } })
  }
  // The right password is no guess: who logs in often is not locked out.
  await forgetTries(ctx, tries.key)
  return buyer
}
