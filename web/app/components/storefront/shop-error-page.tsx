import { useMatches } from '@remix-run/react'
import { lazy, type ReactNode, Suspense } from 'react'
import type { Theme } from '#core/pricing/theme.rules.ts'
import { phrase } from '../../i18n/phrase.ts'
import { useT } from '../../i18n/use-t.tsx'
import { canTryAgain, ErrorPage, FailureReference, FailureText, TryAgain, useFailure } from '../layout/error-page.tsx'
import { LinkButton } from '../ui/button.tsx'
import { shopColors } from './shop-colors.ts'

const loadStaffErrorPage = async () => ({ default: (await import('../layout/staff-error-page.tsx')).StaffErrorPage })

// Visitors of a shop never load the back-office menu. The server imports it up front, because rendering there is synchronous.
const StaffErrorPage = import.meta.env.SSR ? (await loadStaffErrorPage()).default : lazy(loadStaffErrorPage)

/** The shop a page belongs to, from the root loader; present on error pages too. */
export interface PageShop {
  urlKey: string
  publicationName: string
  theme: Theme
}

/** Null outside a shop, and where the shop does not exist or could not be loaded. */
export function usePageShop(): PageShop | null {
  const shops = useMatches().map(({ data }) => (data as { shop?: PageShop | null } | undefined)?.shop)
  return shops.find(Boolean) ?? null
}

/** The headings, and page titles, where something other than a page was not found. */
export const notFoundHeadings = {
  order: phrase('We cannot find this order'),
  link: phrase('This link is no longer valid'),
  stop: phrase('This link does not work'),
}

/** The error page of a shop (not found or failed): in the visitor's language, under the shop's name, with a link back to it. */
export function ShopErrorPage({ what = 'publication' }: { what?: 'publication' | keyof typeof notFoundHeadings }) {
  const t = useT()
  const shop = usePageShop()
  const failure = useFailure()
  const { status, isLost, body } = failure
  const isNotFound = status === 404
  // A logged-in user mistyped a back-office address: keep the menu.
  if (isNotFound && body.frame && !shop) {
    return (
      <Suspense fallback={<ErrorPage isWholePage />}>
        <StaffErrorPage frame={body.frame} />
      </Suspense>
    )
  }
  const isUnknownOrder = isNotFound && what === 'order'
  const isUnknownShop = isNotFound && !shop && !isUnknownOrder
  // Most links from emails that are not found have expired.
  const isOldLink = isNotFound && shop !== null && what === 'link'
  // Those that stop emails never expire: this one was damaged on its way.
  const isDamagedLink = isNotFound && shop !== null && what === 'stop'
  return (
    <ShopFailureFrame shop={shop}>
      <div className="card p-6 sm:p-8">
        {!isLost && !isNotFound && <p className="numeric text-body font-medium text-muted">{status}</p>}
        <h1 className="font-serif text-public-h2">
          {isUnknownOrder
            ? t(notFoundHeadings.order)
            : isUnknownShop
              ? t('There is no publication at this address')
              : isOldLink
                ? t(notFoundHeadings.link)
                : isDamagedLink
                  ? t(notFoundHeadings.stop)
                  : t(failure.title)}
        </h1>
        {isUnknownOrder ? (
          <p className="mt-3 text-ink-2">
            {t('Go back to the page where you ordered, or look for the receipt in your email.')}
          </p>
        ) : isUnknownShop ? (
          <p className="mt-3 text-ink-2">
            {t(
              'Check the address you were given, letter by letter. If you followed a link, the publication may have closed its page here.',
            )}
          </p>
        ) : isOldLink ? (
          <p className="mt-3 text-ink-2">
            {t('Your account shows whether your subscription continues. You can also order again in the shop.')}
          </p>
        ) : isDamagedLink ? (
          <p className="mt-3 text-ink-2">
            {t(
              'Please open it from the email again, or copy the whole address. You can also choose in your account which emails you get.',
            )}
          </p>
        ) : (
          <FailureText failure={failure} />
        )}
        <div className="mt-6 flex flex-wrap gap-3 empty:hidden">
          <TryAgain failure={failure} />
          {(isOldLink || isDamagedLink) && (
            <LinkButton to={`/${shop.urlKey}/account`} kind="secondary" reloadDocument>
              {t('Your account')}
            </LinkButton>
          )}
          {shop && !isLost && (
            <LinkButton to={`/${shop.urlKey}`} kind={canTryAgain(status) ? 'secondary' : 'primary'} reloadDocument>
              {t('Back to {publication}', { publication: shop.publicationName })}
            </LinkButton>
          )}
        </div>
        <FailureReference failure={failure} />
      </div>
    </ShopFailureFrame>
  )
}

/** The storefront's page frame, with only the shop's name and colours, if they are known. */
export function ShopFailureFrame({ shop, children }: { shop: PageShop | null; children: ReactNode }) {
  const style = shop ? { ...shopColors(shop.theme), backgroundColor: shop.theme.background } : undefined
  return (
    <div style={style} className={`min-h-dvh text-input text-ink ${shop ? 'shop' : 'bg-[#C7CACC]'}`}>
      {shop && (
        <header className="border-t-6 border-(--shop) bg-surface">
          <p className="mx-auto max-w-5xl px-4 py-4 font-serif text-h2 font-semibold wrap-anywhere">
            <a href={`/${shop.urlKey}`} className="text-ink no-underline">
              {shop.publicationName}
            </a>
          </p>
        </header>
      )}
      <main className={`mx-auto max-w-xl px-4 ${shop ? 'py-10' : 'py-20'}`}>{children}</main>
    </div>
  )
}
