import type { ActionFunctionArgs } from '@remix-run/node'
import { answerOrder } from '#web/app/http/answer-order.ts'
import { postOnly } from '#web/app/http/post-only.ts'

/** An order form that a script sends: the page stays as it is, whatever becomes of the request. */
export async function action(args: ActionFunctionArgs): Promise<Response> {
  const answer = await answerOrder(args)
  return Response.json(answer, { status: answer.kind === 'refused' ? answer.status : 200 })
}

export const loader = postOnly
