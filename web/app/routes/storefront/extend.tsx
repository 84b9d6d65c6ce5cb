import { randomUUID } from 'node:crypto'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node'
import { useActionData, useLoaderData, useParams } from '@remix-run/react'
import { useEffect, useState } from 'react'
import { errorKinds } from '#core/kernel/errors.ts'
import { answerLink, renewalLinkPage } from '#core/orders/renewal-link.ts'
import { ClosedShop } from '#web/app/components/storefront/closed-shop.tsx'
import { InvalidLink } from '#web/app/components/storefront/extend/invalid-link.tsx'
import { LinkOrderForm } from '#web/app/components/storefront/extend/link-order-form.tsx'
import { LinkQuestion } from '#web/app/components/storefront/extend/link-question.tsx'
import type { OrderProblem, OrderResponse } from '#web/app/components/storefront/order-response.ts'
import { ShopErrorPage } from '#web/app/components/storefront/shop-error-page.tsx'
import { ShopFrame } from '#web/app/components/storefront/shop-frame.tsx'
import { buyerActor, buyerContext } from '#web/app/http/buyer-session.ts'
import { linkActions, storedProof, storeProof } from '#web/app/http/extend-link.ts'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { languageFor } from '#web/app/http/language.ts'
import { handleOrderPage } from '#web/app/http/order-actions.ts'
import { buyerMeta } from '#web/app/http/page-title.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { visitorContext } from '#web/app/http/session.ts'
import { shopOf, storefrontOf } from '#web/app/http/storefront-data.ts'

export const meta: MetaFunction<typeof loader> = (args) => buyerMeta(args, 'Renew your subscription', 'link')

/** The page of a renewal link. Personal: never cached, and opening it changes nothing. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { urlKey = '', key = '' } = params
  const storefront = await storefrontOf(context, urlKey)
  const ctx = await buyerContext(request, context, storefront.id)
  const link = await renewalLinkPage(ctx, { urlKey, key, proof: storedProof(request, context, key) })
  const { headers, ...language } = languageFor(request, context, link.country)
  const page = {
    ...language,
    shop: shopOf(storefront),
    link,
    isLoggedIn: (await buyerActor(request, context, storefront.id)) !== null,
    formKey: randomUUID(),
    isRefused: wasRefused(context),
  }
  return data(page, { headers, ...(link.status === 'closed' ? { status: errorKinds.gone.status } : {}) })
}

/** Handles the security question; everything else is the order form, posted without JavaScript. */
export async function action(args: ActionFunctionArgs) {
  const { request, params, context } = args
  const { urlKey = '', key = '' } = params
  const values = await readForm(request.clone())
  if (values.intent !== 'answer') return handleOrderPage(args, linkActions(request, context, { urlKey, key }))
  return submit(context, values, async () => {
    const { answer, captcha } = values
    const proof = await answerLink(visitorContext(context), { urlKey, key, answer, captcha })
    const headers = { 'Set-Cookie': storeProof(request, context, key, proof) }
    return redirect(`/${urlKey}/extend/${key}`, { headers })
  })
}

/** Revalidates also after a refused order: the link may no longer be valid. */
export function shouldRevalidate(): boolean {
  return true
}

export default function Extend() {
  const page = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const { key = '' } = useParams()
  const { shop, link } = page
  const path = `/${shop.urlKey}/extend/${key}`
  useReportUse(`${path}/used`)
  // A refusal may be that the question has to be answered again: it is shown there too.
  const [refused, setRefused] = useState<OrderProblem | undefined>()
  if (link.status === 'closed') return <ClosedShop shop={shop} isLoggedIn={page.isLoggedIn} />
  const order = actionData && 'kind' in actionData ? (actionData as OrderResponse) : undefined
  return (
    <ShopFrame shop={shop} isLoggedIn={page.isLoggedIn}>
      {link.opened && link.offer ? (
        <LinkOrderForm
          shop={shop}
          path={path}
          response={order}
          formKey={page.formKey}
          country={link.country}
          opened={link.opened}
          offer={link.offer}
          onRefused={setRefused}
        />
      ) : link.offer ? (
        <LinkQuestion
          shop={shop}
          link={link}
          offer={link.offer}
          problem={problemOf(actionData)}
          refused={order?.kind === 'refused' ? order.problem : refused}
          keepsTyped={order?.kind !== 'refused'}
        />
      ) : (
        <InvalidLink shop={shop} status={link.status} />
      )}
    </ShopFrame>
  )
}

/** Reports once that a person uses the page: link scanners open links, but click nothing. */
function useReportUse(path: string): void {
  useEffect(() => {
    const report = ({ isTrusted }: Event) => {
      if (!isTrusted) return
      stop()
      navigator.sendBeacon?.(path)
    }
    const events = ['pointerdown', 'keydown'] as const
    const stop = () => {
      for (const event of events) removeEventListener(event, report)
    }
    for (const event of events) addEventListener(event, report)
    return stop
  }, [path])
}

export function ErrorBoundary() {
  return <ShopErrorPage what="link" />
}
