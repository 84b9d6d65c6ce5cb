import { z } from 'zod'
import { type PublisherPlan, publisherPlans } from '../pricing/publisher-plans.rules.ts'
import { useCase } from '../use-case.ts'

/** The plans a publisher can sign up for, and the public key for the provider's payment form; null if sign-up is not possible. */
export const plansOnSale = useCase({
  permission: 'public',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<{ plans: readonly PublisherPlan[]; publishableKey: string | null }> {
    return { plans: publisherPlans, publishableKey: ctx.planBilling?.publishableKey ?? null }
  },
})
