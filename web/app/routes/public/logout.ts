import { type ActionFunctionArgs, redirect } from '@remix-run/node'
import { endSession } from '#core/users/sessions.ts'
import { forgetSession, sessionToken } from '#web/app/http/session.ts'

/** Opened by hand, it changes nothing. */
export function loader() {
  return redirect('/')
}

export async function action({ request, context }: ActionFunctionArgs) {
  const token = sessionToken(request, context)
  if (token) await endSession(context.services, token)
  return redirect('/login?reason=left', { headers: { 'Set-Cookie': forgetSession(context) } })
}
