import type { ActionFunctionArgs } from '@remix-run/node'
import { linkActions } from '#web/app/http/extend-link.ts'
import { handleOrderForm } from '#web/app/http/order-actions.ts'
import { postOnly } from '#web/app/http/post-only.ts'

/** The order form of a renewal link, sent by script. */
export async function action(args: ActionFunctionArgs): Promise<Response> {
  const { urlKey = '', key = '' } = args.params
  const result = await handleOrderForm(args, linkActions(args.request, args.context, { urlKey, key }))
  return Response.json(result, { status: result.kind === 'refused' ? result.status : 200 })
}

export const loader = postOnly
