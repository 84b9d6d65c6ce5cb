import type { AppContext } from '../context.ts'
import { asInstant } from '../database.ts'
import type { Day } from '../kernel/dates.ts'
import { emailKey } from './recognise-buyer.ts'

/** A buyer as a paid order needs it. */
export interface KeptBuyer {
  id: number
  readerId: number | null
  isNew: boolean
  firstSubStartOn: Day | null
  createdAt: Date
}

/** The buyer of a paid order: made when the e-mail is new to the publication, else the one that is there, whose password stays. */
export async function keepBuyer(
  ctx: AppContext,
  publicationId: number,
  who: {
    email: string
    passwordHash: string | null
    title: string
    firstName: string
    lastName: string
    mobile: string
  },
): Promise<KeptBuyer> {
  const made = await ctx.db.run(
    `INSERT INTO buyers (publication_id, email, email_key, password_hash, title, first_name, last_name, mobile, created_at, updated_at)
     VALUES (:publicationId, :email, :key, :passwordHash, :title, :firstName, :lastName, :mobile, :now, :now)
     ON CONFLICT (publication_id, email_key) DO NOTHING`,
    { ...who, publicationId, key: emailKey(who.email), now: ctx.now() },
  )
  const [row] = await ctx.db.query<{
    id: number
    reader_id: number | null
    first_sub_start_on: Day | null
    created_at: Date | string
  }>(
    `SELECT id, reader_id, first_sub_start_on, created_at FROM buyers WHERE publication_id = :publicationId AND email_key = :key`,
    { publicationId, key: emailKey(who.email) },
  )
  if (!row) throw new Error('The buyer was neither made nor found')
  return {
    id: row.id,
    readerId: row.reader_id,
    isNew: made > 0,
    firstSubStartOn: row.first_sub_start_on,
    createdAt: asInstant(row.created_at),
  }
}

/** Ties a buyer to the reader record it pays for, where there is one, and remembers where the last delivery went. */
export async function linkBuyer(
  ctx: AppContext,
  buyerId: number,
  { readerId, startOn, shipping }: { readerId: number | null; startOn: Day | null; shipping: object | null },
): Promise<void> {
  await ctx.db.run(
    `UPDATE buyers SET reader_id = COALESCE(:readerId, reader_id), first_sub_start_on = COALESCE(first_sub_start_on, :startOn),
            shipping = COALESCE(:shipping, shipping), updated_at = :now
     WHERE id = :buyerId`,
    { buyerId, readerId, startOn, shipping: shipping ? JSON.stringify(shipping) : null, now: ctx.now() },
  )
}
