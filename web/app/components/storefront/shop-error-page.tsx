import { isRouteErrorResponse, useRouteError } from '@remix-run/react'
import { useT } from '../../i18n/use-t.tsx'
import { ErrorPage } from '../layout/error-page.tsx'

/** A storefront that is not there, in a storefront's own calm look; anything else is the product's error page. */
export function ShopErrorPage({ what = 'publication' }: { what?: 'publication' | 'order' }) {
  const t = useT()
  const error = useRouteError()
  if (!isRouteErrorResponse(error) || error.status !== 404) return <ErrorPage isWhole />
  return (
    <div className="min-h-dvh bg-[#C7CACC] text-input text-ink">
      <main className="mx-auto max-w-xl px-4 py-20">
        <div className="card p-6 sm:p-8">
          <h1 className="font-serif text-public-h2">
            {what === 'publication' ? t('There is no publication at this address') : t('We cannot find this order')}
          </h1>
          <p className="mt-3 text-ink-2">
            {what === 'publication'
              ? t(
                  'Check the address you were given, letter by letter. If you followed a link, the publication may have closed its page here.',
                )
              : t('Open the link from the page you ordered on, or look for the receipt in your email.')}
          </p>
        </div>
      </main>
    </div>
  )
}
