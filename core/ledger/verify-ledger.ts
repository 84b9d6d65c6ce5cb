import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { isRevenueSql } from './earned-sql.ts'
import { enteredDays } from './entered-days.query.ts'
import { type LedgerDay, LedgerDays, ledgerDayKey, lockLedgerDays, replaceLedgerDays } from './ledger-days.rows.ts'
import { type DayAmounts, dayParts } from './ledger-days.rules.ts'
import {
  lockOrderSums,
  type OrderSumDifference,
  orderSumDifferences,
  refreshOrderSums,
  replaceOrderSums,
} from './order-sums.rows.ts'
import { addMissingOrderTexts, missingOrderTexts } from './order-texts.rows.ts'
import { type ClosedMonthDifference, closedMonthDifferences } from './verify-closed-months.ts'

/** A stored total that differs from the entries; null: that side has no row. */
export interface LedgerDifference {
  publisherId: number
  publicationId: number
  currency: Currency
  product: string
  day: Day
  stored: DayAmounts | null
  recomputed: DayAmounts | null
}

export interface LedgerVerification {
  publishers: number
  entries: number
  /** The first hundred differences. */
  differences: LedgerDifference[]
  /** The first hundred orders whose stored sums differ from their entries. */
  orders: OrderSumDifference[]
  /** The number of names and products of orders that searches do not find; a text counts once for each batch of orders that has it. */
  texts: number
  /** The total number of differences of these three kinds. */
  different: number
  /** Stored totals were repaired. A repair never changes the frozen figures of closed months. */
  isRepaired: boolean
  /** The first hundred frozen figures of closed months that differ from the ledger now. */
  closedMonths: ClosedMonthDifference[]
  /** The number of such figures. */
  closedDifferent: number
}

const maxShown = 100

/**
 * Compares the stored totals with the entries, for the acting publisher or, on the command line, for all publishers; `repair` replaces those that
 * differ. Also compares the frozen figures of closed months, which `repair` never changes: reopen the month and close it again.
 */
export const verifyLedger = useCase({
  permission: 'ledger:verify',
  input: z.object({ repair: z.boolean().default(false) }),
  transaction: 'none',
  async run(ctx, { repair }): Promise<LedgerVerification> {
    const { publisherId } = tenantOf(ctx)
    const publishers = await ctx.db.query<{ id: number; entries: number; first: Day | null; last: Day | null }>(
      `SELECT s.id, COUNT(l.id) AS entries, MIN(l.entered_on) AS first, MAX(l.entered_on) AS last FROM (
         SELECT publisher_id AS id FROM ledger_entries UNION SELECT publisher_id FROM ledger_days) s
       LEFT JOIN ledger_entries l ON l.publisher_id = s.id
       ${publisherId === undefined ? '' : 'WHERE s.id = :publisherId'} GROUP BY s.id ORDER BY s.id`,
      { publisherId: publisherId ?? null },
    )
    const listed: LedgerDifference[] = []
    let different = 0
    for (const { id } of publishers) {
      // An entry made between the two reads looks like a difference, so differences are checked again under a lock.
      let differences = differencesOf(await storedRows(ctx, id), await enteredDays(ctx, { publisherId: id }))
      if (differences.length > 0) {
        differences = await ctx.db.transaction(async () => {
          await lockLedgerDays(ctx)
          const entered = await enteredDays(ctx, { publisherId: id })
          const dayDifferences = differencesOf(await storedRows(ctx, id), entered)
          if (repair && dayDifferences.length > 0) await replaceLedgerDays(ctx, id, entered)
          return dayDifferences
        })
      }
      different += differences.length
      listed.push(...differences.slice(0, maxShown - listed.length))
    }
    const orders = await verifyOrderSums(ctx, { publisherId, repair })
    different += orders.different
    const closedMonths = await closedMonthDifferences(ctx, { publisherId })
    return {
      publishers: publishers.length,
      entries: publishers.reduce((sum, { entries }) => sum + Number(entries), 0),
      differences: listed,
      orders: orders.listed,
      texts: orders.texts,
      different,
      isRepaired: repair && different > 0,
      closedMonths: closedMonths.slice(0, maxShown),
      closedDifferent: closedMonths.length,
    }
  },
})

/** Rebuilds a publisher's stored totals, after entries were written in bulk. */
export async function rebuildStoredTotals(
  ctx: Pick<AppContext, 'db' | 'now' | 'settings'>,
  publisherId: number,
): Promise<void> {
  await ctx.db.transaction(async () => {
    await lockLedgerDays(ctx)
    await replaceLedgerDays(ctx, publisherId, await enteredDays(ctx, { publisherId }))
  })
  await verifyOrderSums(ctx, { publisherId, repair: true })
}

/** Compares the stored sums and texts of orders, of one publisher or of all, 20,000 orders at a time. */
async function verifyOrderSums(
  ctx: Pick<AppContext, 'db' | 'now' | 'settings'>,
  { publisherId, repair }: { publisherId: number | undefined; repair: boolean },
): Promise<{ listed: OrderSumDifference[]; texts: number; different: number }> {
  const asOf = dayOf(ctx.now(), ctx.settings.timeZone)
  await refreshOrderSums(ctx, { publisherId, asOf })
  const listed: OrderSumDifference[] = []
  let different = 0
  let texts = 0
  for (let after = 0; ; ) {
    const [range] = await ctx.db.query<{ last: number | null }>(
      `SELECT MAX(id) AS last FROM (SELECT id FROM orders WHERE id > :after ORDER BY id LIMIT 20000) part`,
      { after },
    )
    if (range?.last == null) return { listed, texts, different: different + texts }
    const orders = { after, last: Number(range.last), publisherId }
    // As above: a difference is checked again under a lock.
    let differences = await orderSumDifferences(ctx, orders, asOf)
    if (differences.length > 0) {
      differences = await ctx.db.transaction(async () => {
        await lockOrderSums(ctx)
        const orderDifferences = await orderSumDifferences(ctx, orders, asOf)
        if (repair && orderDifferences.length > 0) await replaceOrderSums(ctx, orders, asOf)
        return orderDifferences
      })
    }
    different += differences.length
    listed.push(...differences.slice(0, maxShown - listed.length))
    const missing = await missingOrderTexts(ctx, orders)
    if (repair && missing > 0) await addMissingOrderTexts(ctx, orders)
    texts += missing
    after = orders.last
  }
}

function storedRows(ctx: Pick<AppContext, 'db'>, publisherId: number): Promise<LedgerDay[]> {
  return LedgerDays.rows(ctx, `SELECT ${LedgerDays.columns()} FROM ledger_days WHERE publisher_id = :publisherId`, {
    publisherId,
  })
}

function differencesOf(stored: readonly LedgerDay[], entered: readonly LedgerDay[]): LedgerDifference[] {
  const unmatched = new Map(stored.map((row) => [ledgerDayKey(row), row]))
  const differences: LedgerDifference[] = []
  const compare = (storedRow: LedgerDay | undefined, enteredRow: LedgerDay | undefined) => {
    const row = (storedRow ?? enteredRow) as LedgerDay
    if (dayParts.every((part) => (storedRow?.[part] ?? 0) === (enteredRow?.[part] ?? 0))) return
    const { publisherId, publicationId, currency, product, day } = row
    differences.push({
      publisherId,
      publicationId,
      currency,
      product,
      day,
      stored: amountsOf(storedRow),
      recomputed: amountsOf(enteredRow),
    })
  }
  for (const row of entered) {
    const key = ledgerDayKey(row)
    compare(unmatched.get(key), row)
    unmatched.delete(key)
  }
  for (const row of unmatched.values()) compare(row, undefined)
  return differences
}

function amountsOf(row: LedgerDay | undefined): DayAmounts | null {
  if (!row) return null
  return Object.fromEntries(dayParts.map((part) => [part, row[part]])) as Record<(typeof dayParts)[number], number>
}

/**
 * A quick check that returns the publishers whose stored totals cannot be right: everything that was entered, and its VAT, must be in the totals once
 * as sold or refunded, and once as earned.
 */
export async function checkLedgerTotals(ctx: Pick<AppContext, 'db'>): Promise<number[]> {
  const rows = await ctx.db.query<{ id: number }>(
    // Totals without any entry count as well, so the entries are subtracted, not joined.
    `SELECT id FROM (
       SELECT publisher_id AS id, SUM(sold - refunded) AS net, SUM(earned) AS earned, SUM(sales) AS sales,
           SUM(sold_vat - refunded_vat) AS vat, SUM(earned_vat) AS earned_vat
         FROM ledger_days GROUP BY publisher_id
       UNION ALL SELECT publisher_id, -SUM(amount), -SUM(amount), -SUM(CASE WHEN kind = 'sale' THEN 1 ELSE 0 END),
           -COALESCE(SUM(vat), 0), -COALESCE(SUM(vat), 0)
         FROM ledger_entries l WHERE ${isRevenueSql('l')} GROUP BY publisher_id) s
     GROUP BY id HAVING SUM(net) <> 0 OR SUM(earned) <> 0 OR SUM(sales) <> 0 OR SUM(vat) <> 0 OR SUM(earned_vat) <> 0 ORDER BY id`,
  )
  return rows.map(({ id }) => id)
}
