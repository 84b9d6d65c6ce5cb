import type { AppLoadContext } from '@remix-run/node'
import { getSignupDraft } from '#core/signup/signup-draft.query.ts'
import { readCookie, setCookie } from './cookies.ts'
import { visitorContext } from './session.ts'

const cookie = 'sign-up'
const daySeconds = 24 * 3600

/** The token of this browser's sign-up: the only part stored in the browser. */
export function draftToken(request: Request, context: AppLoadContext): string | null {
  return readCookie(request, context, cookie) ?? null
}

/** Set-Cookie header that stores the token of a sign-up in this browser. */
export function draftCookie(context: AppLoadContext, token: string): string {
  return setCookie(context, cookie, token, daySeconds)
}

export function dropDraft(context: AppLoadContext): string {
  return setCookie(context, cookie, '', 0)
}

/** The email that was just used to sign up in this browser, to prefill the log-in. */
export async function signedUpEmail(request: Request, context: AppLoadContext): Promise<string | null> {
  const token = draftToken(request, context)
  if (!token) return null
  const { signup, answers } = await getSignupDraft(visitorContext(context), { token })
  return signup === 'registered' ? (answers?.person?.email ?? null) : null
}
