import type { ActionFunctionArgs } from '@remix-run/node'
import { answerOrder } from '#web/app/http/answer-order.ts'

/** An order form that a script sends: the page stays as it is, whatever becomes of the request. */
export async function action(args: ActionFunctionArgs): Promise<Response> {
  const answer = await answerOrder(args)
  return Response.json(answer, { status: answer.kind === 'refused' ? answer.status : 200 })
}

/** The address is for sending alone. */
export function loader(): Response {
  return new Response(null, { status: 405, headers: { Allow: 'POST' } })
}
