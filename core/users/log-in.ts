import { z } from 'zod'
import { useCase } from '../use-case.ts'
import { CredentialsInput, checkCredentials } from './check-credentials.ts'
import { type OpenedSession, openSession } from './open-session.ts'
import { signTicket } from './second-step-ticket.ts'

/** The result of the right password: a session or, with two-step log-in, the ticket for the second step. */
export type LogInResult = ({ needsCode: false } & OpenedSession) | { needsCode: true; ticket: string }

/** Logs a staff user in. With two-step log-in there is no session yet: `completeLogIn` opens it for the ticket and a code. */
export const logIn = useCase({
  permission: 'public',
  input: CredentialsInput.extend({ loginPage: z.enum(['staff', 'super']).default('staff') }),
  transaction: 'none',
  async run(ctx, input): Promise<LogInResult> {
    const user = await checkCredentials(ctx, input, input.loginPage)
    if (user.twoStepSince) return { needsCode: true, ticket: await signTicket(ctx, user, input.loginPage) }
    return { needsCode: false, ...(await ctx.db.transaction(() => openSession(ctx, user))) }
  },
})
