import type { UserType } from '../access/user-types.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { resetGuesses } from '../rate-limits/guess-limit.ts'
import { countFromNetwork } from '../rate-limits/rate-limit.ts'
import { notifyUser } from '../sessions/notify.ts'
import type { LinkPurpose } from '../sessions/password-resets.rows.ts'
import { LinkPassword, linkPasswordProblems, setPasswordByLink } from '../sessions/replace-password.ts'
import { useCase } from '../use-case.ts'
import { loginGuesses } from './check-credentials.ts'
import { openPasswordLink } from './password-link.ts'
import { storePassword } from './store-password.ts'
import { userSubject } from './user-subject.ts'

const perNetwork = { hits: 20, windowSeconds: 15 * 60 }

/**
 * Sets a new password by the token of an emailed link, which is valid once. Every session, API token and other open link of the user becomes invalid,
 * and the user is notified by email. Two-step log-in does not change.
 */
export const resetPassword = useCase({
  permission: 'public',
  input: LinkPassword,
  transaction: 'none',
  alsoCheck: linkPasswordProblems,
  async run(ctx, { token, password }): Promise<{ userType: UserType; purpose: LinkPurpose }> {
    await countFromNetwork(ctx, 'set-password', perNetwork)
    const opened = await openPasswordLink(ctx, token)
    const { user, purpose } = await setPasswordByLink(
      ctx,
      opened,
      password,
      async ({ purpose, user }, passwordHash) => {
        const { endedSessions } = await storePassword(ctx, user, passwordHash)
        await recordAudit(ctx, 'reset-password', userSubject(user), { purpose, endedSessions })
        await notifyUser(ctx, user.id, 'password-changed')
      },
    )
    await resetGuesses(ctx, loginGuesses, user.emailKey)
    return { userType: user.userType, purpose }
  },
})
