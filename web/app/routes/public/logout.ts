import { type ActionFunctionArgs, redirect } from '@remix-run/node'
import { logInPage } from '#core/access/user-types.ts'
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
  let userType = 'userType' in sessionResult ? sessionResult.userType : undefined
  if ('session' in sessionResult && token) {
    const { actor } = sessionResult.session
    if (actor.kind === 'staff') userType = actor.userType
    await logOut(contextFor(context.services, actor, originOf(context)), token)
  }
  return redirect(`${logInPage(userType)}?reason=logged-out`, {
    headers: { 'Set-Cookie': expiredSessionCookie(context) },
  })
}
