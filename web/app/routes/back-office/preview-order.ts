import type { ActionFunctionArgs } from '@remix-run/node'
import { idParam } from '#web/app/http/param-id.ts'
import { postOnly } from '#web/app/http/post-only.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { handleTestOrderForm } from '#web/app/http/test-order.ts'

/** A test order sent by script, without reloading the page. */
export async function action({ request, params, context }: ActionFunctionArgs): Promise<Response> {
  const ctx = await requireScreen(request, context, 'preview')
  const result = await handleTestOrderForm(ctx, request, idParam(params.publicationId, 'The publication'))
  return Response.json(result, { status: result.kind === 'refused' ? result.status : 200 })
}

export const loader = postOnly
