import { data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { ownAddressBounces } from '#core/buyers/change-buyer-email.ts'
import { listOwnOrders } from '#core/buyers/list-own-orders.query.ts'
import { ownAgreements } from '#core/renewals/own-agreements.query.ts'
import { DeliveryCard, LogInCard, OffersCard, UndeliveredNote } from '#web/app/components/buyer/account-cards.tsx'
import { BuyerPage } from '#web/app/components/buyer/buyer-page.tsx'
import { OrdersCard } from '#web/app/components/buyer/orders-card.tsx'
import { GiftsCard, SubscriptionCard } from '#web/app/components/buyer/subscription-card.tsx'
import { ShopErrorPage } from '#web/app/components/storefront/shop-error-page.tsx'
import { buyerMeta } from '#web/app/http/page-title.ts'
import { requireAccount } from '#web/app/http/require-shop.ts'
import { useT } from '#web/app/i18n/use-t.tsx'

export const meta: MetaFunction<typeof loader> = (args) => buyerMeta(args, 'Your account')

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, headers, ...page } = await requireAccount(request, context, params.urlKey)
  const [agreements, bounces, orders] = await Promise.all([
    ownAgreements(ctx, {}),
    ownAddressBounces(ctx, {}),
    listOwnOrders(ctx, { page: new URL(request.url).searchParams.get('page') ?? undefined }),
  ])
  return data({ ...page, agreements, bounces, orders }, { headers })
}

export default function Account() {
  const t = useT()
  const { shop, profile, agreements, bounces, orders } = useLoaderData<typeof loader>()
  const { urlKey } = shop
  return (
    <BuyerPage shop={shop} heading={t('Your account')} isLoggedIn isWide>
      {bounces && <UndeliveredNote urlKey={urlKey} email={profile.email} />}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="grid gap-6">
          <SubscriptionCard urlKey={urlKey} profile={profile} agreements={agreements} />
          <GiftsCard urlKey={urlKey} profile={profile} agreements={agreements} />
          <OrdersCard urlKey={urlKey} orders={orders} />
        </div>
        <div className="grid gap-6">
          {/* If there are several subscriptions, SubscriptionCard shows the address of each, so this card is left out. */}
          {profile.subscriptions.filter(({ isGift }) => !isGift).length <= 1 && (
            <DeliveryCard urlKey={urlKey} profile={profile} />
          )}
          <OffersCard urlKey={urlKey} profile={profile} />
          <LogInCard urlKey={urlKey} profile={profile} />
        </div>
      </div>
    </BuyerPage>
  )
}

export function ErrorBoundary() {
  return <ShopErrorPage />
}
