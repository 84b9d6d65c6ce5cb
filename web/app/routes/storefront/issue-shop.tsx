import { randomUUID } from 'node:crypto'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node'
import { useActionData, useLoaderData, useNavigate } from '@remix-run/react'
import { issuesFor } from '#core/back-issues/issue-offer.rules.ts'
import { errorKinds, isAppError } from '#core/kernel/errors.ts'
import { placeBackIssueOrder } from '#core/orders/place-back-issue-order.ts'
import { ClosedShop } from '#web/app/components/storefront/closed-shop.tsx'
import { IssueOrderForm } from '#web/app/components/storefront/issue-order-form.tsx'
import { NoIssues } from '#web/app/components/storefront/no-issues.tsx'
import { ShopErrorPage } from '#web/app/components/storefront/shop-error-page.tsx'
import { ShopFrame } from '#web/app/components/storefront/shop-frame.tsx'
import { issueOrderInput, keptIssueOrder, readIssueOrder } from '#web/app/http/issue-order-form.ts'
import { issueShopMeta } from '#web/app/http/issue-shop-meta.ts'
import { orderProblem, staysOnOrderForm } from '#web/app/http/order-problem.ts'
import { visitorContext } from '#web/app/http/session.ts'
import { forgetStorefront, keepPage, offerOf, shopOf, storefrontOf } from '#web/app/http/storefront-data.ts'

export const meta: MetaFunction<typeof loader> = issueShopMeta

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const storefront = await storefrontOf(context, params.urlKey ?? '')
  const shop = shopOf(storefront)
  if (storefront.isClosed) return data({ isClosed: true as const, shop }, { status: errorKinds.gone.status })
  const { appUrl, passwordMinLength } = context.services.settings
  const { country, countries, currency } = offerOf(storefront, new URL(request.url).searchParams.get('country'))
  const formKey = randomUUID()
  keepPage(context, storefront.urlKey, formKey)
  return {
    isClosed: false as const,
    shop,
    offer: { country, countries, currency, issues: issuesFor(storefront.backIssues, country) },
    formKey,
    leastPassword: passwordMinLength,
    origin: appUrl,
  }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const urlKey = params.urlKey ?? ''
  const sent = await readIssueOrder(request)
  const kept = keptIssueOrder(sent)
  // Where no script runs, the page is asked what the ticked issues cost together.
  if (sent.values.intent === 'total') return { ...kept, problem: undefined }
  try {
    const order = await placeBackIssueOrder(visitorContext(context), issueOrderInput(urlKey, sent))
    forgetStorefront(context, urlKey)
    return redirect(`/ordersuccess?${new URLSearchParams({ orderNumber: order.orderNumber, key: order.key })}`)
  } catch (error) {
    // What is refused may be gone or dearer by now: the page that comes back shows it as it is.
    forgetStorefront(context, urlKey)
    // Closed since the page was opened: the page itself says so.
    if (isAppError(error) && error.kind === 'gone') return redirect(`/${urlKey}`)
    if (!isAppError(error) || !staysOnOrderForm(error)) throw error
    const { total, ...errors } = orderProblem(error, sent.values, true).errors as Record<string, string>
    // The total has no box of its own: what is chosen makes it.
    const problem = {
      ...orderProblem(error, sent.values, true),
      errors: total ? { ...errors, backIssues: total } : errors,
    }
    return data({ ...kept, problem }, { status: errorKinds[error.kind].status })
  }
}

/** Also after a refused order: the next try needs a key of its own, and issues may be gone. */
export function shouldRevalidate(): boolean {
  return true
}

export default function IssueShop() {
  const page = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  const navigate = useNavigate()
  if (page.isClosed) return <ClosedShop shop={page.shop} />
  const { shop, offer, formKey, leastPassword } = page
  if (!shop.hasIssues) {
    return (
      <ShopFrame shop={shop}>
        <NoIssues shop={shop} />
      </ShopFrame>
    )
  }
  return (
    <ShopFrame shop={shop}>
      <IssueOrderForm
        shop={shop}
        {...offer}
        formKey={formKey}
        leastPassword={leastPassword}
        problem={answer?.problem}
        values={answer?.values ?? {}}
        sentIds={answer?.chosen ?? []}
        onCountry={(country) => navigate(`?country=${country}`, { replace: true, preventScrollReset: true })}
      />
    </ShopFrame>
  )
}

export function ErrorBoundary() {
  return <ShopErrorPage />
}
