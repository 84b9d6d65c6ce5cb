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
  const state: DemoPlanState = {
    planKey: plan.key,
    isTaxed,
    couponId,
    percentOff,
    card,
    periodStart: now.toISOString(),
    periodEnd: monthsAfter(now, 1).toISOString(),
    cancelsAtEnd: false,
    endedAt: null,
    credit: 0,
    invoices: [],
    keys: [],
  }
  bill(
    state,
    reference,
    now,
    monthlyPrice(state),
    [{ text: `${plan.name}, a month`, amount: monthlyPrice(state) }],
    true,
  )
  return state
}

/**
 * The lifecycle of a plan at the fake provider: it keeps a record for each (`demo_plans`), charges each month that is over on the next call, and
 * prorates changes by the day. Its clock can be advanced.
 */
export function makeDemoPlanLifecycle(db: Database, now: () => Date): PlanLifecycle {
  const ctx = { db, now }

  async function updateStoredPlan<T>(subscriptionReference: string, work: (state: DemoPlanState) => T): Promise<T> {
    const updated = await updateDemoPlan(ctx, subscriptionReference, (state) => ({ result: work(state) }))
    if (!updated) throw new AppError('upstream', 'The payment provider has no record of this plan')
    return updated.result
  }

  const lookUp = (subscriptionReference: string) =>
    updateDemoPlan(ctx, subscriptionReference, (state, row) => toPlanSubscription(state, row))

  return {
    isDemo: true,

    lookUp,

    async lookUpInvoice(reference) {
      const plan = await lookUp(subscriptionOfInvoice(reference))
      return plan?.invoices.find((invoice) => invoice.reference === reference) ?? null
    },

    previewChange: ({ subscriptionReference, plan, isTaxed, at }) =>
      updateStoredPlan(subscriptionReference, (state) => {
        const next = { ...state, planKey: plan.key, isTaxed }
        const total = changeTotal(state, next, at)
        return { total, nextAmount: Math.max(0, monthlyPrice(next) - Math.max(0, state.credit - total)) }
      }),

    change: ({ subscriptionReference, plan, isTaxed, at, idempotencyKey }) =>
      updateStoredPlan(subscriptionReference, (state) => {
        if (state.keys.includes(idempotencyKey)) return { state: 'done' as const }
        const next = { ...state, planKey: plan.key, isTaxed }
        const total = changeTotal(state, next, at)
        if (total > state.credit && !isPaying(state.card)) return { state: 'declined' as const, reason: declinedReason }
        const text = `Change to ${plan.name}, for the rest of the month`
        bill(state, subscriptionReference, now(), total, [{ text, amount: total }], true)
        Object.assign(state, { planKey: plan.key, isTaxed, keys: [...state.keys, idempotencyKey] })
        return { state: 'done' as const }
      }),

    setCancelling: (reference, isCancelling) =>
      updateStoredPlan(reference, (state) => {
        if (state.endedAt === null) state.cancelsAtEnd = isCancelling
      }),

    startCardUpdate: async () => null,

    finishCardUpdate: ({ subscriptionReference, session }) =>
      updateStoredPlan(subscriptionReference, (state) => {
        if (!isAccepted(digitsOf(session))) return false
        state.card = digitsOf(session)
        return true
      }),

    payOpenInvoice: (reference) =>
      updateStoredPlan(reference, (state) => {
        const open = state.invoices.filter(({ state }) => state === 'open')
        if (open.length > 0 && !isPaying(state.card)) return { state: 'declined' as const, reason: declinedReason }
        for (const invoice of open) Object.assign(invoice, { state: 'paid', paidAt: now().toISOString() })
        return { state: 'done' as const }
      }),

    async start({ plan, isTaxed, couponId, percentOff, customerReference, cardNumber, idempotencyKey }) {
      const card = digitsOf(cardNumber)
      if (!isAccepted(card)) return { state: 'declined', reason: declinedReason }
      const subscriptionReference = `demo_sub_${idempotencyKey}`
      const customer = customerReference ?? `demo_cus_${idempotencyKey}`
      const state = newDemoPlanState({ plan, isTaxed, couponId, percentOff, card }, subscriptionReference, now())
      await openDemoPlan(ctx, { subscriptionReference, customerReference: customer, state })
      return { state: 'done', subscriptionReference, customerReference: customer }
    },

    findCheckout: async () => ({ state: 'expired' }),
    expireCheckout: async () => {},

    async advanceDays(reference, days) {
      await updateStoredPlan(reference, (state) => {
        const earlier = (moment: string) => new Date(Date.parse(moment) - days * dayMs).toISOString()
        state.periodStart = earlier(state.periodStart)
        state.periodEnd = earlier(state.periodEnd)
        if (state.endedAt) state.endedAt = earlier(state.endedAt)
        for (const invoice of state.invoices) {
          invoice.issuedAt = earlier(invoice.issuedAt)
          if (invoice.paidAt) invoice.paidAt = earlier(invoice.paidAt)
        }
      })
    },
  }
}

/** Ends a plan immediately, as nobody is charged for the rest of its month. */
export async function endDemoPlan(db: Database, now: () => Date, subscriptionReference: string): Promise<void> {
  await updateDemoPlan({ db, now }, subscriptionReference, (state) => {
    state.endedAt ??= now().toISOString()
  })
}

type Row = { subscriptionReference: string; customerReference: string }

/** Brings a plan's record up to the current time and updates it, with its row locked. */
async function updateDemoPlan<T>(
  ctx: { db: Database; now: () => Date },
  subscriptionReference: string,
  work: (state: DemoPlanState, row: Row) => T,
): Promise<T | null> {
  return ctx.db.transaction(async () => {
    const row = await DemoPlans.find(ctx, { subscriptionReference }, { isLocked: true })
    if (!row) return null
    advanceMonths(row.state, subscriptionReference, ctx.now())
    const result = work(row.state, row)
    await writeDemoPlan(ctx, row.id, row.state)
    return result
  })
}

/** Charges the months that are over, or ends the plan if it was cancelled. */
function advanceMonths(state: DemoPlanState, reference: string, now: Date): void {
  while (state.endedAt === null && Date.parse(state.periodEnd) <= now.getTime()) {
    const end = new Date(state.periodEnd)
    if (state.cancelsAtEnd) {
      state.endedAt = state.periodEnd
      return
    }
    const text = `${planOf(state).name}, a month`
    bill(state, reference, end, monthlyPrice(state), [{ text, amount: monthlyPrice(state) }], isPaying(state.card))
    Object.assign(state, { periodStart: state.periodEnd, periodEnd: nextPeriodEnd(state).toISOString() })
  }
}

/** Adds an invoice: paid from the credit balance, then by the card; a negative amount is credited. */
function bill(
  state: DemoPlanState,
  reference: string,
  issuedAt: Date,
  total: number,
  lines: DemoPlanInvoice['lines'],
  isPaid: boolean,
): void {
  const isSettled = isPaid || total <= state.credit
  state.credit = Math.max(0, state.credit - total)
  state.invoices.push({
    reference: invoiceReference(reference, state.invoices.length + 1),
    issuedAt: issuedAt.toISOString(),
    state: isSettled ? 'paid' : 'open',
    total,
    paidAt: isSettled ? issuedAt.toISOString() : null,
    lines,
  })
}

function invoiceReference(subscriptionReference: string, number: number): string {
  return `${subscriptionReference.replace('_sub_', '_in_')}_${number}`
}

function subscriptionOfInvoice(reference: string): string {
  return reference.replace('_in_', '_sub_').replace(/_\d+$/, '')
}

function changeTotal(state: DemoPlanState, next: DemoPlanState, at: Date): number {
  const periodStart = new Date(state.periodStart)
  const periodEnd = new Date(state.periodEnd)
  return proratedChange({ from: monthlyPrice(state), to: monthlyPrice(next), at, periodStart, periodEnd })
}

function monthlyPrice(state: DemoPlanState): number {
  return monthlyTotal(planOf(state), state.isTaxed ? 'VAT' : 'TAXFREE', state.percentOff)
}

function planOf({ planKey }: DemoPlanState): PublisherPlan {
  const plan = planByKey(planKey)
  if (!plan) throw new Error(`The plan ${planKey} is no longer sold`)
  return plan
}

/**
 * When the month after this one ends: a number of months after the plan's start, so that a plan from the 31st ends its months on the last day, not
 * on the 28th after its first February. The first invoice has the start, which `advanceDays` moves with the other moments.
 */
function nextPeriodEnd({ invoices, periodEnd }: DemoPlanState): Date {
  const start = new Date(invoices[0]?.issuedAt ?? periodEnd)
  const earliest = Date.parse(periodEnd) + 28 * dayMs
  let months = 1
  while (monthsAfter(start, months).getTime() < earliest) months++
  return monthsAfter(start, months)
}

/** The same time some months later; the last day if that month is shorter. */
function monthsAfter(moment: Date, months: number): Date {
  const day = moment.getUTCDate()
  const next = new Date(moment)
  next.setUTCMonth(next.getUTCMonth() + months, 1)
  const last = new Date(Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1, 0)).getUTCDate()
  next.setUTCDate(Math.min(day, last))
  return next
}

function toPlanSubscription(state: DemoPlanState, { subscriptionReference, customerReference }: Row): PlanSubscription {
  const isEnded = state.endedAt !== null
  const isOpen = state.invoices.some(({ state }) => state === 'open')
  return {
    subscriptionReference,
    customerReference,
    planKey: state.planKey,
    state: isEnded ? 'ended' : isOpen ? 'past-due' : 'active',
    periodEndsAt: new Date(state.endedAt ?? state.periodEnd),
    cancelsAtEnd: state.cancelsAtEnd,
    couponId: state.couponId,
    nextAmount: isEnded || state.cancelsAtEnd ? null : Math.max(0, monthlyPrice(state) - state.credit),
    cardLastFour: state.card.slice(-4),
    invoices: state.invoices.map(({ issuedAt, paidAt, ...invoice }) => ({
      ...invoice,
      issuedAt: new Date(issuedAt),
      paidAt: paidAt === null ? null : new Date(paidAt),
    })),
  }
}
