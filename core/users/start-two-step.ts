import { z } from 'zod'
import { seal, unseal } from '../access/sealed.ts'
import type { AppContext } from '../context.ts'
import { conflict } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { confirmPassword } from './confirm-password.ts'
import { authenticatorLink, inGroupsOfFour, newTwoStepSecret } from './two-step-codes.ts'
import { type UserRow, Users } from './users.rows.ts'

/** The secret for an authenticator app: as a link for a QR code, and as text to type. */
export interface TwoStepSetUp {
  link: string
  typed: string
}

/** Begins the set-up of two-step log-in: stores a new secret, which takes effect when `turnOnTwoStep` gets a code made with it. */
export const startTwoStep = useCase({
  permission: 'account:write',
  input: z.object({ currentPassword: z.string().max(200, 'Must be 200 characters or fewer').default('') }),
  transaction: 'none',
  async run(ctx, { currentPassword }): Promise<TwoStepSetUp> {
    const user = await confirmPassword(ctx, currentPassword)
    const secret = newTwoStepSecret()
    const twoStepSecret = seal(ctx.settings.appSecret, 'two-step', secret)
    const off = { id: user.id, twoStepSince: null }
    const changed = await Users.update(ctx, off, { twoStepSecret, twoStepLastStep: null })
    if (changed === 0) throw conflict('Two-step log-in is already on.')
    return { link: authenticatorLink(secret, user.email), typed: inGroupsOfFour(secret) }
  },
})

/** The secret that is not confirmed yet, to show it again after a wrong first code. Null if there is none. */
export async function pendingTwoStep(ctx: AppContext): Promise<TwoStepSetUp | null> {
  const user = ctx.actor.kind === 'staff' ? await Users.find(ctx, { id: ctx.actor.userId }) : null
  const secret = user && pendingSecret(ctx, user)
  return secret ? { link: authenticatorLink(secret, user.email), typed: inGroupsOfFour(secret) } : null
}

export function pendingSecret({ settings }: AppContext, user: UserRow): string | null {
  return user.twoStepSince ? null : unseal(settings.appSecret, 'two-step', user.twoStepSecret)
}
