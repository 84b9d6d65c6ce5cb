import { z } from 'zod'
import { recordAudit } from '../access/audit.ts'
import { hashToken, newToken } from '../access/tokens.ts'
import type { UserType } from '../access/user-types.ts'
import { useCase } from '../use-case.ts'
import { CredentialsInput, checkCredentials } from './check-credentials.ts'

/** How long a session lives at the most, and how long it may lie idle, in hours. */
export const sessionHours = { absolute: 24 * 7, idle: 12 }

/** Logs a staff user in: a fresh session whose token is for an HttpOnly cookie and is stored hashed only. */
export const logIn = useCase({
  permission: 'public',
  input: CredentialsInput.extend({ door: z.enum(['staff', 'super']).default('staff') }),
  transaction: 'none',
  async run(ctx, input): Promise<{ sessionToken: string; userType: UserType; expiresAt: Date }> {
    const user = await checkCredentials(ctx, input, input.door)
    const sessionToken = newToken()
    const now = ctx.now()
    const expiresAt = new Date(now.getTime() + sessionHours.absolute * 3_600_000)
    await ctx.db.transaction(async () => {
      await ctx.db.run(
        `INSERT INTO sessions (token_hash, user_id, token_version, started_at, last_seen_at, expires_at, address)
         VALUES (:tokenHash, :userId, :tokenVersion, :now, :now, :expiresAt, :address)`,
        {
          tokenHash: hashToken(sessionToken),
          userId: user.id,
          tokenVersion: user.tokenVersion,
          now,
          expiresAt,
          address: ctx.origin.address ?? null,
        },
      )
      await user.update({ lastLoginAt: now })
      await recordAudit(ctx, 'log-in', { type: 'user', id: user.id, publisherId: user.parentPublisherId ?? user.id })
    })
    return { sessionToken, userType: user.userType, expiresAt }
  },
})
