import { randomUUID } from 'node:crypto'
import {
  type ActionFunctionArgs,
  type AppLoadContext,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { useEffect } from 'react'
import { dayOf } from '#core/kernel/calendar.ts'
import { errorKinds, isAppError } from '#core/kernel/errors.ts'
import { termLengths } from '#core/pricing/plan-code.rules.ts'
import { checkPromo } from '#core/promos/check-promo.ts'
import { firstLastDay } from '#core/terms/term.rules.ts'
import { ClosedShop } from '#web/app/components/storefront/closed-shop.tsx'
import { NotTakingNew } from '#web/app/components/storefront/not-taking-new.tsx'
import { OrderForm } from '#web/app/components/storefront/order-form.tsx'
import type { OrderResponse } from '#web/app/components/storefront/order-response.ts'
import { ShopErrorPage } from '#web/app/components/storefront/shop-error-page.tsx'
import { ShopFrame } from '#web/app/components/storefront/shop-frame.tsx'
import { ShopIntroduction } from '#web/app/components/storefront/shop-introduction.tsx'
import { useCountryChange } from '#web/app/components/storefront/use-country-change.ts'
import { buyerActor, buyerOf } from '#web/app/http/buyer-session.ts'
import { wasRefused } from '#web/app/http/form.ts'
import { handleOrderPage } from '#web/app/http/order-actions.ts'
import { staysOnOrderForm } from '#web/app/http/order-problem.ts'
import { visitorContext } from '#web/app/http/session.ts'
import { shopVisit } from '#web/app/http/shop-visit.ts'
import { cachePage, shopOf, storefrontOf } from '#web/app/http/storefront-data.ts'
import { storefrontMeta } from '#web/app/http/storefront-meta.ts'

export const meta: MetaFunction<typeof loader> = storefrontMeta

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const storefront = await storefrontOf(context, params.urlKey ?? '')
  const shop = shopOf(storefront)
  const { headers, language, dateFormat, offer } = shopVisit(request, context, storefront)
  if (storefront.isClosed) {
    const isLoggedIn = (await buyerActor(request, context, storefront.id)) !== null
    const page = { isClosed: true as const, shop, language, dateFormat, isLoggedIn }
    return data(page, { headers, status: errorKinds.gone.status })
  }
  const { appUrl, passwordMinLength, timeZone } = context.services.settings
  const today = dayOf(context.services.now(), timeZone)
  const formKey = randomUUID()
  cachePage(context, storefront.urlKey, formKey)
  const query = new URL(request.url).searchParams
  const buyer = await buyerOf(request, context, storefront.id)
  const takesOrders = storefront.takesNewSubscriptions || buyer !== null
  const page = {
    isClosed: false as const,
    shop,
    language,
    dateFormat,
    ...offer,
    ...(takesOrders ? {} : { plans: [] }),
    takesOrders,
    linked: await linkedPromo(context, storefront.urlKey, query.get('promo')),
    plan: query.get('plan') ?? undefined,
    buyer,
    formKey,
    termEnds: Object.fromEntries(termLengths.map((months) => [months, firstLastDay(today, months)])),
    minPasswordLength: passwordMinLength,
    origin: appUrl,
    isRefused: wasRefused(context),
  }
  return data(page, { headers })
}

/** The promo code of a link (`?promo=SPRING25`), applied as if it had been typed; or why it is not. The page is shown either way. */
async function linkedPromo(context: AppLoadContext, urlKey: string, code: string | null) {
  const promoCode = code?.trim()
  if (!promoCode) return { promo: null, refused: null }
  try {
    return { promo: await checkPromo(visitorContext(context), { urlKey, promoCode }), refused: null }
  } catch (error) {
    if (!isAppError(error) || !staysOnOrderForm(error)) throw error
    const refused = { code: promoCode.slice(0, 60), message: error.phrases.fields.promoCode ?? error.phrases.message }
    return { promo: null, refused }
  }
}

/** For a form sent without JavaScript; with it, the form is sent to `send-order.ts`. */
export function action(args: ActionFunctionArgs) {
  return handleOrderPage(args)
}

/** Revalidates also after a refused order: the next attempt needs a new idempotency key, and the prices may have changed. */
export function shouldRevalidate(): boolean {
  return true
}

export default function Storefront() {
  const page = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>() as OrderResponse | undefined
  const showCountry = useCountryChange()
  const isStep = actionData?.kind === 'step' && actionData.step.kind === 'post'
  const { urlKey } = page.shop
  useEffect(() => {
    if (!page.isClosed) navigator.sendBeacon?.(`/${urlKey}/view`)
  }, [urlKey, page.isClosed])
  if (page.isClosed) return <ClosedShop shop={page.shop} isLoggedIn={page.isLoggedIn} />
  const { shop, isClosed: _, origin: __, language: ___, dateFormat: ____, linked, takesOrders, ...offer } = page
  return (
    <ShopFrame
      shop={shop}
      isLoggedIn={offer.buyer !== null}
      // Without JavaScript the only thing left to show is the button to the provider's page.
      introduction={isStep ? undefined : <ShopIntroduction shop={shop} country={offer.country} />}
    >
      <div id="choose">
        {takesOrders ? (
          <OrderForm
            shop={shop}
            {...offer}
            linked={linked.promo}
            refusedLink={actionData ? null : linked.refused}
            answer={actionData}
            onCountry={showCountry}
          />
        ) : (
          <NotTakingNew shop={shop} />
        )}
      </div>
    </ShopFrame>
  )
}

export function ErrorBoundary() {
  return <ShopErrorPage />
}
