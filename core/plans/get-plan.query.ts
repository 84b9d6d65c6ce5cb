import { z } from 'zod'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { notFound } from '../kernel/errors.ts'
import type { PlanInvoice } from '../ports/plan-lifecycle.ts'
import {
  monthlyTotal,
  type PriceType,
  type PublisherPlan,
  planByKey,
  priceTypeOf,
} from '../pricing/publisher-plans.rules.ts'
import { useCase } from '../use-case.ts'
import { Accounts } from '../users/accounts.rows.ts'
import { countedTitles, type OwnTitle } from './counted-titles.query.ts'
import { billingStatusOf, ownPlanAccount } from './own-plan.ts'
import type { PlanBillingStatus } from './plan-billing-status.rules.ts'
import { PlanChanges } from './plan-changes.rows.ts'
import { formatPlatformInvoiceNumber } from './platform-invoice.rules.ts'
import { type PlatformInvoiceRow, PlatformInvoices } from './platform-invoices.rows.ts'

interface PlanInvoiceView {
  id: number
  number: string
  issuedOn: Day
  state: PlanInvoice['state']
  total: number
}

export interface PlanView {
  /** Null if none was bought here. */
  plan: PublisherPlan | null
  allowed: number
  billingStatus: PlanBillingStatus
  priceType: PriceType
  /** Pence a month by the price table, with VAT where that is charged. */
  monthly: number | null
  coupon: string | null
  nextAmount: number | null
  periodEndsOn: Day | null
  cancelsAtEnd: boolean
  cardLastFour: string | null
  /** Null if plans cannot be paid on this installation. */
  billing: 'demo' | 'provider' | null
  titles: OwnTitle[]
  /** The change that was requested and has no response yet. */
  waiting: { kind: 'change' | 'start'; to: string } | null
  invoices: PlanInvoiceView[]
}

/** The publisher's own plan, in the state its provider last reported. */
export const getPlan = useCase({
  permission: 'plan:write',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<PlanView> {
    const account = await ownPlanAccount(ctx)
    const { userId: publisherId, planPeriodEndsAt } = account
    const [titles, open, invoices] = await Promise.all([
      countedTitles(ctx, publisherId),
      PlanChanges.find(ctx, { publisherId, state: 'open' }),
      PlatformInvoices.rows(
        ctx,
        `SELECT ${PlatformInvoices.columns()} FROM platform_invoices WHERE publisher_id = :publisherId ORDER BY number DESC LIMIT 120`,
        { publisherId },
      ),
    ])
    const plan = planByKey(account.planKey ?? '') ?? null
    const priceType = account.planPriceType ?? priceTypeOf(account.country)
    return {
      plan,
      allowed: account.numberOfPublications,
      billingStatus: billingStatusOf(ctx, account),
      priceType,
      monthly: plan && monthlyTotal(plan, priceType),
      coupon: account.planCoupon,
      nextAmount: account.planNextAmount,
      periodEndsOn: planPeriodEndsAt && dayOf(planPeriodEndsAt, ctx.settings.timeZone),
      cancelsAtEnd: account.planCancelsAtEnd,
      cardLastFour: account.planCardLastFour,
      billing: ctx.planBilling && (ctx.planBilling.lifecycle.isDemo ? 'demo' : 'provider'),
      titles,
      waiting: open && { kind: open.kind, to: planByKey(open.toPlan)?.name ?? open.toPlan },
      invoices: invoices.map(({ id, number, issuedAt, state, total }) => ({
        id,
        state,
        total,
        number: formatPlatformInvoiceNumber(number),
        issuedOn: dayOf(issuedAt, ctx.settings.timeZone),
      })),
    }
  },
})

/** The notice on every screen that the plan is unpaid, ends soon or has ended. */
export type PlanNotice = { billingStatus: PlanBillingStatus; cancelsOn: Day | null; mayPay: boolean }

/** For the publisher and its administrators: null while there is no notice. */
export const planNotice = useCase({
  permission: 'plan:notice',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<PlanNotice | null> {
    const { actor } = ctx
    const userId = actor.kind === 'staff' ? actor.publisherId : null
    const account = userId === null ? null : await Accounts.find(ctx, { userId })
    if (!account) return null
    const billingStatus = billingStatusOf(ctx, account)
    const { planCancelsAtEnd, planPeriodEndsAt } = account
    const cancelsOn = planCancelsAtEnd && planPeriodEndsAt ? dayOf(planPeriodEndsAt, ctx.settings.timeZone) : null
    if (billingStatus.kind !== 'unpaid' && billingStatus.kind !== 'ended' && cancelsOn === null) return null
    return { billingStatus, cancelsOn, mayPay: actor.kind === 'staff' && actor.userType === 'publisher' }
  },
})

export type PlatformInvoiceView = Omit<
  PlatformInvoiceRow,
  'number' | 'issuedAt' | 'paidAt' | 'createdAt' | 'updatedAt'
> & {
  number: string
  issuedOn: Day
  paidOn: Day | null
}

/** An invoice of the publisher's own plan, as it is printed. */
export const getPlatformInvoice = useCase({
  permission: 'plan:write',
  input: z.object({ id: z.coerce.number('Required').int() }),
  transaction: 'none',
  async run(ctx, { id }): Promise<PlatformInvoiceView> {
    const { userId: publisherId } = await ownPlanAccount(ctx)
    const invoice = await PlatformInvoices.find(ctx, { id, publisherId })
    if (!invoice) throw notFound('The invoice')
    const { issuedAt, paidAt, number, createdAt: _, updatedAt: __, ...rest } = invoice
    const on = (moment: Date) => dayOf(moment, ctx.settings.timeZone)
    return {
      ...rest,
      number: formatPlatformInvoiceNumber(number),
      issuedOn: on(issuedAt),
      paidOn: paidAt && on(paidAt),
    }
  },
})
