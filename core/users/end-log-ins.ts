import type { AppContext } from '../context.ts'
import { endSessions, keepSession } from '../sessions/sessions.rows.ts'
import { resetCodeAttempts } from './second-step.ts'
import { incrementTokenVersion, type UserRow } from './users.rows.ts'

/**
 * Ends what a user opened before two-step log-in was turned on or off: the sessions, except the one with the token `keep`, the API tokens and the
 * log-ins that wait for a code. Wrong codes no longer count. Call it in the transaction of the change; returns how many sessions ended.
 */
export async function endLogIns(
  ctx: AppContext,
  { id, tokenVersion }: Pick<UserRow, 'id' | 'tokenVersion'>,
  keep?: string,
): Promise<number> {
  await incrementTokenVersion(ctx, id)
  if (keep !== undefined) await keepSession(ctx, { userId: id }, keep, tokenVersion)
  await resetCodeAttempts(ctx, id)
  return endSessions(ctx, { userId: id }, 'two-step-changed', keep)
}
