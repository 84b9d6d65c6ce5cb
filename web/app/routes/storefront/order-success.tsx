import { data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData, useRevalidator } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import { confirmOrder } from '#core/orders/confirm-order.ts'
import { getConfirmation } from '#core/orders/get-confirmation.query.ts'
import { ConfirmationCard } from '#web/app/components/storefront/confirmation-card.tsx'
import { deleteOrderDraft } from '#web/app/components/storefront/order-draft.ts'
import { ShopErrorPage } from '#web/app/components/storefront/shop-error-page.tsx'
import { ShopFrame } from '#web/app/components/storefront/shop-frame.tsx'
import { buyerActor } from '#web/app/http/buyer-session.ts'
import { languageFor } from '#web/app/http/language.ts'
import { orderMeta } from '#web/app/http/page-title.ts'
import { visitorContext } from '#web/app/http/session.ts'
import { shopOf, storefrontOf } from '#web/app/http/storefront-data.ts'

/** The polling interval while the bank has not responded, in seconds: it grows with each poll. */
const pollInterval = { min: 2, max: 30 }

export const meta: MetaFunction<typeof loader> = (args) => orderMeta(args)

/** The address names the order, not its result, which is fetched from the provider here. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const params = new URL(request.url).searchParams
  const which = { orderNumber: params.get('orderNumber') ?? '', key: params.get('key') ?? '' }
  const ctx = visitorContext(context)
  await confirmOrder(ctx, which)
  const order = await getConfirmation(ctx, which)
  const { headers, ...language } = languageFor(request, context, order.country)
  const cancelUrl = `/ordercancel?${new URLSearchParams(which)}`
  const storefront = await storefrontOf(context, order.urlKey)
  const isLoggedIn = (await buyerActor(request, context, storefront.id)) !== null
  return data({ order, cancelUrl, ...language, shop: shopOf(storefront), isLoggedIn }, { headers })
}

export default function OrderSuccess() {
  const { order, shop, cancelUrl, isLoggedIn } = useLoaderData<typeof loader>()
  const { revalidate, state } = useRevalidator()
  const polls = useRef(0)
  const isWaiting = order.status === 'being-confirmed' && state === 'idle'
  useEffect(() => {
    if (!isWaiting) return
    const seconds = Math.min(pollInterval.min + polls.current++, pollInterval.max)
    const timer = setTimeout(revalidate, seconds * 1000)
    return () => clearTimeout(timer)
  }, [isWaiting, revalidate])
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
