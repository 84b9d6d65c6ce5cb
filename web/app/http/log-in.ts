import { type AppLoadContext, redirect } from '@remix-run/node'
import { landingPage } from '#core/access/user-types.ts'
import { logIn } from '#core/users/log-in.ts'
import { safeReturn } from './enter.ts'
import { readForm, submit } from './form.ts'
import { beginSession, staffSession, visitorContext } from './session.ts'

/** What both log-in pages load: who is signed in already goes to where they belong. */
export async function loadLogIn(request: Request, context: AppLoadContext): Promise<{ reason: string | null }> {
  const params = new URL(request.url).searchParams
  const answer = await staffSession(request, context)
  if ('session' in answer && answer.session.actor.kind === 'staff') {
    throw redirect(safeReturn(params.get('returnTo'), landingPage(answer.session.actor.userType)))
  }
  return { reason: params.get('reason') }
}

/** What both log-in pages do on submit: a fresh session, then the page that was asked for or the landing page of the type. */
export async function performLogIn(request: Request, context: AppLoadContext, door: 'staff' | 'super') {
  const values = await readForm(request)
  return submit(values, async () => {
    const { sessionToken, userType, expiresAt } = await logIn(visitorContext(context), {
      email: values.email,
      password: values.password,
      door,
    })
    const to = safeReturn(new URL(request.url).searchParams.get('returnTo'), landingPage(userType))
    return redirect(to, { headers: { 'Set-Cookie': beginSession(context, sessionToken, expiresAt) } })
  })
}
