import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import type { Language } from '../kernel/languages.ts'
import type { PostalAddress } from '../kernel/postal-address.ts'
import { day, defaulted, defineTable, id, instant, integer, json, nullable, ref, text } from '../table.ts'

/** Who buys at a publication, with or without an account. */
export const Buyers = defineTable('buyers', {
  id: id(),
  publicationId: ref(),
  email: text(),
  /** Unique within a publication, whatever its case. */
  emailKey: text(),
  passwordHash: nullable(text()),
  /** When a link emailed to the address was last opened; null if none was, and the address is only known from an order. */
  emailProvenAt: nullable(instant()),
  /** Sessions and tokens of an older version are void. */
  tokenVersion: defaulted(integer()),
  title: defaulted(text()),
  firstName: defaulted(text()),
  lastName: defaulted(text()),
  mobile: defaulted(text()),
  /** The language of emails to them: that of their last order or log-in. Null: not known, so English. */
  language: nullable(text<Language>()),
  firstSubStartOn: nullable(day()),
  /** The delivery address as last saved, for the next order. */
  shipping: nullable(json<PostalAddress>()),
  lastLoginAt: nullable(instant()),
  createdAt: instant(),
  updatedAt: instant(),
})

/** Records since when a buyer has subscribed, and where the last delivery went. */
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

/** Clears the password of a buyer whose email was never proven, in one statement: a concurrent proof keeps it. Returns whether there was one. */
export async function clearUnprovenPassword(ctx: AppContext, id: number): Promise<boolean> {
  const cleared = await ctx.db.run(
    `UPDATE buyers SET password_hash = NULL, token_version = token_version + 1, updated_at = :now
     WHERE id = :id AND password_hash IS NOT NULL AND email_proven_at IS NULL`,
    { id, now: ctx.now() },
  )
  return cleared > 0
}

/** Records a log-in and the language of its page. It does not count as a change of the buyer. */
export async function recordBuyerLogIn(ctx: AppContext, id: number, language: Language | null): Promise<void> {
  await ctx.db.run(`UPDATE buyers SET last_login_at = :now, language = COALESCE(:language, language) WHERE id = :id`, {
    now: ctx.now(),
    language,
    id,
  })
}

/** Records the language of an order, where the entry point passed it. */
export async function recordOrderLanguage(ctx: AppContext, id: number, language: Language | null): Promise<void> {
  await ctx.db.run(`UPDATE buyers SET language = COALESCE(:language, language) WHERE id = :id`, { language, id })
}
