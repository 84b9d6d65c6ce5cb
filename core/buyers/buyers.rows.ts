import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
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
  /** Sessions and tokens of an older version are over. */
  tokenVersion: defaulted(integer()),
  title: defaulted(text()),
  firstName: defaulted(text()),
  lastName: defaulted(text()),
  mobile: defaulted(text()),
  readerId: nullable(ref()),
  firstSubStartOn: nullable(day()),
  /** The delivery address as last saved, for the next order. */
  shipping: nullable(json<PostalAddress>()),
  lastLoginAt: nullable(instant()),
  createdAt: instant(),
  updatedAt: instant(),
})

/** Ties a buyer to the reader record it pays for, where there is one, and remembers where the last delivery went. */
export async function linkBuyer(
  ctx: AppContext,
  buyerId: number,
  { readerId, startOn, shipping }: { readerId: number | null; startOn: Day | null; shipping: PostalAddress | null },
): Promise<void> {
  await ctx.db.run(
    `UPDATE buyers SET reader_id = COALESCE(:readerId, reader_id), first_sub_start_on = COALESCE(first_sub_start_on, :startOn),
            shipping = COALESCE(:shipping, shipping), updated_at = :now
     WHERE id = :buyerId`,
    { buyerId, readerId, startOn, shipping: shipping && JSON.stringify(shipping), now: ctx.now() },
  )
}

/** Notes a log-in, which is no change of the buyer. */
export async function noteBuyerLogIn(ctx: AppContext, id: number): Promise<void> {
  await ctx.db.run(`UPDATE buyers SET last_login_at = :now WHERE id = :id`, { now: ctx.now(), id })
}
