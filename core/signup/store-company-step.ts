import { hashPassword } from '../access/passwords.ts'
import { hashToken, newToken } from '../access/tokens.ts'
import { useCase } from '../use-case.ts'
import { emailTakenProblem } from '../users/taken-email.ts'
import { CompanyStepInput } from './signup.input.ts'
import { draftExpiry, findDraft, SignupDrafts, storeAnswers } from './signup-drafts.rows.ts'
import { countSignUpAttempt, twoPasswordProblems } from './signup-problems.ts'

/**
 * Stores the first step of the sign-up pages: who signs up. If there is no draft, it creates one and returns its token for the browser. Only the hash
 * of the password is stored; if both password fields are empty, the earlier password is kept.
 */
export const storeCompanyStep = useCase({
  permission: 'public',
  input: CompanyStepInput,
  transaction: 'none',
  async alsoCheck(ctx, raw) {
    await countSignUpAttempt(ctx, 'step')
    const draft = await findDraft(ctx, typeof raw.token === 'string' ? raw.token : null)
    const keepsPassword = Boolean(draft?.passwordHash) && !raw.password && !raw.password2
    return {
      ...(await emailTakenProblem(ctx, raw.email)),
      ...(keepsPassword
        ? {}
        : await twoPasswordProblems(ctx, { password: raw.password ?? '', password2: raw.password2 ?? '' })),
    }
  },
  async run(ctx, { token, kind, password, firstName, lastName, email }): Promise<{ token: string }> {
    const person = { firstName, lastName, email }
    const draft = await findDraft(ctx, token)
    const hash = password === '' ? {} : { passwordHash: await hashPassword(password) }
    if (draft && token) {
      await storeAnswers(
        ctx,
        draft,
        ({ plan }) => ({ person, plan: { titles: plan.titles, kind: kind ?? plan.kind } }),
        hash,
      )
      return { token }
    }
    const newDraftToken = newToken()
    const plan = { kind: kind ?? 'standard', titles: 1 } as const
    await SignupDrafts.insert(ctx, {
      ...hash,
      tokenHash: hashToken(newDraftToken),
      answers: { person, company: null, plan, isPlanChosen: false, coupon: null },
      expiresAt: draftExpiry(ctx),
    })
    return { token: newDraftToken }
  },
})
