import type { AppLoadContext } from '@remix-run/node'
import { orderByLink } from '#core/orders/order-by-link.ts'
import { checkPromoByLink } from '#core/orders/renewal-link.ts'
import { readCookie, setCookie } from './cookies.ts'
import type { OrderActions } from './order-actions.ts'
import { orderInput } from './order-form.ts'

/** The path of renewal link pages below a storefront, spelled as in the browser's address: cookie paths are case-sensitive. */
function pathOf(request: Request): string {
  const [, shop = ''] = new URL(request.url).pathname.split('/')
  return `/${shop}/extend`
}

/** Each link has its own cookie: a household may have several open. */
const cookieOf = (key: string) => `extend-${/^\d\.(\w+)\./.exec(key)?.[1] ?? ''}`

/** The proof this browser stored when the security question was answered; empty if it was not. */
export function storedProof(request: Request, context: AppLoadContext, key: string): string {
  return readCookie(request, context, cookieOf(key), pathOf(request)) ?? ''
}

/** Set-Cookie header that stores a proof, for the pages of renewal links only. */
export function storeProof(
  request: Request,
  context: AppLoadContext,
  key: string,
  { proof, seconds }: { proof: string; seconds: number },
): string {
  return setCookie(context, cookieOf(key), proof, seconds, pathOf(request))
}

/** The actions of a renewal link's order form: they use the link's offer, for its reader. */
export function linkActions(
  request: Request,
  context: AppLoadContext,
  link: { urlKey: string; key: string },
): OrderActions {
  return {
    sell: (ctx, sent, visit) =>
      orderByLink(ctx, {
        ...orderInput(link.urlKey, sent),
        // Typed once, by buyers without an email on file.
        confirmEmail: sent.email ?? '',
        ...visit,
        ...link,
        proof: storedProof(request, context, link.key),
      }),
    checkPromo: (ctx, { plan = '', promoCode = '' }) => checkPromoByLink(ctx, { ...link, plan, promoCode }),
  }
}
