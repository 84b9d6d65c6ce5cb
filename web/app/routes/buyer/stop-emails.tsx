import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { stopByLink, stopEmails } from '#core/emails/stop-emails.ts'
import { BuyerPage } from '#web/app/components/buyer/buyer-page.tsx'
import { ShopSubmit } from '#web/app/components/buyer/shop-fields.tsx'
import { ShopCard } from '#web/app/components/storefront/shop-card.tsx'
import { ShopErrorPage } from '#web/app/components/storefront/shop-error-page.tsx'
import { Form, useForm } from '#web/app/components/ui/form.tsx'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { languageFor } from '#web/app/http/language.ts'
import { buyerMeta } from '#web/app/http/page-title.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { visitorContext } from '#web/app/http/session.ts'
import { shopOf, storefrontOf } from '#web/app/http/storefront-data.ts'
import { visitorCountry } from '#web/app/http/visitor-country.ts'
import { phrase } from '#web/app/i18n/phrase.ts'
import { useT } from '#web/app/i18n/use-t.tsx'

const titles = { reminder: phrase('Reminders'), offer: phrase('Offers and news') }

export const meta: MetaFunction<typeof loader> = (args) =>
  buyerMeta(args, titles[args.data?.stop.what ?? 'offer'], 'stop')

/** The page of the unsubscribe link in an email. Opening it changes nothing, because link scanners open all links. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  // Works for a closed shop too: its old emails still have the link.
  const storefront = await storefrontOf(context, params.urlKey ?? '')
  const stop = await stopByLink(visitorContext(context), { publicationId: storefront.id, key: params.key })
  const { headers, ...page } = languageFor(request, context, visitorCountry(request, context))
  return data({ ...page, shop: shopOf(storefront), stop, isRefused: wasRefused(context) }, { headers })
}

/** For the page's own button and for mail programs, which post `List-Unsubscribe=One-Click` without a cookie (RFC 8058). */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const { id: publicationId } = await storefrontOf(context, params.urlKey ?? '')
  const values = await readForm(request)
  const { key } = params
  return submit(context, {}, () =>
    stopEmails(visitorContext(context), { publicationId, key, isStopped: values.intent !== 'again' }),
  )
}

export default function StopEmails() {
  const t = useT()
  const { shop, stop } = useLoaderData<typeof loader>()
  const form = useForm({
    problem: problemOf(useActionData<typeof action>()),
    hidden: { intent: stop.isStopped ? 'again' : 'stop' },
  })
  const { publicationName: publication } = shop
  const isReminder = stop.what === 'reminder'
  return (
    <BuyerPage
      shop={shop}
      heading={
        isReminder
          ? t('Reminders from {publication}', { publication })
          : t('Offers from {publication}', { publication })
      }
    >
      <ShopCard>
        <Form form={form} className="space-y-5">
          <p role="status">
            {stop.isStopped
              ? t('They have been stopped. You will no longer get them.')
              : isReminder
                ? t('Do you want to stop the reminders that your subscription is ending?')
                : t('Do you want to stop offers by email?')}
          </p>
          <p className="text-body text-ink-2">
            {t('Essential emails about your subscription, such as receipts and renewal notices, are always sent.')}
          </p>
          <ShopSubmit>{stop.isStopped ? t('Get them again') : t('Stop them')}</ShopSubmit>
        </Form>
      </ShopCard>
    </BuyerPage>
  )
}

export function ErrorBoundary() {
  return <ShopErrorPage what="stop" />
}
