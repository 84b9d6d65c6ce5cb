import type { Database } from '#core/database.ts'
import { AppError } from '#core/kernel/errors.ts'
import { demoCards, passesLuhn } from '#core/payment-methods/demo-cards.rules.ts'
import {
  type DemoPlanInvoice,
  type DemoPlanState,
  DemoPlans,
  openDemoPlan,
  writeDemoPlan,
} from '#core/payment-methods/demo-plans.rows.ts'
import type { PlanLifecycle, PlanSubscription } from '#core/ports/plan-lifecycle.ts'
import { proratedChange } from '#core/pricing/plan-proration.rules.ts'
import { monthlyTotal, type PublisherPlan, planByKey } from '#core/pricing/publisher-plans.rules.ts'

const dayMs = 86_400_000

/** Cards that are always refused, and cards that are accepted but decline the next charge. */
const refused: readonly string[] = [demoCards.declined, demoCards.insufficientFunds]
const declinedLater: readonly string[] = [demoCards.declinedLater, demoCards.lostLater, demoCards.confirmedLater]
const declinedReason = 'The card was declined'

const digitsOf = (text: string) => text.replaceAll(/[\s-]/g, '')
const isAccepted = (card: string) => passesLuhn(card) && !refused.includes(card)
const isPaying = (card: string) => isAccepted(card) && !declinedLater.includes(card)

/** A plan's record on the day it starts, its first month paid. */
export function newDemoPlanState(
  {
    plan,
    isTaxed,
    couponId,
    percentOff,
    card = demoCards.paid,
  }: {
    plan: PublisherPlan
    isTaxed: boolean
    couponId: string | null
    percentOff: number
    card?: string
  },
  reference: string,
  now: Date,
): DemoPlanState {
  const book: DemoPlanState = {
    planKey: plan.key,
    ...{ isTaxed, couponId, percentOff, card },
    periodStart: now.toISOString(),
    periodEnd: monthAfter(now).toISOString(),
    cancelsAtEnd: false,
    endedAt: null,
    credit: 0,
    invoices: [],
    keys: [],
  }
  bill(book, reference, now, monthOf(book), [{ text: `${plan.name}, a month`, amount: monthOf(book) }], true)
  return book
}

/**
 * The lifecycle of a plan at the fake provider: it keeps a record for each (`demo_plans`), charges each month that is over on the next call, and
 * prorates changes by the day. Its clock can be advanced.
 */
export function makeDemoPlanLifecycle(db: Database, now: () => Date): PlanLifecycle {
  const ctx = { db, now }

  async function updateKnownPlan<T>(subscriptionReference: string, work: (book: DemoPlanState) => T): Promise<T> {
    const done = await updateDemoPlan(ctx, subscriptionReference, (book) => ({ done: work(book) }))
    if (!done) throw new AppError('upstream', 'The payment provider has no record of this plan')
    return done.done
  }

  return {
    isDemo: true,

    lookUp: (reference) => updateDemoPlan(ctx, reference, (book, row) => toPlanSubscription(book, row)),

    previewChange: ({ subscriptionReference, plan, isTaxed, at }) =>
      updateKnownPlan(subscriptionReference, (book) => {
        const next = { ...book, planKey: plan.key, isTaxed }
        const total = changeOf(book, next, at)
        return { total, nextAmount: Math.max(0, monthOf(next) - Math.max(0, book.credit - total)) }
      }),

    change: ({ subscriptionReference, plan, isTaxed, at, idempotencyKey }) =>
      updateKnownPlan(subscriptionReference, (book) => {
        if (book.keys.includes(idempotencyKey)) return { state: 'done' as const }
        const next = { ...book, planKey: plan.key, isTaxed }
        const total = changeOf(book, next, at)
        if (total > book.credit && !isPaying(book.card)) return { state: 'declined' as const, reason: declinedReason }
        const text = `Change to ${plan.name}, for the rest of the month`
        bill(book, subscriptionReference, now(), total, [{ text, amount: total }], true)
        Object.assign(book, { planKey: plan.key, isTaxed, keys: [...book.keys, idempotencyKey] })
        return { state: 'done' as const }
      }),

    setCancelling: (reference, isCancelling) =>
      updateKnownPlan(reference, (book) => {
        if (book.endedAt === null) book.cancelsAtEnd = isCancelling
      }),

    beginCard: async () => null,

    finishCard: ({ subscriptionReference, session }) =>
      updateKnownPlan(subscriptionReference, (book) => {
        if (!isAccepted(digitsOf(session))) return false
        book.card = digitsOf(session)
        return true
      }),

    payOpenInvoice: (reference) =>
      updateKnownPlan(reference, (book) => {
        const open = book.invoices.filter(({ state }) => state === 'open')
        if (open.length > 0 && !isPaying(book.card)) return { state: 'declined' as const, reason: declinedReason }
        for (const invoice of open) Object.assign(invoice, { state: 'paid', paidAt: now().toISOString() })
        return { state: 'done' as const }
      }),

    async start({ plan, isTaxed, couponId, percentOff, customerReference, cardNumber, idempotencyKey }) {
      const card = digitsOf(cardNumber)
      if (!isAccepted(card)) return { state: 'declined', reason: declinedReason }
      const subscriptionReference = `demo_sub_${idempotencyKey}`
      const customer = customerReference ?? `demo_cus_${idempotencyKey}`
      const book = newDemoPlanState({ plan, isTaxed, couponId, percentOff, card }, subscriptionReference, now())
      await openDemoPlan(ctx, { subscriptionReference, customerReference: customer, book })
      return { state: 'done', subscriptionReference, customerReference: customer }
    },

    findStart: async () => ({ state: 'over' }),
    closeStart: async () => {},

    async passDays(reference, days) {
      await updateKnownPlan(reference, (book) => {
        const earlier = (moment: string) => new Date(Date.parse(moment) - days * dayMs).toISOString()
        book.periodStart = earlier(book.periodStart)
        book.periodEnd = earlier(book.periodEnd)
        if (book.endedAt) book.endedAt = earlier(book.endedAt)
        for (const invoice of book.invoices) {
          invoice.issuedAt = earlier(invoice.issuedAt)
          if (invoice.paidAt) invoice.paidAt = earlier(invoice.paidAt)
        }
      })
    },
  }
}

/** Ends a plan immediately, as nobody is charged for the rest of its month. */
export async function endDemoPlan(db: Database, now: () => Date, subscriptionReference: string): Promise<void> {
  await updateDemoPlan({ db, now }, subscriptionReference, (book) => {
    book.endedAt ??= now().toISOString()
  })
}

type Row = { subscriptionReference: string; customerReference: string }

/** Updates a plan's record, brought up to now, under its lock. */
async function updateDemoPlan<T>(
  ctx: { db: Database; now: () => Date },
  subscriptionReference: string,
  work: (book: DemoPlanState, row: Row) => T,
): Promise<T | null> {
  return ctx.db.transaction(async () => {
    const row = await DemoPlans.find(ctx, { subscriptionReference }, { isLocked: true })
    if (!row) return null
    advanceMonths(row.book, subscriptionReference, ctx.now())
    const done = work(row.book, row)
    await writeDemoPlan(ctx, row.id, row.book)
    return done
  })
}

/** Charges the months that are over, or ends the plan if it was cancelled. */
function advanceMonths(book: DemoPlanState, reference: string, now: Date): void {
  while (book.endedAt === null && Date.parse(book.periodEnd) <= now.getTime()) {
    const end = new Date(book.periodEnd)
    if (book.cancelsAtEnd) {
      book.endedAt = book.periodEnd
      return
    }
    const text = `${planOf(book).name}, a month`
    bill(book, reference, end, monthOf(book), [{ text, amount: monthOf(book) }], isPaying(book.card))
    Object.assign(book, { periodStart: book.periodEnd, periodEnd: monthAfter(end).toISOString() })
  }
}

/** Adds an invoice: paid from the credit balance, then by the card; a negative amount is credited. */
function bill(
  book: DemoPlanState,
  reference: string,
  issuedAt: Date,
  total: number,
  lines: DemoPlanInvoice['lines'],
  isPaid: boolean,
): void {
  const isSettled = isPaid || total <= book.credit
  book.credit = Math.max(0, book.credit - total)
  book.invoices.push({
    reference: `${reference.replace('_sub_', '_in_')}_${book.invoices.length + 1}`,
    issuedAt: issuedAt.toISOString(),
    state: isSettled ? 'paid' : 'open',
    total,
    paidAt: isSettled ? issuedAt.toISOString() : null,
    lines,
  })
}

function changeOf(book: DemoPlanState, next: DemoPlanState, at: Date): number {
  const [periodStart, periodEnd] = [new Date(book.periodStart), new Date(book.periodEnd)]
  return proratedChange({ from: monthOf(book), to: monthOf(next), at, periodStart, periodEnd })
}

function monthOf(book: DemoPlanState): number {
  return monthlyTotal(planOf(book), book.isTaxed ? 'VAT' : 'TAXFREE', book.percentOff)
}

function planOf({ planKey }: DemoPlanState): PublisherPlan {
  const plan = planByKey(planKey)
  if (!plan) throw new Error(`The plan ${planKey} is no longer sold`)
  return plan
}

/** The same time a month later; the last day if that month is shorter. */
function monthAfter(moment: Date): Date {
  const day = moment.getUTCDate()
  const next = new Date(moment)
  next.setUTCMonth(next.getUTCMonth() + 1, 1)
  const last = new Date(Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1, 0)).getUTCDate()
  next.setUTCDate(Math.min(day, last))
  return next
}

function toPlanSubscription(book: DemoPlanState, { subscriptionReference, customerReference }: Row): PlanSubscription {
  const isEnded = book.endedAt !== null
  const isOpen = book.invoices.some(({ state }) => state === 'open')
  return {
    ...{ subscriptionReference, customerReference },
    planKey: book.planKey,
    state: isEnded ? 'ended' : isOpen ? 'past-due' : 'active',
    periodEndsAt: new Date(book.endedAt ?? book.periodEnd),
    cancelsAtEnd: book.cancelsAtEnd,
    couponId: book.couponId,
    nextAmount: isEnded || book.cancelsAtEnd ? null : Math.max(0, monthOf(book) - book.credit),
    cardLastFour: book.card.slice(-4),
    invoices: book.invoices.map(({ issuedAt, paidAt, ...invoice }) => ({
      ...invoice,
      issuedAt: new Date(issuedAt),
      paidAt: paidAt === null ? null : new Date(paidAt),
    })),
  }
}
