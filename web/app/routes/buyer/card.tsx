import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { openEnd } from '#core/kernel/dates.ts'
import { isAppError } from '#core/kernel/errors.ts'
import { cardToUpdate } from '#core/payments/card-to-update.query.ts'
import { finishCardUpdate } from '#core/payments/finish-card-update.ts'
import { BuyerPage } from '#web/app/components/buyer/buyer-page.tsx'
import { CardForm } from '#web/app/components/buyer/card-form.tsx'
import { DemoCardForm } from '#web/app/components/buyer/demo-card-form.tsx'
import { planText } from '#web/app/components/storefront/plan-text.ts'
import { ShopErrorPage } from '#web/app/components/storefront/shop-error-page.tsx'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { buyerMeta } from '#web/app/http/page-title.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireAccount } from '#web/app/http/require-shop.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'
import { translatorOf } from '#web/app/i18n/translator-of.ts'
import { useT } from '#web/app/i18n/use-t.tsx'

export const meta: MetaFunction<typeof loader> = (args) => buyerMeta(args, 'Change your card')

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, shop, language, dateFormat, headers } = await requireAccount(request, context, params.urlKey)
  const search = new URL(request.url).searchParams
  // Turned off in the meantime, already paid, or another reader's: redirects to the account.
  const card = await cardToUpdate(ctx, { agreementId: search.get('agreement') }).catch((error: unknown) => {
    if (isAppError(error) && (error.kind === 'notFound' || error.kind === 'invalid'))
      throw redirect(`/${shop.urlKey}/account`)
    throw error
  })
  return data({ shop, language, dateFormat, card, isRefused: wasRefused(context) }, { headers })
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, shop, language } = await requireAccount(request, context, params.urlKey)
  const values = await readForm(request)
  return submit(context, values, async () => {
    await finishCardUpdate(ctx, values)
    const text = translatorOf(language)('Your card has been changed')
    return redirectWithToast(context, `/${shop.urlKey}/account`, { kind: 'success', text })
  })
}

export default function Card() {
  const t = useT()
  const { shop, card } = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  const form = {
    intro:
      card.renewsOn === openEnd
        ? t('Later renewals are charged to the card you enter here; nothing is charged now.')
        : t(
            '“{plan}” renews on {day}. From then on it is charged to the card you enter here; nothing is charged now.',
            { plan: planText(t, card.plan), day: t.day(card.renewsOn) },
          ),
    label: t('Save this card'),
    problem,
  }
  return (
    <BuyerPage shop={shop} heading={t('Change your card')} isPart>
      {card.isDemo ? (
        <DemoCardForm {...form} hidden={{ agreementId: String(card.agreementId) }} />
      ) : (
        <CardForm beginPath={`/${shop.urlKey}/account/card/begin`} card={card} {...form} />
      )}
    </BuyerPage>
  )
}

export function ErrorBoundary() {
  return <ShopErrorPage />
}
