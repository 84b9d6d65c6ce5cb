import type { ActionFunctionArgs } from '@remix-run/node'
import { recordLinkUsed } from '#core/orders/renewal-link.ts'
import { postOnly } from '#web/app/http/post-only.ts'
import { visitorContext } from '#web/app/http/session.ts'

/** Reported by the script of a renewal link's page when a person uses it: a touch, click or key. */
export async function action({ params, context }: ActionFunctionArgs): Promise<Response> {
  const { urlKey = '', key = '' } = params
  await recordLinkUsed(visitorContext(context), { urlKey, key })
  return new Response(null, { status: 204 })
}

export const loader = postOnly
