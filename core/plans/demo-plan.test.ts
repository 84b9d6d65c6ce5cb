import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { demoCards } from '#core/payment-methods/demo-cards.rules.ts'
import { openDemoPlans } from '#tests/support/plans.ts'
import { advancePlanClock } from './advance-plan-clock.ts'
import { setPlanCancelled } from './cancel-plan.ts'
import { finishPlanCard, startPlanCard } from './change-plan-card.ts'
import { startPlan } from './start-plan.ts'

let plans: Awaited<ReturnType<typeof openDemoPlans>>
beforeAll(async () => {
  plans = await openDemoPlans()
})

it('the demo billing covers the whole cycle: a change, another card, an unpaid month, the end and a new plan', async () => {
  const publisher = await plans.publisher('standard-2', 2)
  const { ctx } = publisher
  expect(await plans.planOf(publisher)).toMatchObject({ billing: 'demo', cardLastFour: '4242', nextAmount: 10_800 })
  await plans.changeTo(publisher, 1, { paused: publisher.titles.slice(1) })
  // The whole month remains: of the £108 paid, £30 is left and reduces the next payment of £78.
  expect(await plans.planOf(publisher)).toMatchObject({ plan: { key: 'standard-1' }, nextAmount: 4800 })
  expect(await plans.pausedTitlesOf(publisher.id)).toEqual(publisher.titles.slice(1))
  expect(await startPlanCard(ctx, { key: randomUUID() })).toBeNull()
  for (const session of ['1234', demoCards.declined])
    await expect(finishPlanCard(ctx, { session })).rejects.toMatchObject({ kind: 'invalid' })
  await finishPlanCard(ctx, { session: '4000 0000 0000 0341' })
  await expect(plans.changeTo(publisher, 9)).rejects.toMatchObject({ kind: 'declined' })
  await advancePlanClock(ctx, { days: 31 })
  expect(await plans.planOf(publisher)).toMatchObject({ billingStatus: { kind: 'unpaid', isStopped: false } })
  await advancePlanClock(ctx, { days: 14 })
  expect(await plans.planOf(publisher)).toMatchObject({ billingStatus: { kind: 'unpaid', isStopped: true } })
  expect(await finishPlanCard(ctx, { session: demoCards.paid })).toEqual({ isPaid: true })
  expect(await plans.planOf(publisher)).toMatchObject({ billingStatus: { kind: 'active' } })
  await setPlanCancelled(ctx, { isCancelled: true })
  await advancePlanClock(ctx, { days: 31 })
  expect(await plans.planOf(publisher)).toMatchObject({ billingStatus: { kind: 'ended' }, nextAmount: null })
  const choice = { titles: 2, key: randomUUID(), code: 'free20' }
  await expect(startPlan(ctx, { ...choice, cardNumber: demoCards.declined })).rejects.toMatchObject({
    kind: 'declined',
  })
  const retried = { ...choice, key: randomUUID(), cardNumber: demoCards.paid }
  await expect(startPlan(ctx, { ...retried, code: 'NONE' })).rejects.toMatchObject({
    fields: { code: 'Promo code invalid or expired' },
  })
  expect(await startPlan(ctx, retried)).toEqual({ state: 'done' })
  expect(await plans.planOf(publisher)).toMatchObject({
    billingStatus: { kind: 'active' },
    allowed: 2,
    coupon: 'FREE20',
    nextAmount: 8640,
  })
  expect(await plans.pausedTitlesOf(publisher.id)).toEqual([])
})
