import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node'
import { useActionData, useLoaderData, useParams } from '@remix-run/react'
import { confirmByLink, giveCardByLink, settleByLink } from '#core/charging/renew-by-link.ts'
import { BuyerPage } from '#web/app/components/buyer/buyer-page.tsx'
import { RenewCard } from '#web/app/components/buyer/renew-card.tsx'
import { ShopErrorPage } from '#web/app/components/storefront/shop-error-page.tsx'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { buyerMeta } from '#web/app/http/page-title.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { renewalOfShop } from '#web/app/http/renewal-of-shop.ts'
import { requireShop } from '#web/app/http/require-shop.ts'
import { visitorContext } from '#web/app/http/session.ts'
import { useT } from '#web/app/i18n/use-t.tsx'

export const meta: MetaFunction<typeof loader> = (args) => buyerMeta(args, 'Your renewal', 'link')

/** The page of an emailed link: its key is the only authentication. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { headers, ...page } = await requireShop(request, context, params.urlKey)
  const renewal = await renewalOfShop(visitorContext(context), page.shop, params.key)
  return data({ ...page, renewal, isRefused: wasRefused(context) }, { headers })
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { shop } = await requireShop(request, context, params.urlKey)
  const ctx = visitorContext(context)
  const values = await readForm(request)
  const { key } = params
  await renewalOfShop(ctx, shop, key)
  return submit(context, {}, async () => {
    if (values.intent === 'confirmed') return { cardOutcome: await settleByLink(ctx, { key }) }
    if (values.intent !== 'confirm')
      return { cardOutcome: await giveCardByLink(ctx, { key, reference: values.reference }) }
    const step = await confirmByLink(ctx, { key })
    return step?.kind === 'go' ? redirect(step.url) : { cardOutcome: 'processing' as const }
  })
}

export default function Renew() {
  const t = useT()
  const { shop, renewal } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const { key = '' } = useParams()
  return (
    <BuyerPage shop={shop} heading={t('Your renewal')}>
      <RenewCard
        urlKey={shop.urlKey}
        linkKey={key}
        renewal={renewal}
        cardOutcome={actionData && 'cardOutcome' in actionData ? actionData.cardOutcome : null}
        problem={problemOf(actionData)}
      />
    </BuyerPage>
  )
}

export function ErrorBoundary() {
  return <ShopErrorPage what="link" />
}
