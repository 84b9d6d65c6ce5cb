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
  if (!access.isAllowed) throw redirect(access.elsewhere)
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
  if (pathname !== '/' && pathname !== '/logout') params.set('returnTo', pageAddress(request))
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

/** Where to go after a log-in: the requested path of this site, else the user's landing page. Never another site. */
export function safeReturn(returnTo: string | null | undefined, fallback: string): string {
  const path = ownPath(returnTo)
  return path === null || /^\/(login|slogin|logout|api)([/?#]|$)/.test(path) ? fallback : path
}
