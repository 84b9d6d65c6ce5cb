import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import { linesText } from '../kernel/form-fields.ts'
import { useCase } from '../use-case.ts'
import { endUnwantedSubscription } from './end-unwanted-subscription.ts'
import { signupId } from './signup.input.ts'
import { isUnsettled } from './signup-status.rules.ts'
import { lockedSignup, Signups, settlerOf } from './signups.rows.ts'

/** Closes a paid sign-up that was settled elsewhere, such as by bank transfer, with a note. Its subscription is stopped. */
export const closeSignup = useCase({
  permission: 'sign-up:settle',
  input: z.object({ id: signupId, note: linesText(500).min(1, 'Required') }),
  transaction: 'none',
  async run(ctx, { id, note }): Promise<void> {
    await ctx.db.transaction(async () => {
      const signup = await lockedSignup(ctx, id)
      if (!signup) throw notFound('The sign-up')
      if (signup.state === 'refunding')
        throw conflict('Its refund has been requested. Wait for the provider’s response.')
      if (!isUnsettled({ ...signup, isPaid: signup.paidAt !== null }))
        throw conflict('This sign-up was settled in the meantime: nothing was changed')
      await Signups.update(
        ctx,
        { id },
        {
          state: 'closed',
          passwordHash: null,
          settledAt: ctx.now(),
          settledBy: settlerOf(ctx),
          settledNote: note,
        },
      )
      await recordAudit(
        ctx,
        'close-sign-up',
        { type: 'signup', id },
        { amount: signup.answers.amount, currency: 'GBP', payment: signup.paymentIntent },
      )
    })
    const closed = await Signups.find(ctx, { id })
    if (closed) await endUnwantedSubscription(ctx, closed)
  },
})
