import { hashToken } from '../access/tokens.ts'
import type { AppContext } from '../context.ts'

/** Why a session ended on the server; /login says it in words. */
export type EndReason =
  | 'logout'
  | 'password-changed'
  | 'email-changed'
  | 'role-changed'
  | 'deactivated'
  | 'two-step-changed'

/** Ends the sessions of a user, all or all but the one with the token `keep`. Gives how many there were. */
export async function endSessions(
  ctx: AppContext,
  userId: number,
  reason: EndReason,
  keep: string | undefined = undefined,
): Promise<number> {
  return ctx.db.run(
    `UPDATE sessions SET ended_at = :now, end_reason = :reason
     WHERE user_id = :userId AND ended_at IS NULL AND token_hash <> :kept`,
    { now: ctx.now(), reason, userId, kept: keep === undefined ? '' : hashToken(keep) },
  )
}
