import { type AppLoadContext, redirect } from '@remix-run/node'
import { landingPage } from '#core/access/user-types.ts'
import { isAppError } from '#core/kernel/errors.ts'
import { completeLogIn } from '#core/users/complete-log-in.ts'
import { logIn } from '#core/users/log-in.ts'
import type { OpenedSession } from '#core/users/open-session.ts'
import { ticketSeconds, userOfTicket } from '#core/users/second-step-ticket.ts'
import { readCookie, setCookie } from './cookies.ts'
import { readForm, submit, wasRefused } from './form.ts'
import { safeReturn } from './require-screen.ts'
import { beginSession, staffSession, visitorContext } from './session.ts'

/** Superusers have their own log-in page. */
type LoginPage = 'staff' | 'super'

/** Loader of both log-in pages: a logged-in user goes to the landing page. */
export async function loadLogIn(
  request: Request,
  context: AppLoadContext,
): Promise<{ reason: string | null; isRefused: boolean }> {
  const params = new URL(request.url).searchParams
  const sessionResult = await staffSession(request, context)
  if ('session' in sessionResult && sessionResult.session.actor.kind === 'staff') {
    throw redirect(safeReturn(context, params.get('returnTo'), landingPage(sessionResult.session.actor.userType)))
  }
  return { reason: params.get('reason'), isRefused: wasRefused(context) }
}

/** Action of both log-in pages: starts a session, or with two-step log-in redirects to the page that asks for the code. */
export async function handleLogInForm(request: Request, context: AppLoadContext, loginPage: LoginPage) {
  const values = await readForm(request)
  return submit(context, values, async () => {
    const { email, password, captcha } = values
    const logInResult = await logIn(visitorContext(context), { email, password, captcha, loginPage })
    if (!logInResult.needsCode)
      return redirect(pageAfter(request, context, logInResult), { headers: sessionCookies(context, logInResult) })
    const headers = { 'Set-Cookie': setCookie(context, ticketCookie, logInResult.ticket, ticketSeconds) }
    return redirect(`/login/code${returnParams(request, { loginPage })}`, { headers })
  })
}

/** Loader of the second step. Without a ticket it redirects back to the log-in page. */
export async function loadLogInCode(
  request: Request,
  context: AppLoadContext,
): Promise<{ startAgain: string; isRefused: boolean }> {
  await loadLogIn(request, context)
  const ticket = readCookie(request, context, ticketCookie)
  if (!ticket || !(await userOfTicket(context.services, ticket))) throw startAgain(request, context)
  return { startAgain: `${loginPageOf(request)}${returnParams(request, {})}`, isRefused: wasRefused(context) }
}

/** Action of the second step: starts the session and goes to the requested page. */
export async function handleLogInCodeForm(request: Request, context: AppLoadContext) {
  const values = await readForm(request)
  const ticket = readCookie(request, context, ticketCookie) ?? ''
  return submit(context, values, async () => {
    try {
      const logInResult = await completeLogIn(visitorContext(context), { ticket, code: values.code })
      return redirect(pageAfter(request, context, logInResult), { headers: sessionCookies(context, logInResult) })
    } catch (error) {
      if (isAppError(error) && error.kind === 'unauthenticated') return startAgain(request, context)
      throw error
    }
  })
}

const ticketCookie = 'second-step'

function sessionCookies(context: AppLoadContext, { sessionToken, expiresAt }: OpenedSession): [string, string][] {
  return [
    ['Set-Cookie', beginSession(context, sessionToken, expiresAt)],
    ['Set-Cookie', setCookie(context, ticketCookie, '', 0)],
  ]
}

function pageAfter(request: Request, context: AppLoadContext, { userType }: OpenedSession): string {
  return safeReturn(context, new URL(request.url).searchParams.get('returnTo'), landingPage(userType))
}

function startAgain(request: Request, context: AppLoadContext): Response {
  return redirect(`${loginPageOf(request)}${returnParams(request, { reason: 'too-late' })}`, {
    headers: { 'Set-Cookie': setCookie(context, ticketCookie, '', 0) },
  })
}

function loginPageOf(request: Request): string {
  return new URL(request.url).searchParams.get('loginPage') === 'super' ? '/slogin' : '/login'
}

/** The requested page is passed along in the address; `more` is added to it. */
function returnParams(request: Request, more: Record<string, string>): string {
  const params = new URLSearchParams(more)
  const returnTo = new URL(request.url).searchParams.get('returnTo')
  if (returnTo) params.set('returnTo', returnTo)
  return params.size > 0 ? `?${params}` : ''
}
