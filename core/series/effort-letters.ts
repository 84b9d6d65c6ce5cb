import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { asJson } from '../database.ts'
import { addDays, dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { DayInput } from '../kernel/day-input.ts'
import type { PostalAddress } from '../kernel/postal-address.ts'
import type { Product } from '../pricing/plan-code.rules.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { planEffortsOn } from './plan-efforts.ts'
import { markProduced, ReaderEfforts } from './reader-efforts.rows.ts'
import { lockSeries } from './renewal-series.rows.ts'
import { catchUpDays } from './series.rules.ts'
import { waitingLetters } from './still-due.query.ts'

/** The title and the day of a file of letters; `today` is the business day. */
interface LettersQuery {
  publicationId: number
  on: Day
  today: Day
}

/**
 * Assigns letters of a title to the file of a day: those planned in the week up to that day that are in no file yet. Once the file of a day has
 * letters it is not changed; later letters go into the next day's file. A future day is only for dry runs.
 */
export async function produceLetters(ctx: AppContext, { publicationId, on, today }: LettersQuery): Promise<void> {
  if (await hasLetters(ctx, publicationId, on)) return
  // Nothing is planned for a past day: its emails are no longer planned either.
  if (on >= today) await planEffortsOn(ctx, on, { publicationId, channel: 'letter' })
  const asOf = on > today ? on : today
  await ctx.db.transaction(async () => {
    await lockSeries(ctx, publicationId)
    if (await hasLetters(ctx, publicationId, on)) return
    const after = addDays(asOf, -catchUpDays)
    const waiting = await waitingLetters(ctx, { publicationId, after, until: on, on: asOf })
    const addresses = await donorAddresses(
      ctx,
      publicationId,
      waiting.map(({ buyerId }) => buyerId),
    )
    const addressed = waiting.filter(({ buyerId }) => buyerId === null || addresses.has(buyerId))
    await markProduced(
      ctx,
      addressed.map(({ id }) => id),
      on,
    )
  })
}

/** SQL: the condition for the letters of one day's file, as their index needs it. Parameters: `fileValues`. */
const isInFileSql = `e.publication_id = :publicationId AND e.channel = 'letter' AND e.planned_on > :after AND e.planned_on <= :on
  AND e.state = 'produced' AND e.produced_on = :on`

const fileValues = (publicationId: number, on: Day) => ({ publicationId, on, after: addDays(on, -catchUpDays) })

async function hasLetters({ db }: AppContext, publicationId: number, on: Day): Promise<boolean> {
  const [row] = await db.query(
    `SELECT 1 AS found FROM reader_efforts e WHERE ${isInFileSql} LIMIT 1`,
    fileValues(publicationId, on),
  )
  return row !== undefined
}

/** A letter that cannot be sent because the address of the subscription's giver is unknown. */
export interface LetterWithoutAddress {
  readerId: number
  /** The names of the reader and of the giver of the subscription. */
  reader: string
  giver: string
}

/** The letters of a title, planned by a day, that cannot be produced because the giver's address is unknown: the first few, and their number. */
export async function lettersWithoutAddress(
  ctx: AppContext,
  { publicationId, on, today }: LettersQuery,
): Promise<{ count: number; letters: LetterWithoutAddress[] }> {
  const asOf = on > today ? on : today
  const waiting = await waitingLetters(ctx, { publicationId, after: addDays(asOf, -catchUpDays), until: on, on: asOf })
  const addresses = await donorAddresses(
    ctx,
    publicationId,
    waiting.map(({ buyerId }) => buyerId),
  )
  const ids = waiting.flatMap(({ id, buyerId }) => (buyerId === null || addresses.has(buyerId) ? [] : [id]))
  if (ids.length === 0) return { count: 0, letters: [] }
  const letters = await ctx.db.query<LetterWithoutAddress>(
    `SELECT r.id AS "readerId", COALESCE(NULLIF(r.full_name, ''), TRIM(r.first_name || ' ' || r.last_name)) AS reader,
       COALESCE(NULLIF(TRIM(b.first_name || ' ' || b.last_name), ''), b.email) AS giver
     FROM reader_efforts e JOIN readers r ON r.id = e.reader_id JOIN buyers b ON b.id = r.buyer_id WHERE e.id IN (:ids) ORDER BY e.id`,
    { ids: ids.slice(0, maxListedLetters) },
  )
  return { count: ids.length, letters }
}

/** How many letters without an address are listed. */
const maxListedLetters = 20

export interface LettersOnDay {
  on: Day
  isFuture: boolean
  produced: number
  waiting: number
  /** The waiting letters that have no address. */
  withoutAddress: { count: number; letters: LetterWithoutAddress[] }
}

/** How many letters of a title are in the file of a day, and how many planned by that day are in no file yet. */
export const lettersOnDay = useCase({
  permission: 'renewal:read',
  input: z.object({ publicationId: z.coerce.number('Must be a number').int(), on: DayInput }),
  transaction: 'none',
  async run(ctx, input): Promise<LettersOnDay> {
    const { id: publicationId } = await ownPublication(ctx, { id: input.publicationId })
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const on = input.on ?? today
    const [row] = await ctx.db.query<{ produced: number; waiting: number }>(
      `SELECT COUNT(CASE WHEN e.produced_on = :on THEN 1 END) AS produced,
         COUNT(CASE WHEN e.state = 'due' AND e.planned_on > :waitingAfter THEN 1 END) AS waiting
       FROM reader_efforts e WHERE e.publication_id = :publicationId AND e.channel = 'letter' AND e.planned_on > :after AND e.planned_on <= :on`,
      { ...fileValues(publicationId, on), waitingAfter: addDays(on > today ? on : today, -catchUpDays) },
    )
    return {
      on,
      isFuture: on > today,
      produced: Number(row?.produced),
      waiting: Number(row?.waiting),
      withoutAddress: await lettersWithoutAddress(ctx, { publicationId, on, today }),
    }
  },
})

/** The letters in the file of a day, with only what sorting them needs: a file may have many. */
export async function lettersOf(
  { db }: AppContext,
  publicationId: number,
  on: Day,
): Promise<{ id: number; mailSort: string; buyerId: number | null }[]> {
  return db.query<{ id: number; mailSort: string; buyerId: number | null }>(
    `SELECT e.id, r.mail_sort AS "mailSort", CASE WHEN e.addressee = 'buyer' THEN r.buyer_id END AS "buyerId"
     FROM reader_efforts e JOIN readers r ON r.id = e.reader_id WHERE ${isInFileSql}`,
    fileValues(publicationId, on),
  )
}

const columns = ReaderEfforts.pick(
  'id',
  'readerId',
  'cycleOn',
  'dayOffset',
  'kind',
  'variant',
  'product',
  'termMonths',
  'price',
  'currency',
  'validUntil',
)

/** The content of a letter. */
export type EffortLetter = Awaited<ReturnType<typeof columns.rows>>[number] & {
  /** The name of the person whose subscription it is. */
  readerName: string
  title: string
  firstName: string
  lastName: string
  /** The product of the reader's subscription. */
  currentProduct: Product
  code: string | null
  percent: number | null
}

/** The content of letters, by their ids. */
export async function letterFacts(ctx: AppContext, ids: readonly number[]): Promise<Map<number, EffortLetter>> {
  const rows = await columns.rows<
    Pick<EffortLetter, 'readerName' | 'title' | 'firstName' | 'lastName' | 'currentProduct' | 'code' | 'percent'>
  >(
    ctx,
    `SELECT ${columns.columns('e')}, COALESCE(NULLIF(r.full_name, ''), TRIM(r.first_name || ' ' || r.last_name)) AS "readerName",
       r.title, r.first_name AS "firstName", r.last_name AS "lastName", r.sub_type AS "currentProduct",
       c.code, c.discount_percent AS percent
     FROM reader_efforts e JOIN readers r ON r.id = e.reader_id
       LEFT JOIN promo_codes c ON c.id = e.promo_code_id AND c.removed_at IS NULL AND c.reader_id = e.reader_id
     WHERE e.id IN (:ids)`,
    { ids: [...ids] },
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** How many buyers are queried in one statement. */
const batchSize = 1000

/** The addresses of givers, by their ids: the billing address of a giver's last order at a title, if it has one. */
export async function donorAddresses(
  { db }: AppContext,
  publicationId: number,
  buyerIds: readonly (number | null)[],
): Promise<Map<number, PostalAddress & { email: string }>> {
  const ids = [...new Set(buyerIds.filter((id) => id !== null))]
  const addresses = new Map<number, PostalAddress & { email: string }>()
  for (let from = 0; from < ids.length; from += batchSize) {
    const rows = await db.query<{ buyerId: number; email: string; billing: unknown }>(
      `SELECT o.buyer_id AS "buyerId", b.email, o.billing FROM orders o JOIN buyers b ON b.id = o.buyer_id
       WHERE o.id IN (SELECT MAX(id) FROM orders WHERE buyer_id IN (:ids) AND publication_id = :publicationId
         AND state IN ('paid', 'refunded') GROUP BY buyer_id)`,
      { ids: ids.slice(from, from + batchSize), publicationId },
    )
    for (const { buyerId, email, billing } of rows) {
      const address = asJson<PostalAddress>(billing)
      if (address.addressOne) addresses.set(buyerId, { ...address, email })
    }
  }
  return addresses
}
