import { data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { useEffect } from 'react'
import { confirmOrder } from '#core/orders/confirm-order.ts'
import { getConfirmation } from '#core/orders/get-confirmation.query.ts'
import { ConfirmationCard } from '#web/app/components/storefront/confirmation-card.tsx'
import { deleteOrderDraft } from '#web/app/components/storefront/order-draft.ts'
import { ShopErrorPage } from '#web/app/components/storefront/shop-error-page.tsx'
import { ShopFrame } from '#web/app/components/storefront/shop-frame.tsx'
import { usePolling } from '#web/app/components/ui/use-polling.ts'
import { buyerActor } from '#web/app/http/buyer-session.ts'
import { languageFor } from '#web/app/http/language.ts'
import { orderMeta } from '#web/app/http/page-title.ts'
import { visitorContext } from '#web/app/http/session.ts'
import { shopOf, storefrontOfOrder } from '#web/app/http/storefront-data.ts'

/** The polling interval while the bank has not responded: it grows with each poll, from 2 to 30 seconds. */
const interval = (polls: number) => Math.min(2 + polls, 30) * 1000

export const meta: MetaFunction<typeof loader> = (args) => orderMeta(args)

/** The address names the order, not its result, which is fetched from the provider here. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const params = new URL(request.url).searchParams
  const orderKey = { orderNumber: params.get('orderNumber') ?? '', key: params.get('key') ?? '' }
  const ctx = visitorContext(context)
  const { isProcessing } = await confirmOrder(ctx, orderKey)
  const order = await getConfirmation(ctx, orderKey)
  const { headers, ...language } = languageFor(request, context, order.country, order.language)
  const cancelUrl = isProcessing ? null : `/ordercancel?${new URLSearchParams(orderKey)}`
  const storefront = await storefrontOfOrder(context, order.urlKey)
  const isLoggedIn = (await buyerActor(request, context, storefront.id)) !== null
  return data({ order, cancelUrl, ...language, shop: shopOf(storefront), isLoggedIn }, { headers })
}

export default function OrderSuccess() {
  const { order, shop, cancelUrl, isLoggedIn } = useLoaderData<typeof loader>()
  usePolling(order.status === 'being-confirmed', interval)
  useEffect(() => {
    // The draft is no longer needed, and no personal data may remain in the browser.
    if (order.status === 'confirmed') deleteOrderDraft(shop.urlKey)
  }, [order.status, shop.urlKey])
  return (
    <ShopFrame shop={shop} isLoggedIn={isLoggedIn}>
      {order.status === 'being-confirmed' && (
        <noscript>
          <meta httpEquiv="refresh" content="10" />
        </noscript>
      )}
      <ConfirmationCard order={order} shop={shop} cancelUrl={cancelUrl} />
    </ShopFrame>
  )
}

export function ErrorBoundary() {
  return <ShopErrorPage what="order" />
}
