import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { changeOptOuts } from '#core/buyers/change-opt-outs.ts'
import { optOuts } from '#core/readers/opt-outs.rules.ts'
import { BuyerPage } from '#web/app/components/buyer/buyer-page.tsx'
import { OffersForm } from '#web/app/components/buyer/offers-form.tsx'
import { ShopErrorPage } from '#web/app/components/storefront/shop-error-page.tsx'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { buyerMeta } from '#web/app/http/page-title.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireAccount } from '#web/app/http/require-shop.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'
import { translatorOf } from '#web/app/i18n/translator-of.ts'
import { useT } from '#web/app/i18n/use-t.tsx'

export const meta: MetaFunction<typeof loader> = (args) => buyerMeta(args, 'Offers and news')

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { shop, language, dateFormat, headers, profile, person } = await requireAccount(request, context, params.urlKey)
  if (!profile.optOuts) throw redirect(`/${shop.urlKey}/account`)
  return data(
    {
      shop,
      language,
      dateFormat,
      person,
      chosen: { ...profile.optOuts, reminders: profile.remindersStopped },
      isRefused: wasRefused(context),
    },
    { headers },
  )
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, shop, language } = await requireAccount(request, context, params.urlKey)
  const values = await readForm(request)
  return submit(context, values, async () => {
    // Browsers send only ticked boxes.
    const fields = [...optOuts.map(({ field }) => field), 'reminders']
    await changeOptOuts(ctx, Object.fromEntries(fields.map((field) => [field, values[field] === 'on'])))
    const text = translatorOf(language)('Your choices have been saved')
    return redirectWithToast(context, `/${shop.urlKey}/account`, { kind: 'success', text })
  })
}

export default function Offers() {
  const t = useT()
  const { shop, chosen } = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  return (
    <BuyerPage shop={shop} heading={t('Offers and news')} isPart>
      <OffersForm chosen={chosen} problem={problem} />
    </BuyerPage>
  )
}

export function ErrorBoundary() {
  return <ShopErrorPage />
}
