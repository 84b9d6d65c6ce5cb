import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { turnRenewalOff } from '#core/payments/turn-renewal-off.ts'
import { ownAgreements } from '#core/renewals/own-agreements.query.ts'
import { BuyerPage } from '#web/app/components/buyer/buyer-page.tsx'
import { TurnOffRenewalConfirmation } from '#web/app/components/buyer/turn-off-renewal-confirmation.tsx'
import { ShopErrorPage } from '#web/app/components/storefront/shop-error-page.tsx'
import { submit, wasRefused } from '#web/app/http/form.ts'
import { buyerMeta } from '#web/app/http/page-title.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireAccount } from '#web/app/http/require-shop.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'
import { translatorOf } from '#web/app/i18n/translator-of.ts'
import { useT } from '#web/app/i18n/use-t.tsx'

export const meta: MetaFunction<typeof loader> = (args) => buyerMeta(args, 'Turn off automatic renewal?')

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, shop, language, dateFormat, headers } = await requireAccount(request, context, params.urlKey)
  const agreements = await ownAgreements(ctx, {})
  const agreement = agreements.find(({ id }) => id === idParam(params.agreementId, 'The renewal'))
  // Already turned off, or another reader's: redirects to the account.
  if (!agreement) throw redirect(`/${shop.urlKey}/account`)
  return data({ shop, language, dateFormat, agreement, isRefused: wasRefused(context) }, { headers })
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, shop, language } = await requireAccount(request, context, params.urlKey)
  return submit(context, {}, async () => {
    await turnRenewalOff(ctx, { agreementId: idParam(params.agreementId, 'The renewal') })
    const text = translatorOf(language)('Automatic renewal is turned off')
    return redirectWithToast(context, `/${shop.urlKey}/account`, { kind: 'success', text })
  })
}

export default function Renewal() {
  const t = useT()
  const { shop, agreement } = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  return (
    <BuyerPage shop={shop} heading={t('Turn off automatic renewal?')} isPart>
      <TurnOffRenewalConfirmation agreement={agreement} accountPath={`/${shop.urlKey}/account`} problem={problem} />
    </BuyerPage>
  )
}

export function ErrorBoundary() {
  return <ShopErrorPage />
}
