import type { AppLoadContext } from '@remix-run/node'
import { visitor } from '#core/access/actor.ts'
import { type AppContext, contextFor } from '#core/context.ts'
import { logOut, readSession, type SessionResult } from '#core/users/sessions.ts'
import { readCookie, setCookie } from './cookies.ts'

const cookie = 'session'

/** The staff session of this request, or why there is none. Memoised per request. */
export function staffSession(request: Request, context: AppLoadContext): Promise<SessionResult | { ended: 'none' }> {
  const memoised = context.memo.get('staff-session') as Promise<SessionResult | { ended: 'none' }> | undefined
  if (memoised) return memoised
  const token = readCookie(request, context, cookie)
  const sessionResult = token ? readSession(context.services, token) : Promise.resolve({ ended: 'none' as const })
  context.memo.set('staff-session', sessionResult)
  return sessionResult
}

/** The user logged in to the back office; null for any other visitor. */
export async function staffOf(request: Request, context: AppLoadContext) {
  const sessionResult = await staffSession(request, context)
  return 'session' in sessionResult && sessionResult.session.actor.kind === 'staff' ? sessionResult.session.actor : null
}

/** The session token, for logging out. */
export function sessionToken(request: Request, context: AppLoadContext): string | undefined {
  return readCookie(request, context, cookie)
}

/** Set-Cookie header that begins a session until `expiresAt`. */
export function beginSession(context: AppLoadContext, token: string, expiresAt: Date): string {
  return setCookie(context, cookie, token, Math.floor((expiresAt.getTime() - context.services.now().getTime()) / 1000))
}

/** Set-Cookie header that deletes the session's cookie. */
export function expiredSessionCookie(context: AppLoadContext): string {
  return setCookie(context, cookie, '', 0)
}

/** Logs out whoever is logged in with this browser. Returns the Set-Cookie header that deletes the session's cookie. */
export async function leaveSession(request: Request, context: AppLoadContext): Promise<string> {
  const sessionResult = await staffSession(request, context)
  const token = sessionToken(request, context)
  if ('session' in sessionResult && token)
    await logOut(contextFor(context.services, sessionResult.session.actor, originOf(context)), token)
  // The page that is rendered in this request shows nobody as logged in.
  context.memo.delete('staff-session')
  return expiredSessionCookie(context)
}

/** The use case context of a public page: acts as a visitor, even if a user is logged in. */
export function visitorContext(context: AppLoadContext): AppContext {
  return contextFor(context.services, visitor, originOf(context))
}

export function originOf({ requestId, ip: address }: AppLoadContext): AppContext['origin'] {
  return { entryPoint: 'web', requestId, address }
}
