import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import type { Language } from '../kernel/languages.ts'
import type { PostalAddress } from '../kernel/postal-address.ts'
import { day, defaulted, defineTable, id, instant, integer, json, nullable, ref, text } from '../table.ts'

/** The people who buy at a publication, with or without a password. */
export const Buyers = defineTable('buyers', {
  id: id(),
  publicationId: ref(),
  email: text(),
  /** The email in lower case: unique within a publication. */
  emailKey: text(),
  passwordHash: nullable(text()),
  /** When a link emailed to the address was last used; null: never, so the address is not proven. */
  emailProvenAt: nullable(instant()),
  /** Sessions and tokens of an older version are invalid. */
  tokenVersion: defaulted(integer()),
  title: defaulted(text()),
  firstName: defaulted(text()),
  lastName: defaulted(text()),
  mobile: defaulted(text()),
  /** The language of emails to the buyer: that of their last order or log-in. Null: unknown, so English. */
  language: nullable(text<Language>()),
  firstSubStartOn: nullable(day()),
  /** The last delivery address, for the next order. */
  shipping: nullable(json<PostalAddress>()),
  lastLoginAt: nullable(instant()),
  createdAt: instant(),
  updatedAt: instant(),
})

/** Stores the start of a buyer's first subscription, and the last delivery address. */
export async function recordOwnOrder(
  ctx: AppContext,
  buyerId: number,
  { startOn, shipping }: { startOn: Day | null; shipping: PostalAddress | null },
): Promise<void> {
  await ctx.db.run(
    `UPDATE buyers SET first_sub_start_on = COALESCE(first_sub_start_on, :startOn), shipping = COALESCE(:shipping, shipping), updated_at = :now
     WHERE id = :buyerId`,
    { buyerId, startOn, shipping: shipping && JSON.stringify(shipping), now: ctx.now() },
  )
}

/** Clears the password of a buyer whose email was never proven, unless it is proven concurrently. Returns whether there was a password. */
export async function clearUnprovenPassword(ctx: AppContext, id: number): Promise<boolean> {
  const cleared = await ctx.db.run(
    `UPDATE buyers SET password_hash = NULL, token_version = token_version + 1, updated_at = :now
     WHERE id = :id AND password_hash IS NOT NULL AND email_proven_at IS NULL`,
    { id, now: ctx.now() },
  )
  return cleared > 0
}

/** Records a log-in and the language of its page. This does not change `updatedAt`. */
export async function recordBuyerLogIn(ctx: AppContext, id: number, language: Language | null): Promise<void> {
  await ctx.db.run(`UPDATE buyers SET last_login_at = :now, language = COALESCE(:language, language) WHERE id = :id`, {
    now: ctx.now(),
    language,
    id,
  })
}

/** Records the language of an order, if the entry point knows it. */
export async function recordOrderLanguage(ctx: AppContext, id: number, language: Language | null): Promise<void> {
  await ctx.db.run(`UPDATE buyers SET language = COALESCE(:language, language) WHERE id = :id`, { language, id })
}
