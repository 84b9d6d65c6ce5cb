import { type ActionFunctionArgs, redirect } from '@remix-run/node'
import { logInPage } from '#core/access/user-types.ts'
import { leaveSession, staffSession } from '#web/app/http/session.ts'

/** GET does not log out. */
export function loader() {
  return redirect('/')
}

export async function action({ request, context }: ActionFunctionArgs) {
  const sessionResult = await staffSession(request, context)
  let userType = 'userType' in sessionResult ? sessionResult.userType : undefined
  if ('session' in sessionResult && sessionResult.session.actor.kind === 'staff')
    userType = sessionResult.session.actor.userType
  return redirect(`${logInPage(userType)}?reason=logged-out`, {
    headers: { 'Set-Cookie': await leaveSession(request, context) },
  })
}
