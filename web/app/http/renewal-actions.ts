import type { AppLoadContext } from '@remix-run/node'
import { retryRenewal } from '#core/charging/retry-renewal.ts'
import type { AppContext } from '#core/context.ts'
import { formatDay } from '#core/kernel/dates.ts'
import { mailCardLink } from '#core/renewals/mail-card-link.ts'
import { stopRenewal } from '#core/renewals/stop-renewal.ts'
import { redirectWithToast } from './toast.ts'

/** Handles a button of a renewal, and redirects back to its page. Refusals are left to the caller. */
export async function handleRenewalForm(
  ctx: AppContext,
  context: AppLoadContext,
  { values, returnTo }: { values: Record<string, string>; returnTo: string },
): Promise<Response> {
  const redirectBack = (text: string, kind: 'success' | 'error' = 'success') =>
    redirectWithToast(context, returnTo, { kind, text })
  if (values.intent === 'stop') {
    const { wasOn } = await stopRenewal(ctx, { agreementId: values.id })
    return redirectBack(
      wasOn ? 'Automatic renewal stopped. The reader is notified by email.' : 'Automatic renewal was already stopped',
    )
  }
  if (values.intent === 'card-link') {
    const { to } = await mailCardLink(ctx, { agreementId: values.id, key: values.key })
    return redirectBack(`The link is on its way to ${to}`)
  }
  const { state, reason, nextTryOn } = await retryRenewal(ctx, { id: values.id })
  if (state === 'paid') return redirectBack('Charged. The subscription is renewed.')
  if (state === 'charging') return redirectBack('Charged. The provider has not responded yet.')
  return redirectBack(
    `Not charged. ${reason}.${nextTryOn ? ` It will be retried on ${formatDay(nextTryOn)}.` : ''}`,
    'error',
  )
}
