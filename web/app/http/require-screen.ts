import { type AppLoadContext, redirect } from '@remix-run/node'
import type { Actor } from '#core/access/actor.ts'
import { logInPage, type UserType } from '#core/access/user-types.ts'
import { type AppContext, contextFor } from '#core/context.ts'
import type { SessionEnd, StaffSession } from '#core/users/sessions.ts'
import { ownPath } from './own-path.ts'
import { type ScreenName, screenAccess } from './screens.ts'
import { expiredSessionCookie, originOf, staffSession } from './session.ts'

type StaffActor = Extract<Actor, { kind: 'staff' }>

/** The use case context of a logged-in user, with the data of the top bar. */
export interface StaffContext extends AppContext {
  actor: StaffActor
  session: StaffSession
}

/**
 * Requires a user with access to a screen, or throws the redirect of the screen table. Without a session it redirects to the log-in,
 * which shows the reason and returns afterwards.
 */
export async function requireScreen(
  request: Request,
  context: AppLoadContext,
  screen: ScreenName,
): Promise<StaffContext> {
  const sessionResult = await staffSession(request, context)
  if ('ended' in sessionResult) throw toLogin(request, context, sessionResult)
  const { session } = sessionResult
  if (session.actor.kind !== 'staff') throw toLogin(request, context, { ended: 'none' })
  const access = screenAccess(screen, session.actor.userType)
  if (!access.isAllowed) throw redirect(access.redirectTo)
  if (session.mustSetUpTwoStep && screen !== 'twoStep' && screen !== 'shell') throw redirect(twoStepPage)
  return { ...contextFor(context.services, session.actor, originOf(context)), actor: session.actor, session }
}

/** Where a user goes first if the installation requires two-step log-in. */
const twoStepPage = '/account/two-step'

function toLogin(
  request: Request,
  context: AppLoadContext,
  { ended, userType }: { ended: SessionEnd | 'none'; userType?: UserType },
): Response {
  const { pathname } = new URL(request.url)
  const params = new URLSearchParams()
  const returnTo = pathname === '/' ? null : returnAddress(request, context)
  if (returnTo !== null) params.set('returnTo', returnTo)
  if (ended !== 'none' && ended !== 'unknown') params.set('reason', ended)
  const headers = ended === 'none' ? undefined : { 'Set-Cookie': expiredSessionCookie(context) }
  return redirect(`${logInPage(userType)}${params.size > 0 ? `?${params}` : ''}`, { headers })
}

/**
 * The path and query of the requested page, without what the router adds to them, to return to after a log-in. A form submission cannot
 * be repeated: its address is that of the form's page.
 */
export function pageAddress(request: Request): string {
  const { pathname, searchParams } = new URL(request.url)
  searchParams.delete('_routes')
  return pathname.replace(/\.data$/, '') + (searchParams.size > 0 ? `?${searchParams}` : '')
}

/** The page to return to after a log-in: the requested one or, for data and downloads, the page that requested them, if it is known. */
export function returnAddress(request: Request, context: AppLoadContext): string | null {
  const requested = pageAddress(request)
  if (context.isPage(requested)) return requested
  const referer = request.headers.get('Referer') ?? ''
  if (!URL.canParse(referer)) return null
  const { host, pathname, search } = new URL(referer)
  return host === new URL(request.url).host ? safeReturn(context, pathname + search, null) : null
}

/** Where to go after a log-in: the requested page of this site, else `fallback`. Never another site, never data or a file. */
export function safeReturn<Fallback>(
  context: Pick<AppLoadContext, 'isPage'>,
  returnTo: string | null | undefined,
  fallback: Fallback,
): string | Fallback {
  const path = ownPath(returnTo)
  const isLogIn = path !== null && /^\/(login|slogin|logout|api)([/?#]|$)/.test(path)
  return path === null || isLogIn || !context.isPage(path) ? fallback : path
}
