import { type ActionFunctionArgs, redirect } from '@remix-run/node'
import { contextFor } from '#core/context.ts'
import { logOut } from '#core/users/sessions.ts'
import { expiredSessionCookie, originOf, sessionToken, staffSession } from '#web/app/http/session.ts'

/** GET does not log out. */
export function loader() {
  return redirect('/')
}

export async function action({ request, context }: ActionFunctionArgs) {
  const sessionResult = await staffSession(request, context)
  const token = sessionToken(request, context)
  if ('session' in sessionResult && token) {
    await logOut(contextFor(context.services, sessionResult.session.actor, originOf(context)), token)
  }
  return redirect('/login?reason=logged-out', { headers: { 'Set-Cookie': expiredSessionCookie(context) } })
}
