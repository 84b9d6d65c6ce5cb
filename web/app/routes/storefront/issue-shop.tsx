import { randomUUID } from 'node:crypto'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { issuesFor } from '#core/back-issues/issue-offer.rules.ts'
import { errorKinds } from '#core/kernel/errors.ts'
import { ClosedShop } from '#web/app/components/storefront/closed-shop.tsx'
import { IssueOrderForm } from '#web/app/components/storefront/issue-order-form.tsx'
import { NoIssues } from '#web/app/components/storefront/no-issues.tsx'
import type { OrderResponse } from '#web/app/components/storefront/order-response.ts'
import { ShopErrorPage } from '#web/app/components/storefront/shop-error-page.tsx'
import { ShopFrame } from '#web/app/components/storefront/shop-frame.tsx'
import { useCountryChange } from '#web/app/components/storefront/use-country-change.ts'
import { buyerActor, buyerOf } from '#web/app/http/buyer-session.ts'
import { wasRefused } from '#web/app/http/form.ts'
import { issueShopMeta } from '#web/app/http/issue-shop-meta.ts'
import { handleOrderPage } from '#web/app/http/order-actions.ts'
import { shopVisit } from '#web/app/http/shop-visit.ts'
import { cachePage, shopOf, storefrontOf } from '#web/app/http/storefront-data.ts'

export const meta: MetaFunction<typeof loader> = issueShopMeta

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const storefront = await storefrontOf(context, params.urlKey ?? '')
  const shop = shopOf(storefront)
  const { headers, language, dateFormat, offer } = shopVisit(request, context, storefront)
  if (storefront.isClosed) {
    const isLoggedIn = (await buyerActor(request, context, storefront.id)) !== null
    const page = { isClosed: true as const, shop, language, dateFormat, isLoggedIn }
    return data(page, { headers, status: errorKinds.gone.status })
  }
  const { appUrl, passwordMinLength } = context.services.settings
  const formKey = randomUUID()
  cachePage(context, storefront.urlKey, formKey)
  const { plans: _, ...place } = offer
  const page = {
    isClosed: false as const,
    shop,
    language,
    dateFormat,
    offer: { ...place, issues: issuesFor(storefront.backIssues, place.country) },
    buyer: await buyerOf(request, context, storefront.id),
    formKey,
    minPasswordLength: passwordMinLength,
    origin: appUrl,
    isRefused: wasRefused(context),
  }
  return data(page, { headers })
}

/** For a form posted without JavaScript; scripts use `send-order.ts`. */
export function action(args: ActionFunctionArgs) {
  return handleOrderPage(args)
}

/** Revalidates also after a refused order: the next attempt needs a new idempotency key, and issues may be sold out. */
export function shouldRevalidate(): boolean {
  return true
}

export default function IssueShop() {
  const page = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>() as OrderResponse | undefined
  const showCountry = useCountryChange()
  if (page.isClosed) return <ClosedShop shop={page.shop} isLoggedIn={page.isLoggedIn} />
  const { shop, offer, buyer, formKey, minPasswordLength } = page
  if (!shop.hasIssues) {
    return (
      <ShopFrame shop={shop} isLoggedIn={buyer !== null}>
        <NoIssues shop={shop} />
      </ShopFrame>
    )
  }
  return (
    <ShopFrame shop={shop} isLoggedIn={buyer !== null}>
      <IssueOrderForm
        shop={shop}
        {...offer}
        formKey={formKey}
        minPasswordLength={minPasswordLength}
        buyer={buyer}
        answer={actionData}
        onCountry={showCountry}
      />
    </ShopFrame>
  )
}

export function ErrorBoundary() {
  return <ShopErrorPage />
}
