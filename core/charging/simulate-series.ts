import { createHash } from 'node:crypto'
import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import { createPendingOrder } from '../orders/create-pending-order.ts'
import { linkedRecord } from '../orders/linked-record.query.ts'
import { startPayment } from '../orders/pay-order.ts'
import { priceOrder } from '../orders/price-order.ts'
import { demoCards } from '../payment-methods/demo-cards.rules.ts'
import { allOptedOut } from '../readers/opt-outs.rules.ts'
import { planEffortsOn } from '../series/plan-efforts.ts'
import { renewalLinkKey } from '../series/renewal-link.ts'
import type { EffortChannel, EffortKind } from '../series/series.rules.ts'

/** The results of one effort of the renewal series. */
export interface SimulatedEffort {
  dayOffset: number
  kind: EffortKind
  channel: EffortChannel
  /** The records that it was sent for; one email may be for several. */
  sent: number
  /** Those that renewed by its link, and the amount they paid, with VAT, in minor units. */
  renewed: number
  money: { currency: Currency; taken: number }[]
}

interface SimulatedSeries {
  publicationId: number
  urlKey: string
  /** How many of a hundred who get an effort renew by its link on the same day. */
  responseRate: number
  seed: number
}

/**
 * One day of the renewal series on the copy of a title: sends what is due, and `responseRate` per cent of the readers buy by their link on the same
 * day. Who buys is determined by the seed, the reader's reference, the end and the effort alone.
 */
export async function simulateSeriesDay(ctx: AppContext, series: SimulatedSeries, on: Day): Promise<void> {
  const { publicationId, responseRate, seed } = series
  await planEffortsOn(ctx, on, { publicationId })
  // Drawn by the reader's reference, not by the id: ids differ between databases (PostgreSQL skips rolled-back ones), so other readers would respond.
  const sent = await ctx.db.query<{ id: number; reference: string; cycleOn: Day; dayOffset: number }>(
    `SELECT e.id, r.unique_reference AS reference, e.cycle_on AS "cycleOn", e.day_offset AS "dayOffset"
     FROM reader_efforts e JOIN readers r ON r.id = e.reader_id
     WHERE e.publication_id = :publicationId AND e.planned_on = :on AND e.state = 'due' ORDER BY r.unique_reference, e.day_offset`,
    { publicationId, on },
  )
  for (const { id, reference, cycleOn, dayOffset } of sent)
    if (drawn(`${seed} effort ${reference} ${cycleOn} ${dayOffset}`) * 100 < responseRate)
      await buyByLink(ctx, series, id)
}

/** Orders the offer of a link at its price, with its promo code, and pays. It skips the page's questions and addresses: the copy has none. */
async function buyByLink(
  ctx: AppContext,
  { publicationId, urlKey, seed }: SimulatedSeries,
  effortId: number,
): Promise<void> {
  const key = renewalLinkKey(ctx.settings.appSecret, { publicationId, effortId })
  const { status, offered, storefront, country, reader, effort, email, buyer, isGift } = await linkedRecord(ctx, {
    urlKey,
    key,
  })
  // A letter reaches people without an email, who renew in other ways.
  if (status !== 'good' || !offered || !reader || email === '') return
  const input = { plan: offered.code, country, currency: offered.currency, answers: {}, optOuts: allOptedOut(), isGift }
  const sale = await priceOrder(
    ctx,
    storefront,
    { ...input, promoCode: effort.promo?.code ?? '', giftEmail: '', giftMessage: '' },
    { readerId: reader.id },
  )
  const address = { companyName: '', addressOne: '', addressTwo: '', addressThree: '', city: '', state: '' }
  const order = await createPendingOrder(
    ctx,
    storefront,
    {
      country,
      email,
      language: undefined,
      title: '',
      firstName: '',
      lastName: '',
      mobile: '',
      source: null,
      idempotencyKey: `simulated-${seed}-${effortId}`,
      isDeliveredToBilling: true,
      shipping: null,
      billing: { ...address, postCode: reader.postCode },
      payment: { provider: 'demo', details: { cardNumber: demoCards.paid } },
    },
    { ...sale, renews: { readerId: reader.id, effortId } },
    { buyerId: buyer?.id ?? null, passwordHash: null, isUnproven: false },
  )
  await startPayment(ctx, order.id, { cardNumber: demoCards.paid })
}

/** The results of each effort that was planned in a range of days, from the earliest. */
export async function simulatedEfforts(
  ctx: AppContext,
  { publicationId, from, until }: { publicationId: number; from: Day; until: Day },
): Promise<SimulatedEffort[]> {
  type Row = Omit<SimulatedEffort, 'money'> & { currency: Currency | null; taken: number | null }
  const rows = await ctx.db.query<Row>(
    `SELECT e.day_offset AS "dayOffset", e.kind, e.channel, COUNT(*) AS sent, COUNT(o.id) AS renewed, o.currency, SUM(o.amount) AS taken
     FROM reader_efforts e LEFT JOIN orders o ON o.effort_id = e.id AND o.state = 'paid'
     WHERE e.publication_id = :publicationId AND e.planned_on >= :from AND e.planned_on <= :until AND e.state = 'due'
     GROUP BY 1, 2, 3, o.currency ORDER BY 1, 2, 3, o.currency`,
    { publicationId, from, until },
  )
  const efforts = new Map<string, SimulatedEffort>()
  for (const { currency, taken, ...row } of rows) {
    const key = `${row.dayOffset} ${row.kind} ${row.channel}`
    const effort = efforts.get(key) ?? { ...row, sent: 0, renewed: 0, money: [] }
    efforts.set(key, effort)
    effort.sent += Number(row.sent)
    effort.renewed += Number(row.renewed)
    if (currency !== null) effort.money.push({ currency, taken: Number(taken) })
  }
  return [...efforts.values()]
}

/** Subscriptions that do not renew automatically and ended in a range of days, without another term by the day after. */
export async function simulatedEnds(
  ctx: AppContext,
  { publicationId, from, until }: { publicationId: number; from: Day; until: Day },
): Promise<number> {
  const [row] = await ctx.db.query<{ ended: number }>(
    `SELECT COUNT(*) AS ended FROM readers r WHERE publication_id = :publicationId AND NOT is_deleted AND sub_type <> ''
       AND sub_end_on >= :from AND sub_end_on < :until AND NOT EXISTS (SELECT 1 FROM payment_agreements a WHERE a.reader_id = r.id)`,
    { publicationId, from, until },
  )
  return Number(row?.ended ?? 0)
}

/** A number from 0 to 1 that is determined by a text. */
export function drawn(text: string): number {
  return createHash('sha256').update(text).digest().readUIntBE(0, 6) / 2 ** 48
}
