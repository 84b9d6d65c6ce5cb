import type { ActionFunctionArgs } from '@remix-run/node'
import { errorKinds, isAppError } from '#core/kernel/errors.ts'
import { payDraft } from '#core/signup/pay-draft.ts'
import { postOnly } from '#web/app/http/post-only.ts'
import { visitorContext } from '#web/app/http/session.ts'
import { draftToken } from '#web/app/http/sign-up-draft.ts'
import { signUpPath, stepPath } from '#web/app/http/sign-up-paths.ts'

export const loader = postOnly

/** What the browser gets to open the payment window with: the provider's secret, an address to go to, or what is in the way. */
export type PaymentBegun =
  | { clientSecret: string; publishableKey: string; amount: number }
  | { goTo: string }
  | { message: string }

/** Starts the payment of the sign-up that this browser is in, or takes up the one that was started. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const answer = (body: PaymentBegun, status = 200) =>
    Response.json(body, { status, headers: { 'Cache-Control': 'no-store' } })
  const token = draftToken(request, context)
  if (!token) return answer({ goTo: signUpPath })
  try {
    const begun = await payDraft(visitorContext(context), { token })
    if (begun.next === 'step') return answer({ goTo: stepPath(begun.step) })
    if (begun.next === 'done') return answer({ goTo: '/success' })
    const { next: _, ...payment } = begun
    return answer(payment)
  } catch (error) {
    if (!isAppError(error) || errorKinds[error.kind].status >= 500 === (error.kind !== 'upstream')) throw error
    // Taken since the first step, or a coupon that is over: the page says it beside the answers.
    if (error.kind === 'notFound') return answer({ goTo: signUpPath })
    if (error.fields?.email) return answer({ goTo: `${signUpPath}?taken` })
    if (error.fields?.couponId) return answer({ goTo: `${stepPath('plan')}?coupon` })
    return answer({ message: error.message }, errorKinds[error.kind].status)
  }
}
