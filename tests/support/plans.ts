import { randomUUID } from 'node:crypto'
import type { Actor } from '#core/access/actor.ts'
import type { AppContext } from '#core/context.ts'
import { demoCards } from '#core/payment-methods/demo-cards.rules.ts'
import { changePlan, previewPlanChange } from '#core/plans/change-plan.ts'
import { getPlan } from '#core/plans/get-plan.query.ts'
import { refreshPlan } from '#core/plans/refresh-plan.ts'
import { refreshPlans } from '#core/plans/refresh-plans.ts'
import { startPlan } from '#core/plans/start-plan.ts'
import { planByKey } from '#core/pricing/publisher-plans.rules.ts'
import { type AccountRow, Accounts } from '#core/users/accounts.rows.ts'
import { actorOf, makePublication, makeUser, system } from './factories.ts'
import { newEmail, openSignUps, registrationOf, type SignUps } from './sign-ups.ts'
import { openTestServices, type TestServices } from './test-services.ts'

/** A publisher with a plan, and titles on sale. */
export interface PlanPublisher {
  id: number
  actor: Actor
  ctx: AppContext
  titles: number[]
  subscription: string
}

/** Publishers with plans at the fake Stripe, whose clock follows the installation's. */
export interface Plans extends SignUps {
  publisher(planKey?: string, titles?: number, fields?: object): Promise<PlanPublisher>
  account(id: number): Promise<AccountRow>
  pausedTitlesOf(id: number): Promise<number[]>
  changeTo(planner: PlanPublisher, titles: number, fields?: object): ReturnType<typeof changePlan>
  sweep(): ReturnType<typeof refreshPlans>
}

export async function openPlans(): Promise<Plans> {
  const signUps = await openSignUps()
  const { stripe, services } = signUps
  stripe.useClock(() => services.clock.now)
  return { ...signUps, ...planSteps(services, (...args) => signedUp(signUps, ...args)) }
}

/** Publishers with plans at the demo billing: a plan is started with a card number. */
export async function openDemoPlans() {
  const services = await openTestServices()
  return {
    services,
    ...planSteps(services, async (planKey) => {
      const { id } = await makeUser(services)
      const ctx = services.as(await actorOf(services, 'publisher', id))
      const { titles = 1, kind } = planByKey(planKey) ?? {}
      await startPlan(ctx, { titles, hasApp: kind === 'plus', key: randomUUID(), cardNumber: demoCards.paid })
      return id
    }),
  }
}

async function signedUp({ startAndPay, complete }: SignUps, planKey: string, fields: object): Promise<number> {
  const email = newEmail()
  const { country = 'GB', ...start } = fields as { country?: string }
  const { paymentIntentId } = await startAndPay(email, {
    planKey,
    priceType: country === 'GB' ? 'VAT' : 'TAXFREE',
    ...start,
  })
  return (await complete(paymentIntentId, { registration: registrationOf(email, { country }) })).id
}

function planSteps(services: TestServices, signUp: (planKey: string, fields: object) => Promise<number>) {
  const account = async (id: number) => {
    const row = await Accounts.find(services, { userId: id })
    if (!row) throw new Error('The account is gone')
    return row
  }
  return {
    account,
    async publisher(planKey = 'standard-3', count = 0, fields: object = {}): Promise<PlanPublisher> {
      const id = await signUp(planKey, fields)
      const titles: number[] = []
      for (let n = 0; n < count; n++) titles.push((await makePublication(services, { publisherId: id })).id)
      await refreshPlan(services.as(system), { publisherId: id })
      const actor = await actorOf(services, 'publisher', id)
      const { planSubscriptionReference: subscription } = await account(id)
      return { id, actor, ctx: services.as(actor), titles, subscription: subscription ?? '' }
    },
    async pausedTitlesOf(id: number): Promise<number[]> {
      const rows = await services.db.query<{ id: number }>(
        `SELECT id FROM publications WHERE publisher_id = :id AND paused_at IS NOT NULL ORDER BY id`,
        { id },
      )
      return rows.map((row) => row.id)
    },
    async changeTo({ ctx }: PlanPublisher, titles: number, fields: object = {}) {
      const input = { titles, hasApp: false, ...fields }
      const { from, at, amount } = await previewPlanChange(ctx, input)
      return changePlan(ctx, { from, at, amount, key: randomUUID(), paused: [], ...input })
    },
    sweep: () => refreshPlans(services.as(system), {}),
    planOf: ({ ctx }: PlanPublisher) => getPlan(ctx, {}),
  }
}
