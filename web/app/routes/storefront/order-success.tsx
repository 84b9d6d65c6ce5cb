import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData, useRevalidator } from '@remix-run/react'
import { useEffect } from 'react'
import { getConfirmation } from '#core/orders/get-confirmation.query.ts'
import { ConfirmationCard } from '#web/app/components/storefront/confirmation-card.tsx'
import { ShopErrorPage } from '#web/app/components/storefront/shop-error-page.tsx'
import { ShopFrame } from '#web/app/components/storefront/shop-frame.tsx'
import { visitorContext } from '#web/app/http/session.ts'
import { shopOf, storefrontOf } from '#web/app/http/storefront-data.ts'

/** Between two looks while the bank has not answered, in seconds. */
const lookAgainAfter = 3

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [
  { title: page ? `Order ${page.order.orderNumber} – ${page.shop.publicationName}` : 'Order not found' },
  { name: 'robots', content: 'noindex' },
  ...(page?.order.face === 'being-confirmed' ? [{ httpEquiv: 'refresh', content: '10' }] : []),
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const params = new URL(request.url).searchParams
  const order = await getConfirmation(visitorContext(context), {
    orderNumber: params.get('orderNumber') ?? '',
    key: params.get('key') ?? '',
  })
  return { order, shop: shopOf(await storefrontOf(context, order.urlKey)) }
}

export default function OrderSuccess() {
  const { order, shop } = useLoaderData<typeof loader>()
  const { revalidate, state } = useRevalidator()
  const isWaiting = order.face === 'being-confirmed' && state === 'idle'
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(revalidate, lookAgainAfter * 1000)
    return () => clearTimeout(timer)
  }, [isWaiting, revalidate])
  return (
    <ShopFrame shop={shop}>
      <ConfirmationCard order={order} shop={shop} />
    </ShopFrame>
  )
}

export function ErrorBoundary() {
  return <ShopErrorPage what="order" />
}
