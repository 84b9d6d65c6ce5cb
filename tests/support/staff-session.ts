import { visitor } from '#core/access/actor.ts'
import { contextFor, type Services } from '#core/context.ts'
import { logIn } from '#core/users/log-in.ts'
import { Users } from '#core/users/users.rows.ts'

/** The token of a new session of a user who has the password of all test users. */
export async function staffSession(services: Services, email: string): Promise<string> {
  const user = await Users.find(services, { emailKey: email.toLowerCase() })
  const session = await logIn(contextFor(services, visitor, { entryPoint: 'test' }), {
    email,
    password: 'masthead',
    loginPage: user?.userType === 'superuser' ? 'super' : 'staff',
  })
  if (session.needsCode) throw new Error(`${email} has two-step log-in: log in through the form`)
  return session.sessionToken
}

/** The same, as the cookie of a request. */
export async function staffCookie(services: Services, email: string): Promise<string> {
  return `masthead-session=${await staffSession(services, email)}`
}
