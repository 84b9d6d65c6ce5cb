import { data, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import type { AppContext } from '#core/context.ts'
import { isAppError } from '#core/kernel/errors.ts'
import { cancelOrder } from '#core/orders/cancel-order.ts'
import { getConfirmation } from '#core/orders/get-confirmation.query.ts'
import { CancelledCard } from '#web/app/components/storefront/cancelled-card.tsx'
import { ShopErrorPage } from '#web/app/components/storefront/shop-error-page.tsx'
import { ShopFrame } from '#web/app/components/storefront/shop-frame.tsx'
import { buyerActor } from '#web/app/http/buyer-session.ts'
import { languageFor } from '#web/app/http/language.ts'
import { orderMeta } from '#web/app/http/page-title.ts'
import { visitorContext } from '#web/app/http/session.ts'
import { shopOf, storefrontOfOrder } from '#web/app/http/storefront-data.ts'

export const meta: MetaFunction<typeof loader> = (args) => orderMeta(args)

/**
 * Providers redirect the browser here by GET, so a GET cancels the order. It requires the order's key, never cancels a paid order (the
 * provider is polled first), and is idempotent.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const params = new URL(request.url).searchParams
  const orderKey = { orderNumber: params.get('orderNumber') ?? '', key: params.get('key') ?? '' }
  const ctx = visitorContext(context)
  const isCancelled = await tryCancel(ctx, orderKey)
  const order = await getConfirmation(ctx, orderKey)
  // It was paid in the meantime or declined, or the provider is processing its payment: the confirmation page shows which.
  if (isCancelled && order.why !== 'cancelled') throw redirect(`/ordersuccess?${new URLSearchParams(orderKey)}`)
  const { headers, ...language } = languageFor(request, context, order.country, order.language)
  const storefront = await storefrontOfOrder(context, order.urlKey)
  const isLoggedIn = (await buyerActor(request, context, storefront.id)) !== null
  return data({ order, isCancelled, ...language, shop: shopOf(storefront), isLoggedIn }, { headers })
}

/** False if the provider did not respond: then the order expires by itself. */
async function tryCancel(ctx: AppContext, orderKey: { orderNumber: string; key: string }): Promise<boolean> {
  try {
    await cancelOrder(ctx, orderKey)
    return true
  } catch (error) {
    if (!isAppError(error) || error.kind !== 'upstream') throw error
    ctx.log.warn({ error, order: orderKey.orderNumber }, 'an order could not be cancelled; it expires by itself')
    return false
  }
}

export default function OrderCancel() {
  const { order, shop, isCancelled, isLoggedIn } = useLoaderData<typeof loader>()
  return (
    <ShopFrame shop={shop} isLoggedIn={isLoggedIn}>
      <CancelledCard order={order} isCancelled={isCancelled} />
    </ShopFrame>
  )
}

export function ErrorBoundary() {
  return <ShopErrorPage what="order" />
}
