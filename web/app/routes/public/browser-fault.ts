import type { ActionFunctionArgs } from '@remix-run/node'
import { reportBrowserError } from '#core/contact/report-browser-error.ts'
import { AppError, errorKinds, toAppError } from '#core/kernel/errors.ts'
import { postOnly } from '#web/app/http/post-only.ts'
import { visitorContext } from '#web/app/http/session.ts'

/** Logs an error in the browser, reported by an error boundary (`browser-fault.ts`). Only a test reads the response. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  try {
    if (!request.headers.get('Content-Type')?.startsWith('application/json')) throw unreadable
    const fault: unknown = await request.json().catch(() => {
      throw unreadable
    })
    await reportBrowserError(visitorContext(context), fault)
  } catch (thrown) {
    const { kind, message } = toAppError(thrown)
    if (errorKinds[kind].reported) throw thrown
    return new Response(message, { status: errorKinds[kind].status })
  }
  return new Response(null, { status: 204 })
}

const unreadable = new AppError('invalid', 'Send JSON with reference, message, stack, path and build')

export const loader = postOnly
