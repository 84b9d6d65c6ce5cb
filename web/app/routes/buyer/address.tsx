import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { changeDeliveryAddress } from '#core/buyers/change-delivery-address.ts'
import { AddressForm } from '#web/app/components/buyer/address-form.tsx'
import { BuyerPage } from '#web/app/components/buyer/buyer-page.tsx'
import { ShopErrorPage } from '#web/app/components/storefront/shop-error-page.tsx'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { buyerMeta } from '#web/app/http/page-title.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireAccount } from '#web/app/http/require-shop.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'
import { translatorOf } from '#web/app/i18n/translator-of.ts'
import { useT } from '#web/app/i18n/use-t.tsx'

export const meta: MetaFunction<typeof loader> = (args) => buyerMeta(args, 'Delivery address')

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { shop, language, dateFormat, headers, profile, person } = await requireAccount(request, context, params.urlKey)
  const requested = new URL(request.url).searchParams.get('subscription')
  const deliveredSubscriptions = profile.subscriptions.filter(({ delivery }) => delivery !== null)
  const requestedSubscription = deliveredSubscriptions.find(({ readerId }) => String(readerId) === requested)
  const address = requested === null ? profile.delivery : requestedSubscription?.delivery
  if (!address) throw redirect(`/${shop.urlKey}/account`)
  const subscription = requestedSubscription && {
    readerId: requestedSubscription.readerId,
    isOneOfSeveral: deliveredSubscriptions.length > 1,
  }
  return data(
    { shop, language, dateFormat, person, address, subscription, isRefused: wasRefused(context) },
    { headers },
  )
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, shop, language } = await requireAccount(request, context, params.urlKey)
  const values = await readForm(request)
  return submit(context, values, async () => {
    await changeDeliveryAddress(ctx, values)
    const text = translatorOf(language)('Your delivery address has been saved')
    return redirectWithToast(context, `/${shop.urlKey}/account`, { kind: 'success', text })
  })
}

export default function Address() {
  const t = useT()
  const { shop, address, subscription } = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  return (
    <BuyerPage shop={shop} heading={t('Delivery address')} isPart>
      <AddressForm address={address} subscription={subscription} problem={problem} />
    </BuyerPage>
  )
}

export function ErrorBoundary() {
  return <ShopErrorPage />
}
