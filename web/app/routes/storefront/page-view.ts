import type { ActionFunctionArgs } from '@remix-run/node'
import { countPageView } from '#core/publications/count-page-view.ts'
import { postOnly } from '#web/app/http/post-only.ts'
import { visitorContext } from '#web/app/http/session.ts'
import { storefrontOf } from '#web/app/http/storefront-data.ts'

/** A look at a storefront, told by the page itself once it runs: what only fetches the page is no reader. */
export async function action({ request, params, context }: ActionFunctionArgs): Promise<Response> {
  const { id, isClosed } = await storefrontOf(context, params.urlKey ?? '')
  if (request.method === 'POST' && !isClosed) {
    const ctx = visitorContext(context)
    const userAgent = (request.headers.get('User-Agent') ?? '').slice(0, 1000)
    await countPageView({ ...ctx, origin: { ...ctx.origin, userAgent } }, { publicationId: id })
  }
  return new Response(null, { status: 204 })
}

export const loader = postOnly
