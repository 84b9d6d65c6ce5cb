import type { AppLoadContext } from '@remix-run/node'
import { orderByLink } from '#core/orders/order-by-link.ts'
import { checkPromoByLink } from '#core/orders/renewal-link.ts'
import type { OrderActions } from './answer-order.ts'
import { readCookie, setCookie } from './cookies.ts'
import { orderInput } from './order-form.ts'

/** The pages of renewal links below a storefront, as the browser knows the address: cookies go by it letter by letter. */
function pathOf(request: Request): string {
  const [, shop = ''] = new URL(request.url).pathname.split('/')
  return `/${shop}/extend`
}

/** Each link has a cookie of its own: a household may have several open. */
const cookieOf = (key: string) => `extend-${/^\d\.(\w+)\./.exec(key)?.[1] ?? ''}`

/** What this browser kept when the postcode was given; empty where it was not. */
export function keptProof(request: Request, context: AppLoadContext, key: string): string {
  return readCookie(request, context, cookieOf(key), pathOf(request)) ?? ''
}

/** Set-Cookie header that keeps a proof, for the pages of renewal links alone. */
export function keepProof(
  request: Request,
  context: AppLoadContext,
  key: string,
  { proof, seconds }: { proof: string; seconds: number },
): string {
  return setCookie(context, cookieOf(key), proof, seconds, pathOf(request))
}

/** The order form of a link: what it offers, for its record. */
export function linkActions(
  request: Request,
  context: AppLoadContext,
  link: { urlKey: string; key: string },
): OrderActions {
  return {
    sell: (ctx, sent, visit) =>
      orderByLink(ctx, {
        ...orderInput(link.urlKey, sent),
        // It is typed once, by whoever has none on file.
        confirmEmail: sent.email ?? '',
        ...visit,
        ...link,
        proof: keptProof(request, context, link.key),
      }),
    checkPromo: (ctx, { plan = '', promoCode = '' }) => checkPromoByLink(ctx, { ...link, plan, promoCode }),
  }
}
