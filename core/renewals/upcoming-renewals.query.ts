import { z } from 'zod'
import { PaymentAgreements } from '../agreements/payment-agreements.rows.ts'
import { priceChangeSql } from '../agreements/renewal-price-changes.rows.ts'
import { narrowedTo, ownColumns, type RenewalScope } from '../agreements/renewal-scope.query.ts'
import { openRenewalStates } from '../agreements/renewal-states.rules.ts'
import { noOpenRenewalSql } from '../agreements/renewals-to-plan.query.ts'
import type { AppContext } from '../context.ts'
import { addDays, dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency, Money } from '../kernel/money.ts'
import { type Page, PageInput, pageOf } from '../kernel/paging.ts'
import { planName } from '../pricing/plan-code.rules.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'

/** An automatic charge. */
export interface UpcomingRenewal {
  agreementId: number
  readerId: number | null
  name: string
  publicationName: string
  plan: string
  on: Day
  money: Money
  /** The price of the previous term, if a new price was decided; null if it costs the same. */
  oldMoney: Money | null
  isDebit: boolean
  /** The last four digits of the card or account; blank if there are none. */
  lastFour: string
  /** `agreed`: not announced yet. */
  state: 'agreed' | 'planned' | 'charging'
  cardExpires: boolean
}

/** The total due in a month, in one currency; minor units. */
export interface UpcomingTotal {
  month: string
  currency: Currency
  renewals: number
  amount: number
}

/** How far ahead the list looks, in days. */
const upcomingDays = 60

const agreementColumns = PaymentAgreements.pick(
  'id',
  'readerId',
  'provider',
  'product',
  'termMonths',
  'currency',
  'lastFour',
  'expiresOn',
)

/**
 * The acting publisher's charges of the next 60 days, earliest first, with their totals by month and currency. Those that
 * were declined are in `failedRenewals`.
 */
export const upcomingRenewals = useCase({
  permission: 'renewal:read',
  input: PageInput.extend({ publicationId: z.coerce.number().int().optional().catch(undefined) }),
  transaction: 'none',
  async run(ctx, input): Promise<Page<UpcomingRenewal> & { sums: UpcomingTotal[]; until: Day }> {
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const until = addDays(today, upcomingDays)
    const scope = { ...tenantOf(ctx), publicationId: input.publicationId }
    const days = await upcomingByDay(ctx, scope, { since: addDays(today, -openDays), until })
    const total = days.reduce((sum, { renewals }) => sum + renewals, 0)
    const page = daysOfPage(days, { offset: (input.page - 1) * input.size, size: input.size })
    const rows = page ? await rowsOfPage(ctx, scope, { ...page, limit: input.size }) : []
    return { ...pageOf(rows.map(viewOf), total, input), sums: sumsOf(days), until }
  },
})

const ofTitle = { publicationId: 'p.id', publisherId: 'p.publisher_id' }

/** No renewal is open for this many days after the end of its term. */
const openDays = 400

/** The total due on a day, in one currency; minor units. */
interface UpcomingDay {
  on: Day
  currency: Currency
  renewals: number
  amount: number
}

/** The totals of each day, of planned renewals and of agreements without one: each computed from an index, not row by row. */
async function upcomingByDay(
  ctx: AppContext,
  scope: RenewalScope,
  days: { since: Day; until: Day },
): Promise<UpcomingDay[]> {
  const counted = await Promise.all([
    plannedByDay(ctx, scope, days),
    agreedByDay(ctx, scope, days.until),
    postponedByDay(ctx, scope, days),
  ])
  const sums = new Map<string, UpcomingDay>()
  for (const { on, currency, renewals, amount } of counted.flat()) {
    const key = `${on} ${currency}`
    const sum = sums.get(key) ?? { on, currency, renewals: 0, amount: 0 }
    sums.set(key, { ...sum, renewals: sum.renewals + Number(renewals), amount: sum.amount + Number(amount) })
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, sum]) => (sum.renewals > 0 ? [sum] : []))
}

function plannedByDay(
  { db }: AppContext,
  scope: RenewalScope,
  days: { since: Day; until: Day },
): Promise<UpcomingDay[]> {
  const narrowed = narrowedTo(scope, ownColumns)
  return db.query<UpcomingDay>(
    `SELECT w."on", w.currency, SUM(w.renewals) AS renewals, SUM(w.amount) AS amount
     FROM (SELECT cycle_on AS "on", currency, publication_id, COUNT(*) AS renewals, SUM(amount) AS amount FROM renewals
         WHERE cycle_on >= :since AND cycle_on <= :until AND state IN ('planned', 'charging')${narrowed.sql}
         GROUP BY cycle_on, currency, publication_id) w
       JOIN publications p ON p.id = w.publication_id
     WHERE p.removed_at IS NULL GROUP BY w."on", w.currency`,
    { ...days, ...narrowed.values },
  )
}

/**
 * Charges that a late notice has postponed: subtracted from the day on which their term ends, where `plannedByDay` counts them, and added to the day of
 * the charge. They are read from the index of all postponed charges: otherwise SQLite would look up every renewal of the publisher.
 */
async function postponedByDay(
  { db }: AppContext,
  scope: RenewalScope,
  { since, until }: { since: Day; until: Day },
): Promise<UpcomingDay[]> {
  const narrowed = narrowedTo(scope, ofTitle)
  const rows = await db.query<UpcomingDay & { cycleOn: Day }>(
    `SELECT w.cycle_on AS "cycleOn", w.charge_on AS "on", w.currency, COUNT(*) AS renewals, SUM(w.amount) AS amount
     FROM renewals w CROSS JOIN publications p
     WHERE p.id = w.publication_id AND ${isPostponedSql} AND p.removed_at IS NULL${narrowed.sql}
     GROUP BY w.cycle_on, w.charge_on, w.currency`,
    narrowed.values,
  )
  return rows.flatMap(({ cycleOn, on, currency, renewals, amount }) => {
    if (cycleOn < since || cycleOn > until) return []
    return [
      { on: cycleOn, currency, renewals: -renewals, amount: -amount },
      ...(on <= until ? [{ on, currency, renewals, amount }] : []),
    ]
  })
}

/** The condition of the partial index `renewals_postponed`. */
const isPostponedSql = `w.charge_on <> w.cycle_on AND w.state IN ('planned', 'charging')`

async function agreedByDay({ db }: AppContext, scope: RenewalScope, until: Day): Promise<UpcomingDay[]> {
  const narrowed = narrowedTo(scope, ofTitle)
  // Without price changes all the values are in an index.
  const [change] = await db.query(`SELECT 1 FROM renewal_price_changes WHERE state = 'open' LIMIT 1`)
  const [changed, price] = change
    ? [`LEFT JOIN renewal_price_changes d ON d.id = ${priceChangeSql}`, 'COALESCE(d.new_price, a.price)']
    : ['', 'a.price']
  return db.query<UpcomingDay>(
    `SELECT a.renews_on AS "on", a.currency, COUNT(*) AS renewals, SUM(${price}) AS amount
     FROM publications p JOIN payment_agreements a ON a.publication_id = p.id ${changed}
     WHERE a.state = 'active' AND a.renews_on <= :until AND p.removed_at IS NULL AND ${noOpenRenewalSql('a')}${narrowed.sql}
     GROUP BY a.renews_on, a.currency`,
    { until, ...narrowed.values, open: [...openRenewalStates] },
  )
}

/** The days that a page covers, and how many of their rows come before it; null if it is empty. */
function daysOfPage(
  days: readonly UpcomingDay[],
  { offset, size }: { offset: number; size: number },
): { first: Day; last: Day; offset: number } | null {
  const counts = new Map<Day, number>()
  for (const { on, renewals } of days) counts.set(on, (counts.get(on) ?? 0) + renewals)
  const pageDays: { on: Day; before: number }[] = []
  let before = 0
  for (const [on, renewals] of counts) {
    if (before < offset + size && before + renewals > offset) pageDays.push({ on, before })
    before += renewals
  }
  const first = pageDays[0]
  const last = pageDays.at(-1)
  return first && last ? { first: first.on, last: last.on, offset: offset - first.before } : null
}

function sumsOf(days: readonly UpcomingDay[]): UpcomingTotal[] {
  const sums = new Map<string, UpcomingTotal>()
  for (const { on, currency, renewals, amount } of days) {
    const month = on.slice(0, 7)
    const sum = sums.get(`${month} ${currency}`) ?? { month, currency, renewals: 0, amount: 0 }
    sums.set(`${month} ${currency}`, {
      ...sum,
      renewals: sum.renewals + renewals,
      amount: sum.amount + amount,
    })
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum)
}

type PageRow = Awaited<ReturnType<typeof rowsOfPage>>[number]

/** Selects the page from the renewals of its days before names are read: a publisher may have tens of thousands of renewals. */
function rowsOfPage(
  ctx: AppContext,
  scope: RenewalScope,
  page: { first: Day; last: Day; offset: number; limit: number },
) {
  const narrowed = narrowedTo(scope, ofTitle)
  return agreementColumns.rows<{
    firstName: string | null
    lastName: string | null
    publicationName: string
    on: Day
    amount: number
    oldAmount: number | null
    state: 'planned' | 'charging' | null
  }>(
    ctx,
    `SELECT ${agreementColumns.columns('g')}, r.first_name AS "firstName", r.last_name AS "lastName", c.publication_name AS "publicationName",
       c.charge_on AS "on", c.amount, c.old_amount AS "oldAmount", c.state
     FROM (SELECT a.id, p.publication_name, COALESCE(w.charge_on, a.renews_on) AS charge_on,
         COALESCE(w.amount, d.new_price, a.price) AS amount,
         COALESCE(w.old_amount, CASE WHEN d.new_price <> a.price THEN a.price END) AS old_amount, w.state
       FROM (SELECT a.id FROM publications p JOIN payment_agreements a ON a.publication_id = p.id
           WHERE a.state = 'active' AND a.renews_on >= :first AND a.renews_on <= :last${narrowed.sql}
           UNION SELECT w.agreement_id FROM renewals w WHERE ${isPostponedSql} AND w.charge_on >= :first AND w.charge_on <= :last) near
         JOIN payment_agreements a ON a.id = near.id JOIN publications p ON p.id = a.publication_id
         LEFT JOIN renewals w ON w.agreement_id = a.id AND w.state IN ('planned', 'charging', 'retrying', 'waiting')
         LEFT JOIN renewal_price_changes d ON w.id IS NULL AND d.id = ${priceChangeSql}
       WHERE a.state = 'active' AND p.removed_at IS NULL AND COALESCE(w.state, 'planned') IN ('planned', 'charging')
         AND COALESCE(w.charge_on, a.renews_on) >= :first AND COALESCE(w.charge_on, a.renews_on) <= :last${narrowed.sql}
       ORDER BY COALESCE(w.charge_on, a.renews_on), a.id LIMIT :limit OFFSET :offset) c
       JOIN payment_agreements g ON g.id = c.id LEFT JOIN readers r ON r.id = g.reader_id
     ORDER BY c.charge_on, c.id`,
    { ...page, ...narrowed.values },
  )
}

function viewOf({
  id,
  firstName,
  lastName,
  product,
  termMonths,
  currency,
  expiresOn,
  ...row
}: PageRow): UpcomingRenewal {
  return {
    agreementId: id,
    readerId: row.readerId,
    name: `${firstName ?? ''} ${lastName ?? ''}`.trim(),
    publicationName: row.publicationName,
    plan: planName({ product, termMonths, isRecurring: true }),
    on: row.on,
    money: { amount: Number(row.amount), currency },
    oldMoney: row.oldAmount === null ? null : { amount: Number(row.oldAmount), currency },
    isDebit: row.provider === 'stripe-bacs',
    lastFour: row.lastFour ?? '',
    state: row.state ?? 'agreed',
    cardExpires: expiresOn !== null && expiresOn < row.on,
  }
}
