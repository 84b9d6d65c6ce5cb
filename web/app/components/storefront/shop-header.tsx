import { Link, useActionData, useLocation } from '@remix-run/react'
import { useT } from '../../i18n/use-t.tsx'
import { Picture } from '../ui/picture.tsx'
import { LanguageSwitch } from './language-switch.tsx'
import { type OrderResponse, sentValues } from './order-response.ts'
import type { Shop } from './shop-frame.tsx'

interface ShopHeaderProps {
  shop: Shop
  isLoggedIn: boolean
}

/** Logo, language switch, and the link to the reader's account. */
export function ShopHeader({ shop, isLoggedIn }: ShopHeaderProps) {
  const t = useT()
  // The country determines the default language of the next page.
  const { search, pathname } = useLocation()
  const posted = sentValues(useActionData<OrderResponse>()).country
  const country = posted || new URLSearchParams(search).get('country')
  // The page after an order may load no payment script (CSP), and pages reached from it without a document load may not either.
  const isOutsideShop = pathname.split('/')[1]?.toLowerCase() !== shop.urlKey.toLowerCase()
  const { urlKey, publicationName, logoImage } = shop
  const home = shop.preview ? pathname : `/${urlKey}`
  return (
    <header className="border-t-6 border-(--shop) bg-surface">
      <div className="no-print mx-auto flex max-w-5xl flex-wrap items-center justify-end gap-x-2 px-2 pt-1">
        <LanguageSwitch country={country} />
        {!shop.preview && (
          <Link
            reloadDocument={isOutsideShop}
            to={`/${urlKey}/${isLoggedIn ? 'account' : 'login'}${country ? `?${new URLSearchParams({ country })}` : ''}`}
            className="inline-flex min-h-11 items-center rounded-input px-2 text-body font-medium text-ink underline underline-offset-3 hover:decoration-2"
          >
            {isLoggedIn ? t('Manage account') : t('Log in')}
          </Link>
        )}
      </div>
      <div className="mx-auto flex max-w-5xl items-center px-4 pb-4">
        {logoImage ? (
          <a href={home} className="shrink-0">
            <Picture
              image={logoImage}
              kind="logo"
              alt={publicationName}
              sizes="(min-width: 640px) 288px, 192px"
              className="h-12 w-auto max-w-48 bg-surface object-contain object-left forced-color-adjust-none sm:h-16 sm:max-w-72"
            />
          </a>
        ) : (
          <p className="min-w-0 font-serif text-h2 font-semibold wrap-anywhere">
            <a href={home} className="text-ink no-underline">
              {publicationName}
            </a>
          </p>
        )}
      </div>
    </header>
  )
}
