import { randomUUID } from 'node:crypto'
import {
  type ActionFunctionArgs,
  type AppLoadContext,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/node'
import { useActionData, useLoaderData, useNavigate } from '@remix-run/react'
import { useEffect } from 'react'
import { errorKinds, isAppError } from '#core/kernel/errors.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { type AppliedPromo, checkPromo } from '#core/promos/check-promo.ts'
import { ClosedShop } from '#web/app/components/storefront/closed-shop.tsx'
import { OrderForm } from '#web/app/components/storefront/order-form.tsx'
import { ShopErrorPage } from '#web/app/components/storefront/shop-error-page.tsx'
import { ShopFrame } from '#web/app/components/storefront/shop-frame.tsx'
import { readForm } from '#web/app/http/form.ts'
import { keptValues, orderInput } from '#web/app/http/order-form.ts'
import { orderProblem, staysOnOrderForm } from '#web/app/http/order-problem.ts'
import { visitorContext } from '#web/app/http/session.ts'
import { forgetStorefront, keepPage, offerOf, shopOf, storefrontOf } from '#web/app/http/storefront-data.ts'
import { storefrontMeta } from '#web/app/http/storefront-meta.ts'

export const meta: MetaFunction<typeof loader> = storefrontMeta

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const storefront = await storefrontOf(context, params.urlKey ?? '')
  const shop = shopOf(storefront)
  if (storefront.isClosed) return data({ isClosed: true as const, shop }, { status: errorKinds.gone.status })
  const { appUrl, passwordMinLength } = context.services.settings
  const asked = new URL(request.url).searchParams
  const formKey = randomUUID()
  keepPage(context, storefront.urlKey, formKey)
  return {
    isClosed: false as const,
    shop,
    ...offerOf(storefront, asked.get('country')),
    linked: await linkedPromo(context, storefront.urlKey, asked.get('promo')),
    formKey,
    leastPassword: passwordMinLength,
    origin: appUrl,
  }
}

/** The promo code of a link (`?promo=SPRING25`), applied as if it had been typed; or why it is not. The page comes either way. */
async function linkedPromo(context: AppLoadContext, urlKey: string, code: string | null) {
  const promoCode = code?.trim()
  if (!promoCode) return { promo: null, refused: null }
  try {
    return { promo: await checkPromo(visitorContext(context), { urlKey, promoCode }), refused: null }
  } catch (error) {
    if (!isAppError(error) || !staysOnOrderForm(error)) throw error
    const refused = { code: promoCode.slice(0, 60), message: error.fields?.promoCode ?? error.message }
    return { promo: null, refused }
  }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const ctx = visitorContext(context)
  const urlKey = params.urlKey ?? ''
  const sent = await readForm(request)
  const values = keptValues(sent)
  const promoOf = () => checkPromo(ctx, { urlKey, plan: sent.plan ?? '', promoCode: sent.promoCode ?? '' })
  try {
    if (sent.intent === 'promo') return { promo: await promoOf(), values, problem: undefined }
    const { orderNumber, key } = await placeOrder(ctx, orderInput(urlKey, sent))
    return redirect(`/ordersuccess?${new URLSearchParams({ orderNumber, key })}`)
  } catch (error) {
    // Closed since the page was opened: the page itself says so.
    if (isAppError(error) && error.kind === 'gone') {
      forgetStorefront(context, urlKey)
      return redirect(`/${urlKey}`)
    }
    if (!isAppError(error) || !staysOnOrderForm(error)) throw error
    if (error.kind === 'conflict') forgetStorefront(context, urlKey)
    const asksForCard = sent.intent !== 'promo' && !sent.plan?.startsWith('F')
    // A code that was applied before stays applied, unless it is what was refused.
    const promo = sent.intent !== 'promo' && sent.promoCode ? await promoOf().catch(() => null) : null
    return data(
      { promo, values, problem: orderProblem(error, sent, asksForCard) },
      { status: errorKinds[error.kind].status },
    )
  }
}

/** Also after a refused order: the next try needs a key of its own, and the prices may have changed. */
export function shouldRevalidate(): boolean {
  return true
}

export default function Storefront() {
  const page = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>() as
    | {
        promo: AppliedPromo | null
        values: Record<string, string>
        problem: ReturnType<typeof orderProblem> | undefined
      }
    | undefined
  const navigate = useNavigate()
  const { urlKey } = page.shop
  useEffect(() => {
    if (!page.isClosed) navigator.sendBeacon?.(`/${urlKey}/view`)
  }, [urlKey, page.isClosed])
  if (page.isClosed) return <ClosedShop shop={page.shop} />
  const { shop, isClosed: _, origin: __, linked, ...offer } = page
  // What was answered last counts: a code may be gone by now that the link still names.
  const promo = answer ? answer.promo : linked.promo
  const showCountry = (country: string) => {
    const search = new URLSearchParams({ country, ...(promo ? { promo: promo.code } : {}) })
    navigate(`?${search}`, { replace: true, preventScrollReset: true })
  }
  return (
    <ShopFrame shop={shop} isFront country={offer.country}>
      <OrderForm
        shop={shop}
        {...offer}
        promo={promo}
        refusedLink={answer ? null : linked.refused}
        problem={answer?.problem}
        values={answer?.values ?? {}}
        onCountry={showCountry}
      />
    </ShopFrame>
  )
}

export function ErrorBoundary() {
  return <ShopErrorPage />
}
