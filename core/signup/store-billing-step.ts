import { useCase } from '../use-case.ts'
import { emailTakenProblem } from '../users/taken-email.ts'
import { BillingStepInput } from './signup.input.ts'
import { draftOf, storeAnswers } from './signup-drafts.rows.ts'
import { countSignUpAttempt } from './signup-problems.ts'

/** Stores the second step of the sign-up pages: the company and its address. Returns whether the email of the first step was taken meanwhile. */
export const storeBillingStep = useCase({
  permission: 'public',
  input: BillingStepInput,
  transaction: 'none',
  async alsoCheck(ctx) {
    await countSignUpAttempt(ctx, 'step')
    return {}
  },
  async run(ctx, { token, ...company }): Promise<{ isEmailTaken: boolean }> {
    const draft = await draftOf(ctx, token)
    await storeAnswers(ctx, draft, () => ({ company }))
    return { isEmailTaken: (await emailTakenProblem(ctx, draft.answers.person?.email)).email !== undefined }
  },
})
