import { z } from 'zod'
import { EmailAddress } from '../kernel/email-address.ts'
import { conflict } from '../kernel/errors.ts'
import { countFromNetwork } from '../rate-limits/rate-limit.ts'
import { useCase } from '../use-case.ts'
import { emailTakenProblem } from './taken-email.ts'

const perNetwork = { hits: 30, windowSeconds: 15 * 60 }

/** Throws `conflict` if an email is not free for a new account. Rate-limited, since it reveals who has an account. */
export const checkEmail = useCase({
  permission: 'public',
  input: z.object({ email: EmailAddress }),
  transaction: 'none',
  async run(ctx, { email }): Promise<void> {
    await countFromNetwork(ctx, 'email-check', perNetwork)
    const fields = await emailTakenProblem(ctx, email)
    if (fields.email) throw conflict(fields.email, { fields })
  },
})
