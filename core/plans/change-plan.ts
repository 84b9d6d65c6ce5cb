import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { AppError, conflict, invalid, isAppError } from '../kernel/errors.ts'
import { formatMoney } from '../kernel/money.ts'
import { countOf } from '../kernel/text-format.ts'
import type { PlanBilling } from '../ports/plan-billing.ts'
import type { PublisherPlan } from '../pricing/publisher-plans.rules.ts'
import { useCase } from '../use-case.ts'
import { type AccountRow, Accounts, lockAccount } from '../users/accounts.rows.ts'
import { countedTitles, type OwnTitle } from './counted-titles.query.ts'
import { declinedMessage } from './declined-message.rules.ts'
import { ownPlanAccount, runningPlan } from './own-plan.ts'
import { PlanChangeInput, PlanPreviewInput, planOf } from './plan.input.ts'
import { type PlanChangeRow, PlanChanges } from './plan-changes.rows.ts'
import { titlesToPause } from './plan-titles.rules.ts'
import { syncPlan } from './refresh-plan.ts'

/** How long a shown amount can be accepted. */
const quoteValidMs = 30 * 60_000

export interface PlanChangeView {
  from: string
  to: PublisherPlan
  /** Pence that are charged immediately; a negative amount is deducted from the next charges. */
  amount: number
  /** Pence, and the day they are charged. */
  nextAmount: number
  nextOn: Day | null
  at: Date
  /** How many titles have to be paused, and which can be chosen. */
  pauseCount: number
  onSale: Pick<OwnTitle, 'id' | 'name'>[]
  /** The paused titles that go on sale again. */
  resumed: string[]
}

/** The current cost of a change of plan, as calculated by the provider. */
export const previewPlanChange = useCase({
  permission: 'plan:write',
  input: PlanPreviewInput,
  transaction: 'none',
  async run(ctx, input): Promise<PlanChangeView> {
    const account = await ownPlanAccount(ctx)
    const { billing, subscriptionReference } = changeable(ctx, account)
    const plan = planOf(input)
    if (plan.key === account.planKey) throw invalid({ titles: 'You already have this plan' })
    // Providers' times have a resolution of one second.
    const at = new Date(Math.floor(ctx.now().getTime() / 1000) * 1000)
    const isTaxed = account.planPriceType === 'VAT'
    const { total, nextAmount } = await billing.lifecycle.previewChange({ subscriptionReference, plan, isTaxed, at })
    const titles = await countedTitles(ctx, account.userId)
    const onSale = titles.filter(({ isPaused }) => !isPaused)
    const room = Math.max(0, plan.titles - onSale.length)
    return {
      from: account.planKey ?? '',
      to: plan,
      amount: total,
      nextAmount,
      at,
      nextOn: account.planPeriodEndsAt && dayOf(account.planPeriodEndsAt, ctx.settings.timeZone),
      pauseCount: titlesToPause(titles, plan.titles),
      onSale: onSale.map(({ id, name }) => ({ id, name })),
      resumed: titles
        .filter(({ isPaused }) => isPaused)
        .slice(0, room)
        .map(({ name }) => name),
    }
  },
})

/**
 * Changes the plan at the amount that was shown. It is stored before the provider is called: the same form again is the same change, a
 * second tab is refused, and the provider is polled later for a lost response. A decline changes nothing.
 */
export const changePlan = useCase({
  permission: 'plan:write',
  input: PlanChangeInput,
  transaction: 'none',
  async run(ctx, input): Promise<{ plan: PublisherPlan; amount: number }> {
    const account = await ownPlanAccount(ctx)
    const plan = planOf(input)
    const isTaxed = account.planPriceType === 'VAT'
    const previous = await previousChange(ctx, account, input.key, plan)
    if (previous?.state === 'done') return { plan, amount: previous.amount }
    const { billing, subscriptionReference } = changeable(ctx, account)
    const request = { subscriptionReference, plan, isTaxed, at: input.at }
    const change =
      previous ?? (await storeAgreedChange(ctx, billing, account, { ...input, plan, billingChange: request }))
    await requestChange(ctx, billing, change, request)
    return { plan, amount: change.amount }
  },
})

function changeable(ctx: AppContext, account: AccountRow) {
  const running = runningPlan(ctx, account)
  if (account.planState === 'past-due')
    throw conflict('The plan has not been paid. Pay the amount due first, then change it.')
  if (account.planCancelsAtEnd) throw conflict('The plan is cancelled. Choose “Keep it” first, then change it.')
  return running
}

/** The change that this form requested before, if it did. */
async function previousChange(
  ctx: AppContext,
  { userId: publisherId }: AccountRow,
  changeKey: string,
  plan: PublisherPlan,
): Promise<PlanChangeRow | null> {
  const change = await PlanChanges.find(ctx, { changeKey })
  if (!change) return null
  if (change.publisherId !== publisherId || change.kind !== 'change' || change.toPlan !== plan.key) throw outOfDate()
  if (change.state === 'declined' || change.state === 'given-up')
    throw conflict('This change was not made', { hint: 'Confirm it again to try once more.' })
  return change
}

/** Stores the change at the amount that was shown, if that still holds, as the only one in progress. */
async function storeAgreedChange(
  ctx: AppContext,
  billing: PlanBilling,
  { userId: publisherId, planPriceType, planKey }: AccountRow,
  {
    plan,
    billingChange,
    ...input
  }: { plan: PublisherPlan; billingChange: Parameters<PlanBilling['lifecycle']['previewChange']>[0] } & Pick<
    ParsedPlanChange,
    'from' | 'at' | 'amount' | 'key' | 'paused'
  >,
): Promise<PlanChangeRow> {
  // Otherwise the amount would differ, and be proposed for another change.
  if (planKey !== input.from) throw outOfDate()
  const age = ctx.now().getTime() - input.at.getTime()
  if (age < -1000 || age > quoteValidMs)
    throw conflict('The quoted amount has expired. Please check the new one and confirm again.')
  const { total } = await billing.lifecycle.previewChange(billingChange)
  if (total !== input.amount) {
    const money = formatMoney({ amount: total, currency: 'GBP' })
    throw conflict(`The amount is now ${money}. Please check it and confirm again.`)
  }
  return ctx.db.transaction(async () => {
    await lockAccount(ctx, publisherId)
    const account = await Accounts.find(ctx, { userId: publisherId })
    if (account?.planKey !== input.from || account.planState !== 'active' || account.planCancelsAtEnd) throw outOfDate()
    const paused = await chosenToPause(ctx, publisherId, plan, input.paused)
    const change = await PlanChanges.insertNew(ctx, {
      publisherId,
      changeKey: input.key,
      kind: 'change',
      state: 'open',
      fromPlan: input.from,
      toPlan: plan.key,
      priceType: planPriceType ?? 'TAXFREE',
      amount: total,
      paused,
    })
    if (!change) throw outOfDate()
    return change
  })
}

type ParsedPlanChange = ReturnType<typeof PlanChangeInput.parse>

/** The titles that are paused for a plan, all chosen by the publisher from those that are on sale. */
export async function chosenToPause(
  ctx: AppContext,
  publisherId: number,
  plan: PublisherPlan,
  chosen: readonly number[],
): Promise<number[]> {
  const titles = await countedTitles(ctx, publisherId)
  const pauseCount = titlesToPause(titles, plan.titles)
  if (pauseCount === 0) return []
  const toPause = titles.filter(({ id, isPaused }) => !isPaused && chosen.includes(id)).map(({ id }) => id)
  if (toPause.length < pauseCount)
    throw invalid({ paused: `Choose ${countOf(pauseCount, 'title')} to pause: the plan includes ${plan.titles}` })
  return toPause
}

async function requestChange(
  ctx: AppContext,
  billing: PlanBilling,
  change: PlanChangeRow,
  billingChange: Parameters<PlanBilling['lifecycle']['previewChange']>[0],
): Promise<void> {
  const { id, publisherId, changeKey } = change
  try {
    const result = await billing.lifecycle.change({ ...billingChange, idempotencyKey: changeKey })
    if (result.state === 'declined') {
      await decline(ctx, change)
      throw new AppError(
        'declined',
        declinedMessage('The card was declined, and the plan stays as it is', result.reason),
        {
          hint: 'Change the card, then try again.',
        },
      )
    }
    await syncPlan(ctx, publisherId)
  } catch (error) {
    if (isAppError(error) && error.kind === 'declined') throw error
    ctx.log.warn({ error, change: id, publisher: publisherId }, 'the answer to a change of plan was lost')
    throw new AppError(
      'upstream',
      'The payment provider has not responded yet. The result appears here as soon as it is known, and nothing is charged twice.',
      { cause: error },
    )
  }
}

async function decline(ctx: AppContext, { id, publisherId, toPlan }: PlanChangeRow): Promise<void> {
  await ctx.db.transaction(async () => {
    await PlanChanges.update(ctx, { id, state: 'open' }, { state: 'declined' })
    await recordAudit(ctx, 'decline-plan-change', { type: 'user', id: publisherId, publisherId }, { to: toPlan })
  })
}

export function outOfDate(): AppError {
  return conflict('The plan was changed in another window, or a change is under way', {
    hint: 'Nothing was changed here. Check which plan is running before you choose another.',
  })
}
