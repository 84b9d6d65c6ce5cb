import { type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { finishPlanStart } from '#core/plans/start-plan.ts'
import { enter } from '#web/app/http/enter.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

/** Where the provider's page sends a publisher who has paid. What the address says is not believed: the provider is asked. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await enter(request, context, 'planStart')
  const { state } = await finishPlanStart(ctx, {})
  return state === 'done'
    ? redirectWithToast(context, '/account/plan', { kind: 'success', text: 'Welcome back: your plan is paid' })
    : redirect('/account/plan')
}
