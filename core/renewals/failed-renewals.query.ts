import { z } from 'zod'
import { keysRefused } from '../agreements/declines.rules.ts'
import { narrowedTo, ownColumns } from '../agreements/renewal-scope.query.ts'
import { Renewals } from '../agreements/renewals.rows.ts'
import { addDays, dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import type { Money } from '../kernel/money.ts'
import { type Page, PageInput, pageOf } from '../kernel/paging.ts'
import type { PaidProvider } from '../payment-methods/payment-methods.rules.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { declineReasonText } from './decline-reason.rules.ts'

/** A renewal that was declined, could not be announced, or lapsed. */
export interface FailedRenewal {
  id: number
  agreementId: number
  /** The last attempt; null if there was none. */
  orderId: number | null
  readerId: number | null
  name: string
  publicationName: string
  /** `planned`: its notice could not be delivered. */
  state: 'planned' | 'retrying' | 'waiting' | 'lapsed'
  cycleOn: Day
  money: Money
  attempts: number
  isDebit: boolean
  /** The last four digits of the card or account; blank if unknown. */
  lastFour: string
  /** The reader can enter another card. */
  canChangeCard: boolean
  /** Why it was not paid, in plain words. */
  reason: string
  /** When it is charged again automatically. */
  nextTryOn: Day | null
  /** The last day on which a payment still renews from the previous end. */
  graceUntil: Day
}

/** How many days after the end of its term a lapsed renewal is shown. */
const lapsedDays = 120

const listed = Renewals.pick(
  'id',
  'agreementId',
  'orderId',
  'state',
  'cycleOn',
  'amount',
  'currency',
  'attempts',
  'declineCode',
  'reason',
  'nextTryOn',
  'graceUntil',
)

/** Whether renewals of the acting publisher are not charged because Stripe refused the payee keys. */
export const areKeysRefused = useCase({
  permission: 'renewal:read',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<boolean> {
    const { sql: scopeSql, values } = narrowedTo(tenantOf(ctx), ownColumns)
    // The first condition is the one of the partial index on open renewals, so that the index can be used.
    const rows = await ctx.db.query(
      `SELECT 1 FROM renewals WHERE state IN ('planned', 'charging', 'retrying', 'waiting') AND state = 'retrying'
         AND decline_code = :keysRefused${scopeSql} LIMIT 1`,
      { keysRefused, ...values },
    )
    return rows.length > 0
  },
})

/**
 * The acting publisher's open renewals that were declined or whose notice could not be delivered, by the end of the grace period, soonest first;
 * then those that lapsed recently.
 */
export const failedRenewals = useCase({
  permission: 'renewal:read',
  input: PageInput.extend({ publicationId: z.coerce.number().int().optional().catch(undefined) }),
  transaction: 'none',
  async run(ctx, input): Promise<Page<FailedRenewal>> {
    const { sql: scopeSql, values: scopeValues } = narrowedTo(
      { ...tenantOf(ctx), publicationId: input.publicationId },
      ownColumns,
    )
    const values = { since: addDays(dayOf(ctx.now(), ctx.settings.timeZone), -lapsedDays), ...scopeValues }
    // The first condition is the one of the partial index on open renewals, so that the index can be used.
    const ids = `SELECT id, 0 AS place, grace_until FROM renewals
        WHERE state IN ('planned', 'charging', 'retrying', 'waiting') AND (state IN ('retrying', 'waiting') OR (state = 'planned' AND reason <> ''))${scopeSql}
      UNION ALL SELECT id, 1 AS place, grace_until FROM renewals WHERE cycle_on >= :since AND state = 'lapsed'${scopeSql}`
    const [{ total } = { total: 0 }] = await ctx.db.query<{ total: number }>(
      `SELECT COUNT(*) AS total FROM (${ids}) f`,
      values,
    )
    const rows = await listed.rows<{
      readerId: number | null
      provider: PaidProvider
      lastFour: string | null
      firstName: string | null
      lastName: string | null
      publicationName: string
    }>(
      ctx,
      `SELECT ${listed.columns('w')}, a.reader_id AS "readerId", a.provider, a.last_four AS "lastFour", r.first_name AS "firstName",
         r.last_name AS "lastName", p.publication_name AS "publicationName"
       FROM (SELECT id, place, grace_until FROM (${ids}) g ORDER BY place, grace_until, id LIMIT :limit OFFSET :offset) f
         JOIN renewals w ON w.id = f.id JOIN payment_agreements a ON a.id = w.agreement_id
         JOIN publications p ON p.id = w.publication_id LEFT JOIN readers r ON r.id = a.reader_id
       ORDER BY f.place, f.grace_until, f.id`,
      { ...values, limit: input.size, offset: (input.page - 1) * input.size },
    )
    return pageOf(
      rows.map(({ amount, currency, state, firstName, lastName, provider, lastFour, declineCode, reason, ...row }) => ({
        ...row,
        state: state as FailedRenewal['state'],
        money: { amount, currency },
        name: `${firstName ?? ''} ${lastName ?? ''}`.trim(),
        isDebit: provider === 'stripe-bacs',
        lastFour: lastFour ?? '',
        canChangeCard: ctx.payments[provider]?.cardUpdate !== undefined,
        reason: declineReasonText({ declineCode, reason }),
      })),
      Number(total),
      input,
    )
  },
})
