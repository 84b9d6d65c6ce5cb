import { z } from 'zod'
import { denied } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { needsTwoStep } from './sessions.ts'
import { Users } from './users.rows.ts'

/** The state of the logged-in user's two-step log-in, without its secret and codes. */
export const getTwoStep = useCase({
  permission: 'account:read',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<{ since: Date | null; codesLeft: number; isRequired: boolean }> {
    const user = ctx.actor.kind === 'staff' ? await Users.find(ctx, { id: ctx.actor.userId }) : null
    if (!user) throw denied()
    return {
      since: user.twoStepSince,
      codesLeft: user.twoStepRecoveryCodes?.length ?? 0,
      isRequired: needsTwoStep(ctx, user.userType),
    }
  },
})
