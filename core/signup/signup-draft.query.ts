import { z } from 'zod'
import {
  type PlanKind,
  type PlanQuote,
  type PriceType,
  planQuotes,
  priceTypeOf,
} from '../pricing/publisher-plans.rules.ts'
import { useCase } from '../use-case.ts'
import { emailTakenProblem } from '../users/taken-email.ts'
import { findDraft } from './signup-drafts.rows.ts'
import type { SignupState } from './signup-status.rules.ts'
import { Signups } from './signups.rows.ts'
import type { DraftAnswers } from './wizard-steps.rules.ts'
import { firstOpenStep, type WizardStep } from './wizard-steps.rules.ts'

/** What the sign-up pages show: the answers (without the password) and the price of each plan. */
export interface SignupDraftView {
  /** Null before the first step. */
  answers: DraftAnswers | null
  hasPassword: boolean
  openStep: WizardStep
  isEmailTaken: boolean
  priceType: PriceType
  quotes: Record<PlanKind, readonly PlanQuote[]>
  /** The state of the sign-up whose payment was started last. */
  signup: SignupState | null
  /** Null if sign-up is not possible; `demo`: no money is charged. */
  payment: 'stripe' | 'demo' | null
}

export const getSignupDraft = useCase({
  permission: 'public',
  input: z.object({ token: z.string().nullish() }),
  transaction: 'none',
  async run(ctx, { token }): Promise<SignupDraftView> {
    const draft = await findDraft(ctx, token)
    const answers = draft?.answers ?? null
    const signup = draft?.signupId ? await Signups.find(ctx, { id: draft.signupId }) : null
    const priceType = priceTypeOf(answers?.company?.country ?? 'GB')
    const percentOff = answers?.coupon?.percentOff ?? 0
    const isOpen = signup?.state !== 'registered'
    return {
      answers,
      hasPassword: Boolean(draft?.passwordHash),
      openStep: firstOpenStep(answers),
      isEmailTaken: isOpen && (await emailTakenProblem(ctx, answers?.person?.email)).email !== undefined,
      priceType,
      quotes: {
        standard: planQuotes('standard', priceType, percentOff),
        plus: planQuotes('plus', priceType, percentOff),
      },
      signup: signup?.state ?? null,
      payment: ctx.planBilling ? (ctx.planBilling.takesMoney ? 'stripe' : 'demo') : null,
    }
  },
})
