import { z } from 'zod'
import { PaymentAgreements } from '../agreements/payment-agreements.rows.ts'
import { priceChangeSql } from '../agreements/renewal-price-changes.rows.ts'
import { narrowedTo } from '../agreements/renewals.rows.ts'
import { yearMonth } from '../dialect.ts'
import { addDays, dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency, Money } from '../kernel/money.ts'
import { type Page, PageInput, pageOf } from '../kernel/paging.ts'
import { planName } from '../pricing/plan-code.rules.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'

/** A charge that comes by itself. */
export interface ComingRenewal {
  agreementId: number
  readerId: number | null
  name: string
  publicationName: string
  plan: string
  on: Day
  money: Money
  /** What the term before cost, where a new price was decided; null where it costs the same. */
  oldMoney: Money | null
  /** Of the card; blank where there is none. */
  lastFour: string
  /** `agreed`: not announced yet. */
  state: 'agreed' | 'planned' | 'charging'
  cardExpires: boolean
}

/** What comes in a month, in one currency; minor units. */
export interface ComingSum {
  month: string
  currency: Currency
  renewals: number
  amount: number
}

/** How far ahead the list looks, in days. */
const comingDays = 60

const chosen = PaymentAgreements.pick('id', 'readerId', 'product', 'termMonths', 'currency', 'lastFour', 'expiresOn')

/**
 * The acting publisher's charges of the next 60 days, the first one first, with what they come to in each month and currency. Those that
 * were declined stand in `failedRenewals`.
 */
export const comingRenewals = useCase({
  permission: 'renewal:read',
  input: PageInput.extend({ publicationId: z.coerce.number().int().optional().catch(undefined) }),
  transaction: 'none',
  async run(ctx, input): Promise<Page<ComingRenewal> & { sums: ComingSum[]; until: Day }> {
    const { sql: mine, values: whose } = narrowedTo(
      { ...tenantOf(ctx), publicationId: input.publicationId },
      { publicationId: 'p.id', publisherId: 'p.publisher_id' },
    )
    const until = addDays(dayOf(ctx.now(), ctx.settings.timeZone), comingDays)
    const values = { until, ...whose }
    const from = `FROM publications p JOIN payment_agreements a ON a.publication_id = p.id
      LEFT JOIN renewals w ON w.agreement_id = a.id AND w.state IN ('planned', 'charging', 'retrying', 'waiting')
      LEFT JOIN renewal_price_changes d ON w.id IS NULL AND d.id = ${priceChangeSql}
      WHERE a.state = 'active' AND a.renews_on <= :until AND p.removed_at IS NULL AND COALESCE(w.state, 'planned') IN ('planned', 'charging')${mine}`
    const month = yearMonth(ctx.db, 'a.renews_on')
    const found = await ctx.db.query<ComingSum>(
      `SELECT ${month} AS month, a.currency, COUNT(*) AS renewals, SUM(COALESCE(w.amount, d.new_price, a.price)) AS amount
       ${from} GROUP BY ${month}, a.currency ORDER BY 1, 2`,
      values,
    )
    const sums = found.map((sum) => ({ ...sum, renewals: Number(sum.renewals), amount: Number(sum.amount) }))
    // The page is cut out before the names are read: a publisher may have tens of thousands.
    const rows = await chosen.rows<{
      firstName: string | null
      lastName: string | null
      publicationName: string
      on: Day
      amount: number
      oldAmount: number | null
      state: 'planned' | 'charging' | null
    }>(
      ctx,
      `SELECT ${chosen.columns('g')}, r.first_name AS "firstName", r.last_name AS "lastName", c.publication_name AS "publicationName",
         c.charge_on AS "on", c.amount, c.old_amount AS "oldAmount", c.state
       FROM (SELECT a.id, p.publication_name, COALESCE(w.charge_on, a.renews_on) AS charge_on, a.renews_on,
           COALESCE(w.amount, d.new_price, a.price) AS amount,
           COALESCE(w.old_amount, CASE WHEN d.new_price <> a.price THEN a.price END) AS old_amount, w.state ${from} ORDER BY a.renews_on, a.id LIMIT :limit OFFSET :offset) c
         JOIN payment_agreements g ON g.id = c.id LEFT JOIN readers r ON r.id = g.reader_id
       ORDER BY c.renews_on, c.id`,
      { ...values, limit: input.size, offset: (input.page - 1) * input.size },
    )
    const total = sums.reduce((sum, { renewals }) => sum + renewals, 0)
    return { ...pageOf(rows.map(viewOf), total, input), sums, until }
  },
})

interface Row {
  id: number
  readerId: number | null
  product: Parameters<typeof planName>[0]['product']
  termMonths: Parameters<typeof planName>[0]['termMonths']
  currency: Currency
  lastFour: string | null
  expiresOn: Day | null
  firstName: string | null
  lastName: string | null
  publicationName: string
  on: Day
  amount: number
  oldAmount: number | null
  state: 'planned' | 'charging' | null
}

function viewOf({ id, firstName, lastName, product, termMonths, currency, expiresOn, ...row }: Row): ComingRenewal {
  return {
    agreementId: id,
    readerId: row.readerId,
    name: `${firstName ?? ''} ${lastName ?? ''}`.trim(),
    publicationName: row.publicationName,
    plan: planName({ product, termMonths, isRecurring: true }),
    on: row.on,
    money: { amount: Number(row.amount), currency },
    oldMoney: row.oldAmount === null ? null : { amount: Number(row.oldAmount), currency },
    lastFour: row.lastFour ?? '',
    state: row.state ?? 'agreed',
    cardExpires: expiresOn !== null && expiresOn < row.on,
  }
}
