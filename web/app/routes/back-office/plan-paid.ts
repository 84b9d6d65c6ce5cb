import { type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { getPlan } from '#core/plans/get-plan.query.ts'
import { finishPlanStart } from '#core/plans/start-plan.ts'
import { paidText } from '#web/app/components/account/plan-texts.ts'
import type { ReturnHandle } from '#web/app/http/load-context.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

/** Opened again after a log-in, so that the payment is not left unfinished. */
export const handle: ReturnHandle = { endsInPage: true }

/** The return address of the payment provider after a plan was paid. Its parameters are not trusted: the provider is polled. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'planStart')
  const { billingStatus } = await getPlan(ctx, {})
  const { state } = await finishPlanStart(ctx, {})
  return state === 'done'
    ? redirectWithToast(context, '/account/plan', { kind: 'success', text: paidText(billingStatus) })
    : redirect('/account/plan')
}
