import { z } from 'zod'
import { priceChangeSql } from '../agreements/renewal-price-changes.rows.ts'
import { narrowedTo } from '../agreements/renewal-scope.query.ts'
import type { RenewalState } from '../agreements/renewal-states.rules.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { DayInput } from '../kernel/day-input.ts'
import type { Currency } from '../kernel/money.ts'
import { type PlanChoice, planName } from '../pricing/plan-code.rules.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'

/** A renewal that would be charged by a day. */
interface DueRenewal {
  /** Null if it is not planned yet. */
  id: number | null
  /** The day it is charged, or tried again. */
  on: Day
  uniqueReference: string
  publication: string
  plan: string
  /** Minor units. */
  amount: number
  currency: Currency
  /** `agreed`: not planned yet. */
  state: Extract<RenewalState, 'planned' | 'retrying'> | 'agreed'
}

export interface DueTotal {
  currency: Currency
  renewals: number
  /** Minor units. */
  amount: number
}

/**
 * The renewals to be charged by a day (by default today), the earliest first, at most `limit`, and the total of all of them in each currency.
 * Renewals that are no longer charged (of a removed reader or title, or a deactivated publisher) are left out.
 */
export const listDueRenewals = useCase({
  permission: 'renewal:read',
  input: z.object({
    on: DayInput,
    publicationId: z.number().int().optional(),
    publisherId: z.number().int().optional(),
    limit: z.coerce
      .number('Must be a number')
      .int('Must be a whole number')
      .min(1, 'Must be 1 or more')
      .max(100_000, 'Must be 100000 or fewer')
      .default(1000),
  }),
  transaction: 'none',
  async run(ctx, input): Promise<{ on: Day; renewals: DueRenewal[]; totals: DueTotal[] }> {
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const on = input.on ?? today
    const narrow = narrowedTo({ ...input, ...tenantOf(ctx) }, { publicationId: 'p.id', publisherId: 'p.publisher_id' })
    // No renewal is charged before its term ends, so an index on `renews_on` can be used.
    const dueSql = `FROM payment_agreements a
      JOIN publications p ON p.id = a.publication_id
      JOIN users u ON u.id = p.publisher_id
      JOIN readers r ON r.id = a.reader_id
      LEFT JOIN renewals w ON w.agreement_id = a.id AND w.state IN ('planned', 'charging', 'retrying', 'waiting')
      LEFT JOIN renewal_price_changes d ON w.id IS NULL AND d.id = ${priceChangeSql}
      WHERE a.state = 'active' AND p.removed_at IS NULL AND u.is_active = :yes AND r.is_deleted = :no
        AND r.sub_end_on <= COALESCE(w.cycle_on, a.renews_on)
        AND a.renews_on <= :on AND CASE WHEN w.id IS NULL THEN a.renews_on ELSE w.next_try_on END <= :on
        AND (w.id IS NULL OR w.grace_until >= :today)${narrow.sql}`
    const values = { on, today, yes: true, no: false, ...narrow.values }
    const [rows, totals] = await Promise.all([
      ctx.db.query<
        Omit<DueRenewal, 'plan' | 'state'> &
          Pick<PlanChoice, 'product' | 'termMonths'> & { state: 'planned' | 'retrying' | null }
      >(
        `SELECT w.id, COALESCE(w.next_try_on, a.renews_on) AS "on", r.unique_reference AS "uniqueReference", p.url_key AS publication,
           a.product, a.term_months AS "termMonths", COALESCE(w.amount, d.new_price, a.price) AS amount, COALESCE(w.currency, a.currency) AS currency,
           w.state
         ${dueSql} ORDER BY 2, a.id LIMIT :limit`,
        { ...values, limit: input.limit },
      ),
      ctx.db.query<DueTotal>(
        `SELECT COALESCE(w.currency, a.currency) AS currency, COUNT(*) AS renewals, SUM(COALESCE(w.amount, d.new_price, a.price)) AS amount
         ${dueSql} GROUP BY 1 ORDER BY 1`,
        values,
      ),
    ])
    return {
      on,
      renewals: rows.map(({ id, product, termMonths, state, amount, ...row }) => ({
        id,
        ...row,
        plan: planName({ product, termMonths, isRecurring: true }),
        amount: Number(amount),
        state: state ?? 'agreed',
      })),
      totals: totals.map(({ currency, renewals, amount }) => ({
        currency,
        renewals: Number(renewals),
        amount: Number(amount),
      })),
    }
  },
})
