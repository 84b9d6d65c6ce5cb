import { jwtVerify, SignJWT } from 'jose'
import type { Services } from '../context.ts'
import { isLive } from './live-user.ts'
import { type UserRow, Users } from './users.rows.ts'

/** Its own audience, so that a ticket is not accepted as a session or an API token. */
const audience = 'masthead:second-step'
const issuer = 'masthead'

/** The time a user has to enter the code. */
export const ticketSeconds = 600

const keyOf = ({ settings }: Services) => new TextEncoder().encode(settings.appSecret)

/** A ticket that proves that this user has just entered the correct password. */
export function signTicket(services: Services, user: UserRow, loginPage: 'staff' | 'super'): Promise<string> {
  const now = Math.floor(services.now().getTime() / 1000)
  return new SignJWT({ version: user.tokenVersion, loginPage })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(String(user.id))
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(now)
    .setExpirationTime(now + ticketSeconds)
    .sign(keyOf(services))
}

/** The user of a ticket; null if it is expired or forged, if the password or role has changed since, or if two-step log-in was turned off. */
export async function userOfTicket(services: Services, ticket: string): Promise<UserRow | null> {
  const claims = await jwtVerify(ticket, keyOf(services), {
    algorithms: ['HS256'],
    audience,
    issuer,
    maxTokenAge: ticketSeconds,
    currentDate: services.now(),
  }).catch(() => null)
  if (!claims) return null
  const { sub, version, loginPage } = claims.payload
  const user = await Users.find(services, { id: Number(sub) || 0 })
  if (!user || user.tokenVersion !== version || !user.twoStepSince) return null
  if ((user.userType === 'superuser') !== (loginPage === 'super')) return null
  return (await isLive(services, user)) ? user : null
}
