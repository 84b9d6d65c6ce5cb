import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import type { Language } from '../kernel/languages.ts'
import type { Product } from '../pricing/plan-code.rules.ts'
import { BlanketOffers } from './blanket-offers.rows.ts'
import { ReaderEfforts } from './reader-efforts.rows.ts'
import { RenewalEfforts } from './renewal-efforts.rows.ts'
import { seriesOf } from './renewal-series.rows.ts'
import { stillDue } from './still-due.query.ts'

const mailed = ReaderEfforts.pick(
  'id',
  'publicationId',
  'readerId',
  'blanketId',
  'cycleOn',
  'dayOffset',
  'variant',
  'addressee',
  'product',
  'termMonths',
  'price',
  'currency',
  'validUntil',
)

interface Person {
  title: string
  firstName: string
  lastName: string
}

/** An effort whose email is being written, with its recipient. */
export type MailedEffort = Awaited<ReturnType<typeof mailed.rows>>[number] & {
  reader: Person & { fullName: string }
  buyer: Person
  email: string
  /** The product of the reader's subscription. */
  currentProduct: Product
  percent: number | null
  language: Language | null
  country: string
}

/**
 * The efforts in one email, as of a day: the given one and those it is sent together with, unless something has stopped them since; all go to the
 * same address. Empty: there is nothing left to send.
 */
export async function mailedEfforts(ctx: Pick<AppContext, 'db'>, effortId: number, on: Day): Promise<MailedEffort[]> {
  const planned = await ctx.db.query<{ id: number }>(
    `SELECT id FROM reader_efforts WHERE id = :effortId UNION SELECT id FROM reader_efforts WHERE together_with = :effortId`,
    { effortId },
  )
  if (planned.length === 0) return []
  const ids = await stillDue(
    ctx,
    planned.map(({ id }) => id),
    on,
  )
  if (ids.length === 0) return []
  type Names = Record<`${'reader' | 'buyer'}${'Title' | 'First' | 'Last'}`, string> & { readerFull: string }
  const rows = await mailed.rows<Omit<MailedEffort, 'reader' | 'buyer'> & Names>(
    ctx,
    `SELECT ${mailed.columns('e')}, r.sub_type AS "currentProduct", r.country, b.language, c.discount_percent AS percent,
       r.title AS "readerTitle", r.first_name AS "readerFirst", r.last_name AS "readerLast", r.full_name AS "readerFull",
       COALESCE(b.title, '') AS "buyerTitle", COALESCE(b.first_name, '') AS "buyerFirst", COALESCE(b.last_name, '') AS "buyerLast",
       CASE WHEN e.addressee = 'buyer' THEN b.email ELSE r.email END AS email
     FROM reader_efforts e JOIN readers r ON r.id = e.reader_id LEFT JOIN buyers b ON b.id = r.buyer_id
       LEFT JOIN promo_codes c ON c.id = e.promo_code_id AND c.removed_at IS NULL
     WHERE e.id IN (:ids) ORDER BY e.id`,
    { ids },
  )
  const efforts = rows.map(
    (row): MailedEffort => ({
      ...row,
      reader: {
        title: row.readerTitle,
        firstName: row.readerFirst,
        lastName: row.readerLast,
        fullName: row.readerFull,
      },
      buyer: { title: row.buyerTitle, firstName: row.buyerFirst, lastName: row.buyerLast },
    }),
  )
  // If an address was changed since, its effort gets a separate email.
  return efforts.filter(({ email }) => email.toLowerCase() === efforts[0]?.email.toLowerCase())
}

/** A publisher's text for one effort; blank if the publication's template applies. */
export interface EffortText {
  subject: string
  body: string
}

/** The current text of an effort, from its offer or its series: for variant `b`, the second text. */
export async function textOfEffort(
  ctx: Pick<AppContext, 'db'>,
  {
    publicationId,
    blanketId,
    dayOffset,
    variant,
  }: Pick<MailedEffort, 'publicationId' | 'blanketId' | 'dayOffset' | 'variant'>,
): Promise<EffortText> {
  if (blanketId !== null) {
    const offer = await BlanketOffers.find(ctx, { id: blanketId })
    return { subject: offer?.subject ?? '', body: offer?.body ?? '' }
  }
  const { hasOwnEfforts } = await seriesOf(ctx, publicationId)
  const effort = hasOwnEfforts ? await RenewalEfforts.find(ctx, { publicationId, dayOffset }) : null
  if (!effort) return { subject: '', body: '' }
  const { subject, body, subjectB, bodyB } = effort
  return variant === 'b' ? { subject: subjectB || subject, body: bodyB || body } : { subject, body }
}
