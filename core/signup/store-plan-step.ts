import type { AppContext } from '../context.ts'
import { invalid } from '../kernel/errors.ts'
import type { Coupon } from '../ports/plan-billing.ts'
import { maxTitles } from '../pricing/publisher-plans.rules.ts'
import { useCase } from '../use-case.ts'
import { PlanStepInput } from './signup.input.ts'
import { couponOf, planBillingOf } from './signup-billing.ts'
import { draftOf, storeAnswers } from './signup-drafts.rows.ts'
import { countSignUpAttempt } from './signup-problems.ts'
import { moreThanTen } from './signup-texts.rules.ts'
import type { DraftAnswers } from './wizard-steps.rules.ts'

/**
 * Stores the third step of the sign-up pages: how many titles, with or without the app, and the coupon. A code that was typed but not applied is
 * applied when the visitor continues.
 */
export const storePlanStep = useCase({
  permission: 'public',
  input: PlanStepInput,
  transaction: 'none',
  async run(ctx, { token, intent, kind, titles, code }): Promise<void> {
    const draft = await draftOf(ctx, token)
    const store = (more: Partial<DraftAnswers>) =>
      storeAnswers(ctx, draft, ({ isPlanChosen }) => ({
        plan: { kind, titles },
        isPlanChosen: isPlanChosen && titles <= maxTitles,
        ...more,
      }))
    // Stored before the code is checked, so that an invalid code does not lose the choices.
    await store(intent === 'remove' ? { coupon: null } : {})
    const appliesCode = (intent === 'apply' || intent === 'next') && code !== '' && code !== draft.answers.coupon?.id
    const applied = appliesCode ? { coupon: await couponFor(ctx, code) } : {}
    if (intent === 'next' && titles > maxTitles) throw invalid({ titles: moreThanTen })
    await store({ ...applied, ...(intent === 'next' ? { isPlanChosen: true } : {}) })
  },
})

async function couponFor(ctx: AppContext, typedCode: string): Promise<Coupon | null> {
  await countSignUpAttempt(ctx, 'coupon')
  return couponOf(planBillingOf(ctx), typedCode, 'code')
}
