import type { ActionFunctionArgs } from '@remix-run/node'
import { handleOrderForm } from '#web/app/http/order-actions.ts'
import { postOnly } from '#web/app/http/post-only.ts'

/** An order form sent by script, without reloading the page. */
export async function action(args: ActionFunctionArgs): Promise<Response> {
  const result = await handleOrderForm(args)
  return Response.json(result, { status: result.kind === 'refused' ? result.status : 200 })
}

export const loader = postOnly
