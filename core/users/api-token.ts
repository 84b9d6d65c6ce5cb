import { jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import type { Actor } from '../access/actor.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Services } from '../context.ts'
import { denied, invalid, unauthenticated } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { CredentialsInput, checkCredentials } from './check-credentials.ts'
import { isLive } from './live-user.ts'
import { CodeField, withSecondStep } from './second-step.ts'
import { needsTwoStep } from './sessions.ts'
import { staffActor } from './staff-actor.ts'
import { userSubject } from './user-subject.ts'
import { Users } from './users.rows.ts'

/** A staff token is valid only for the staff API: a buyer's token has another audience and is refused here. */
const audience = 'masthead:staff'
const issuer = 'masthead'
const lifetime = '8h'

const keyOf = (secret: string) => new TextEncoder().encode(secret)

/** Issues a JWT for the API's Authorization header. Changing the password or the role, turning two-step log-in on or off, or deactivating the user revokes it. */
export const issueApiToken = useCase({
  permission: 'public',
  input: CredentialsInput.extend({
    loginPage: z.enum(['staff', 'super']).default('staff'),
    code: CodeField.optional(),
  }),
  transaction: 'none',
  async run(ctx, input): Promise<{ token: string }> {
    const user = await checkCredentials(ctx, input, input.loginPage)
    if (user.twoStepSince && !input.code) {
      throw invalid({
        code: 'This account has two-step log-in. Send the six digits from your app, or a recovery code, as code.',
      })
    }
    if (!user.twoStepSince && needsTwoStep(ctx, user.userType)) {
      throw denied(`Set up two-step log-in in the browser first: ${ctx.settings.appUrl}/account/two-step`)
    }
    const now = Math.floor(ctx.now().getTime() / 1000)
    const token = await new SignJWT({ userType: user.userType, version: user.tokenVersion })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(String(user.id))
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(now)
      .setExpirationTime(now + 8 * 3600)
      .sign(keyOf(ctx.settings.appSecret))
    const completeLogIn = async () => {
      await Users.update(ctx, { id: user.id }, { lastLoginAt: ctx.now() })
      await recordAudit(ctx, 'log-in', userSubject(user), { as: 'token' })
      return { token }
    }
    if (user.twoStepSince && input.code) return withSecondStep(ctx, user, input.code, completeLogIn)
    return ctx.db.transaction(completeLogIn)
  },
})

/**
 * The actor of an API call, by its `Authorization` header with or without `Bearer`. Throws `unauthenticated` unless it is a valid token of an active user.
 */
export async function actorOfToken(services: Services, header: string): Promise<Actor> {
  const refused = unauthenticated('The token is not valid or has expired. Log in again with POST /api/users/login.')
  const claims = await jwtVerify(header.replace(/^Bearer\s+/i, ''), keyOf(services.settings.appSecret), {
    algorithms: ['HS256'],
    audience,
    issuer,
    maxTokenAge: lifetime,
    currentDate: services.now(),
  }).catch(() => {
    throw refused
  })
  const user = await Users.find(services, { id: Number(claims.payload.sub) || 0 })
  if (!user || user.tokenVersion !== claims.payload.version || user.userType !== claims.payload.userType) throw refused
  if (!(await isLive(services, user))) throw refused
  return staffActor(user)
}
