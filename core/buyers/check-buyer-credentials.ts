import { z } from 'zod'
import { LogInPassword } from '../access/password.input.ts'
import { passwordMatches } from '../access/passwords.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { emailToFind } from '../kernel/email-address.ts'
import { AppError } from '../kernel/errors.ts'
import { CaptchaField } from '../rate-limits/captcha.ts'
import { countGuess, resetAfterRightGuess } from '../rate-limits/guess-limit.ts'
import { countAttempt, networkKey } from '../rate-limits/rate-limit.ts'
import { removeAttempt } from '../rate-limits/rate-limits.rows.ts'
import { openShop, shopReference } from '../storefronts/open-shop.ts'
import { type BuyerRow, buyerSubject, liveBuyer } from './live-buyer.ts'
import { buyerAccountKey, buyerGuesses, emailKey } from './recognise-buyer.ts'

export const BuyerCredentials = z.object({
  ...shopReference,
  email: emailToFind(),
  password: LogInPassword,
  /** Required after many wrong passwords for this account. */
  captcha: CaptchaField,
})

const perNetwork = { hits: 50, windowSeconds: 15 * 60 }

/** The buyer these credentials belong to at one publication. An unknown email and a wrong password get the same response after the same time. */
export async function checkBuyerCredentials(
  ctx: AppContext,
  { email, password, captcha, ...shopRef }: z.output<typeof BuyerCredentials>,
): Promise<BuyerRow> {
  const shop = await openShop(ctx, shopRef)
  const account = buyerAccountKey(shop.id, email)
  const network = networkKey(ctx, 'buyer-login')
  if (network) await countAttempt(ctx, network, perNetwork)
  await countGuess(ctx, buyerGuesses, account, captcha)
  const buyer = await liveBuyer(ctx, { publicationId: shop.id, emailKey: emailKey(email) })
  const matches = await passwordMatches(buyer?.passwordHash, password)
  if (!buyer || !matches) {
    const subject = buyer ? buyerSubject(buyer) : { type: 'buyer', id: null, publisherId: shop.publisherId }
    await recordAudit(ctx, 'buyer-log-in-refused', subject)
    const message = 'The email or the password is wrong'
    throw new AppError('invalid', message, { fields: { password: message } })
  }
  // The right password does not count as a guess: buyers who log in often, or share a network address, are not locked out.
  if (network) await removeAttempt(ctx, network)
  await resetAfterRightGuess(ctx, buyerGuesses, account)
  return buyer
}
