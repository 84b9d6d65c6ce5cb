import { z } from 'zod'
import { unauthenticated } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { type OpenedSession, openSession } from './open-session.ts'
import { CodeField, withSecondStep } from './second-step.ts'
import { userOfTicket } from './second-step-ticket.ts'

/** The second step of a log-in: takes the ticket that proves the right password, and a code of the app or a recovery code. */
export const completeLogIn = useCase({
  permission: 'public',
  input: z.object({ ticket: z.string(), code: CodeField }),
  transaction: 'none',
  async run(ctx, { ticket, code }): Promise<OpenedSession> {
    const user = await userOfTicket(ctx, ticket)
    if (!user) throw unauthenticated('That took too long. Log in again.')
    return withSecondStep(ctx, user, code, () => openSession(ctx, user))
  },
})
