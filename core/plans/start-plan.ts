import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { AppError, conflict, isAppError } from '../kernel/errors.ts'
import type { Coupon, PlanBilling } from '../ports/plan-billing.ts'
import { monthlyTotal, type PriceType, type PublisherPlan, priceTypeOf } from '../pricing/publisher-plans.rules.ts'
import { couponOf, usableCoupon } from '../signup/signup-billing.ts'
import { countSignUpAttempt } from '../signup/signup-problems.ts'
import { useCase } from '../use-case.ts'
import { type AccountRow, Accounts, lockAccount } from '../users/accounts.rows.ts'
import { chosenToPause, outOfDate } from './change-plan.ts'
import { declinedMessage } from './declined-message.rules.ts'
import { ownPlanAccount } from './own-plan.ts'
import { PlanStartInput, planOf } from './plan.input.ts'
import { type PlanChangeRow, PlanChanges } from './plan-changes.rows.ts'
import { syncPlan } from './refresh-plan.ts'
import { cancelStart, settleStart, storeStartedPlan } from './settle-start.ts'

/** `redirect`: it is paid on the provider's page. `done`: it is paid. */
export type StartedPlan = { state: 'done' } | { state: 'redirect'; url: string }

/**
 * Starts a plan for a publisher who has none, or whose plan has ended. At most one payment page is open: choosing again closes the previous one,
 * and if that was paid meanwhile, its plan applies.
 */
export const startPlan = useCase({
  permission: 'plan:write',
  input: PlanStartInput,
  transaction: 'none',
  async run(ctx, input): Promise<StartedPlan> {
    const account = await ownPlanAccount(ctx)
    const billing = billingForStart(ctx, account)
    const plan = planOf(input)
    const previous = await PlanChanges.find(ctx, { changeKey: input.key })
    if (previous && (previous.publisherId !== account.userId || previous.toPlan !== plan.key)) throw outOfDate()
    if (previous?.state === 'done') return { state: 'done' }
    if (input.code !== '') await countSignUpAttempt(ctx, 'coupon')
    const coupon = await couponOf(billing, input.code, 'code')
    const priceType = priceTypeOf(account.country)
    const percentOff = coupon?.percentOff ?? 0
    const request = { ...input, plan, coupon, priceType, amount: monthlyTotal(plan, priceType, percentOff) }
    const open = await openStart(ctx, billing, account.userId, request)
    if (open) return { state: 'redirect', url: open }
    const change = await writeStart(ctx, account.userId, request)
    const started = await billing.lifecycle.start({
      plan,
      isTaxed: priceType === 'VAT',
      couponId: coupon?.id ?? null,
      percentOff,
      customerReference: account.planCustomerReference,
      email: account.emailAddress,
      name: account.companyName,
      returnUrl: `${ctx.settings.appUrl}/account/plan/paid?session={session}`,
      cancelUrl: `${ctx.settings.appUrl}/account/plan/start`,
      cardNumber: input.cardNumber,
      idempotencyKey: change.changeKey,
    })
    if (started.state === 'declined') {
      await PlanChanges.update(ctx, { id: change.id, state: 'open' }, { state: 'declined' })
      throw new AppError('declined', declinedMessage('The card was declined', started.reason), {
        fields: { cardNumber: started.reason },
      })
    }
    if (started.state === 'done') {
      await storeStartedPlan(ctx, change, started)
      await syncPlan(ctx, account.userId)
      return { state: 'done' }
    }
    const { session, url } = started
    // Another window may have begun since: then the publisher is not sent to this page.
    if ((await PlanChanges.update(ctx, { id: change.id, state: 'open' }, { session })) === 0) {
      await billing.lifecycle.expireCheckout(session)
      throw outOfDate()
    }
    return { state: 'redirect', url }
  },
})

/** The coupon of the ended plan, if it applies to every month and is still valid: a returning publisher is offered it. */
export const couponForRestart = useCase({
  permission: 'plan:write',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<Coupon | null> {
    const { planCoupon } = await ownPlanAccount(ctx)
    if (!planCoupon || !ctx.planBilling) return null
    try {
      const coupon = await usableCoupon(ctx.planBilling, planCoupon)
      return coupon?.isForever ? coupon : null
    } catch (error) {
      if (!isAppError(error) || error.kind !== 'upstream') throw error
      return null
    }
  },
})

/** Queries the outcome of the page that a publisher returns from, or of the open one. */
export const finishPlanStart = useCase({
  permission: 'plan:write',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<{ state: 'done' | 'open' | 'none' }> {
    const { userId } = await ownPlanAccount(ctx)
    const state = await settleStart(ctx, userId)
    if (state === 'done') await syncPlan(ctx, userId)
    return { state }
  },
})

function billingForStart(ctx: AppContext, { planState }: AccountRow): PlanBilling {
  if (!ctx.planBilling) throw conflict('Payments for plans are not set up on this installation')
  if (planState !== null && planState !== 'ended') throw conflict('A plan is running already. Change it instead.')
  return ctx.planBilling
}

/** A plan that is to begin, at the price of its first month. */
interface StartInput {
  plan: PublisherPlan
  coupon: Coupon | null
  priceType: PriceType
  amount: number
  key: string
  paused: readonly number[]
}

/** The page that is open for the same plan at the same price; any other is closed, unless it was paid. */
async function openStart(
  ctx: AppContext,
  billing: PlanBilling,
  publisherId: number,
  { plan, coupon, amount, key }: StartInput,
): Promise<string | null> {
  const open = await PlanChanges.find(ctx, { publisherId, state: 'open' })
  if (!open) return null
  if (open.kind !== 'start') throw outOfDate()
  if (open.session === null) {
    // The same form, sent again because the provider failed, continues its start: the provider knows it by the key.
    if (open.changeKey !== key) await cancelStart(ctx, open)
    return null
  }
  const checkout = await billing.lifecycle.findCheckout(open.session)
  // The coupon of an open page is known only for the same form.
  const isSame = open.toPlan === plan.key && open.amount === amount && (coupon === null || open.changeKey === key)
  if (checkout.state === 'open' && isSame) return checkout.url
  if (checkout.state === 'open') await billing.lifecycle.expireCheckout(open.session)
  if ((await settleStart(ctx, publisherId)) !== 'done') return null
  await syncPlan(ctx, publisherId)
  throw conflict('The plan was paid in another window and is running: nothing was charged again.')
}

/** Stores a new start, or continues that of the same form. */
async function writeStart(
  ctx: AppContext,
  publisherId: number,
  { plan, priceType, amount, key: changeKey, paused: chosen }: StartInput,
): Promise<PlanChangeRow> {
  return ctx.db.transaction(async () => {
    await lockAccount(ctx, publisherId)
    const account = await Accounts.find(ctx, { userId: publisherId })
    if (!account || (account.planState !== null && account.planState !== 'ended')) throw outOfDate()
    const paused = await chosenToPause(ctx, publisherId, plan, chosen)
    const change = await PlanChanges.insertNew(ctx, {
      publisherId,
      changeKey,
      kind: 'start',
      state: 'open',
      fromPlan: account.planKey,
      toPlan: plan.key,
      priceType,
      amount,
      paused,
    })
    if (change) return change
    const previous = await PlanChanges.find(ctx, { publisherId, changeKey, state: 'open' })
    // Another promo code changes the amount: that is another request, which needs a key of its own.
    if (previous?.amount !== amount) throw outOfDate()
    await PlanChanges.update(ctx, { id: previous.id, state: 'open' }, { paused })
    return { ...previous, paused }
  })
}
