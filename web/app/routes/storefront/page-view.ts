import type { ActionFunctionArgs } from '@remix-run/node'
import { countPageView } from '#core/publications/count-page-view.ts'
import { postOnly } from '#web/app/http/post-only.ts'
import { visitorContext } from '#web/app/http/session.ts'
import { storefrontOf } from '#web/app/http/storefront-data.ts'

/** Counts a view of a storefront. The page's script reports it, so that crawlers and other clients without JavaScript are not counted. */
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
