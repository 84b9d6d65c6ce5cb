import type { ActionFunctionArgs } from '@remix-run/node'
import { errorKinds, isAppError } from '#core/kernel/errors.ts'
import { payDraft } from '#core/signup/pay-draft.ts'
import { logShownError } from '#web/app/http/form.ts'
import { postOnly } from '#web/app/http/post-only.ts'
import { visitorContext } from '#web/app/http/session.ts'
import { draftToken } from '#web/app/http/sign-up-draft.ts'
import { signUpPath, stepPath } from '#web/app/http/sign-up-paths.ts'

export const loader = postOnly

/** The data that the browser needs to open the payment dialog: the provider's client secret, an address to redirect to, or an error. */
export type StartedPayment =
  | { clientSecret: string; publishableKey: string; amount: number }
  | { goTo: string }
  | { message: string }

/** Begins the payment of this browser's sign-up, or resumes one that has begun. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const respond = (body: StartedPayment, status = 200) =>
    Response.json(body, { status, headers: { 'Cache-Control': 'no-store' } })
  const token = draftToken(request, context)
  if (!token) return respond({ goTo: signUpPath })
  try {
    const started = await payDraft(visitorContext(context), { token })
    if (started.next === 'step') return respond({ goTo: stepPath(started.step) })
    if (started.next === 'done') return respond({ goTo: '/success' })
    const { next: _, ...payment } = started
    return respond(payment)
  } catch (error) {
    if (!isAppError(error) || errorKinds[error.kind].status >= 500 === (error.kind !== 'upstream')) throw error
    // The email has since been taken or the coupon has expired: the page reports it next to the answers.
    if (error.kind === 'notFound') return respond({ goTo: signUpPath })
    if (error.fields?.email) return respond({ goTo: `${signUpPath}?taken` })
    if (error.fields?.couponId) return respond({ goTo: `${stepPath('plan')}?coupon` })
    logShownError(context, error)
    return respond({ message: error.message }, errorKinds[error.kind].status)
  }
}
