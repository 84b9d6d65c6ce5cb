import type { AppLoadContext } from '@remix-run/node'
import { readCookie, setCookie } from './cookies.ts'

const cookie = 'sign-up'
const daySeconds = 24 * 3600

/** The token of the sign-up that this browser is in: all it keeps of it. */
export function draftToken(request: Request, context: AppLoadContext): string | null {
  return readCookie(request, context, cookie) ?? null
}

/** Set-Cookie headers that keep a sign-up in this browser. */
export function keepDraft(context: AppLoadContext, token: string): string {
  return setCookie(context, cookie, token, daySeconds)
}

export function dropDraft(context: AppLoadContext): string {
  return setCookie(context, cookie, '', 0)
}
