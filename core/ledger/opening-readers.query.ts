import type { AppContext } from '../context.ts'
import { yearMonth } from '../dialect.ts'
import { type Day, openEnd, openStart } from '../kernel/dates.ts'
import { type Currency, currencies } from '../kernel/money.ts'
import { type Product, products } from '../pricing/plan-code.rules.ts'
import { firstDayOf, lastDayOf, type Month } from './months.rules.ts'
import { type ExclusionReason, exclusionReasons, maxOpeningMonths, openingEarning, owedOf } from './opening.rules.ts'
import type { OpeningTerm } from './opening-balance-terms.rows.ts'

/** The sums over the readers' records on a day. Amounts in minor units. */
export interface OpeningFigures {
  readers: number
  /** Readers with a term of more than two years: SubPaid may cover a term that began later than their SubStart. */
  longTerms: number
  sums: { currency: Currency; product: Product; readers: number; paid: number; owed: number }[]
  excluded: { reason: ExclusionReason; currency: Currency; readers: number; paid: number }[]
}

/**
 * Adds up a title's readers whose paid terms run past a day without an order, and passes the terms to `onTerms`, one month of end days at a time. Of
 * each reader it reads only currency, product, first and last day, and amount.
 */
export async function openingReaders(
  ctx: Pick<AppContext, 'db'>,
  { publicationId, on }: { publicationId: number; on: Day },
  onTerms: (terms: OpeningTerm[]) => Promise<void> = async () => {},
): Promise<OpeningFigures> {
  const sums = new Map<string, OpeningFigures['sums'][number]>()
  const excluded = new Map<string, OpeningFigures['excluded'][number]>()
  let longTerms = 0
  const exclude = (reason: ExclusionReason, currency: Currency, readers: number, paid: number) => {
    const row = excluded.get(`${reason} ${currency}`) ?? { reason, currency, readers: 0, paid: 0 }
    excluded.set(`${reason} ${currency}`, { ...row, readers: row.readers + readers, paid: row.paid + paid })
  }
  const months: Month[] = []
  for (const { reason, month, currency, readers, paid } of await exclusionsOf(ctx, publicationId, on)) {
    if (reason !== '') exclude(reason, currency, Number(readers), Number(paid))
    else if (!months.includes(month)) months.push(month)
  }
  for (const month of months.sort()) {
    const terms = new Map<string, OpeningTerm>()
    for (const row of await termsEnding(ctx, publicationId, on, month)) {
      const { currency, product, startOn, endOn } = row
      const paid = Number(row.paid)
      const readers = Number(row.readers)
      const { termMonths, monthlyAmount, anchorDay } = openingEarning({ paid, startOn, endOn })
      const owed = owedOf({ paid, startOn, endOn }, on)
      if (termMonths > maxOpeningMonths || owed === 0) {
        exclude(owed === 0 ? 'ended' : 'too-long', currency, readers, readers * paid)
        continue
      }
      if (termMonths > 24) longTerms += readers
      const sum = sums.get(`${currency} ${product}`) ?? { currency, product, readers: 0, paid: 0, owed: 0 }
      sum.readers += readers
      sum.paid += readers * paid
      sum.owed += readers * owed
      sums.set(`${currency} ${product}`, sum)
      const term = terms.get(`${currency} ${product} ${startOn} ${endOn}`) ?? {
        currency,
        product,
        serviceStartOn: startOn,
        serviceEndOn: endOn,
        termMonths,
        anchorDay,
        readers: 0,
        amount: 0,
        monthlyAmount: 0,
        takenOver: 0,
      }
      term.readers += readers
      term.amount += readers * paid
      term.monthlyAmount += readers * monthlyAmount
      term.takenOver += readers * owed
      terms.set(`${currency} ${product} ${startOn} ${endOn}`, term)
    }
    await onTerms([...terms.values()])
  }
  const reasons = Object.keys(exclusionReasons)
  return {
    readers: [...sums.values()].reduce((total, { readers }) => total + readers, 0),
    longTerms,
    sums: currencies.flatMap((currency) => products.flatMap((product) => sums.get(`${currency} ${product}`) ?? [])),
    excluded: [...excluded.values()].sort(
      (a, b) =>
        reasons.indexOf(a.reason) - reasons.indexOf(b.reason) ||
        currencies.indexOf(a.currency) - currencies.indexOf(b.currency),
    ),
  }
}

/** SQL: why a reader `r` is excluded, as far as the database can tell; empty if the reader is not excluded. */
const exclusionSql = `CASE WHEN COALESCE(r.sub_paid, 0) <= 0 THEN 'no-amount' WHEN r.is_deleted THEN 'deactivated'
  WHEN r.sub_type = '' THEN 'no-product' WHEN r.sub_end_on >= '${openEnd}' THEN 'no-end' WHEN r.sub_end_on <= :on THEN 'ended'
  WHEN r.sub_start_on <= '${openStart}' OR r.sub_start_on > r.sub_end_on THEN 'no-start'
  WHEN EXISTS (SELECT 1 FROM orders o WHERE o.reader_id = r.id AND o.product IS NOT NULL AND o.state = 'paid' AND o.sub_end_on > :on) THEN 'has-order'
  ELSE '' END`

async function exclusionsOf(ctx: Pick<AppContext, 'db'>, publicationId: number, on: Day) {
  const month = yearMonth(ctx.db, 'r.sub_end_on')
  return ctx.db.query<{
    reason: ExclusionReason | ''
    month: Month
    currency: Currency
    readers: number
    paid: number
  }>(
    `SELECT why AS reason, currency, CASE WHEN why = '' THEN month ELSE '' END AS month, COUNT(*) AS readers, SUM(paid) AS paid
     FROM (SELECT ${exclusionSql} AS why, r.sub_currency AS currency, ${month} AS month, COALESCE(r.sub_paid, 0) AS paid
           FROM readers r WHERE r.publication_id = :publicationId) s
     GROUP BY why, currency, CASE WHEN why = '' THEN month ELSE '' END`,
    { publicationId, on },
  )
}

interface TermGroup {
  currency: Currency
  product: Product
  startOn: Day
  endOn: Day
  paid: number
  readers: number
}

function termsEnding(ctx: Pick<AppContext, 'db'>, publicationId: number, on: Day, month: Month): Promise<TermGroup[]> {
  return ctx.db.query<TermGroup>(
    `SELECT r.sub_currency AS currency, r.sub_type AS product, r.sub_start_on AS "startOn", r.sub_end_on AS "endOn", r.sub_paid AS paid,
            COUNT(*) AS readers
     FROM readers r
     WHERE r.publication_id = :publicationId AND r.sub_end_on >= :from AND r.sub_end_on <= :until AND ${exclusionSql} = ''
     GROUP BY r.sub_currency, r.sub_type, r.sub_start_on, r.sub_end_on, r.sub_paid`,
    { publicationId, on, from: firstDayOf(month), until: lastDayOf(month) },
  )
}
