import { type AppLoadContext, redirect } from '@remix-run/node'
import { readCookie, setCookie } from './cookies.ts'
import { ownPath } from './own-path.ts'

export interface ToastMessage {
  /** Identifies a toast; the same id is shown once. */
  id: string
  kind: 'success' | 'error'
  text: string
  detail?: string
  /** The action of a toast: a link, or with `fields` a form that is posted there (Undo). A path of this site. */
  action?: ToastAction
}

export interface ToastAction {
  label: string
  to: string
  fields?: Record<string, string>
}

const cookie = 'toast'

/** Redirects with a toast for the next page, in a cookie, which survives the redirect. */
export function redirectWithToast(context: AppLoadContext, to: string, toast: Omit<ToastMessage, 'id'>): Response {
  const message: ToastMessage = {
    ...toast,
    text: toast.text.slice(0, 300),
    detail: toast.detail?.slice(0, 500),
    id: context.requestId,
  }
  return redirect(to, { headers: { 'Set-Cookie': setCookie(context, cookie, JSON.stringify(message), 60) } })
}

/** The toast for this page, and the header that deletes its cookie. */
export function takeToast(
  request: Request,
  context: AppLoadContext,
): { toast: ToastMessage | null; headers: HeadersInit } {
  const text = readCookie(request, context, cookie)
  if (!text) return { toast: null, headers: {} }
  const headers = { 'Set-Cookie': setCookie(context, cookie, '', 0) }
  try {
    const { id, kind, text: message, detail, action } = JSON.parse(text) as Partial<ToastMessage>
    if (typeof id !== 'string' || typeof message !== 'string') return { toast: null, headers }
    return {
      toast: {
        id,
        kind: kind === 'error' ? 'error' : 'success',
        text: message,
        detail: typeof detail === 'string' ? detail : undefined,
        ...(isOwnAction(action) ? { action } : {}),
      },
      headers,
    }
  } catch {
    return { toast: null, headers }
  }
}

/** Cookies can be set by others: a path to another site is refused. */
function isOwnAction(action: unknown): action is ToastAction {
  const { label, to, fields = {} } = (action ?? {}) as Partial<ToastAction>
  return (
    typeof label === 'string' &&
    typeof to === 'string' &&
    ownPath(to) === to &&
    Object.values(fields).every((value) => typeof value === 'string')
  )
}
