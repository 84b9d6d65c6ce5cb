import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { useT } from '../../i18n/use-t.tsx'
import { type Shop, ShopFrame } from '../storefront/shop-frame.tsx'

interface BuyerPageProps {
  shop: Shop
  heading: string
  /** Below the account's own page, with the way back to it. */
  isPart?: boolean
  /** The reader is logged in, as on every part of the account. */
  isLoggedIn?: boolean
  /** As wide as the storefront itself; else a column for one form. */
  isWide?: boolean
  children: ReactNode
}

/** A page around a reader's account in the publication's own look. */
export function BuyerPage({ shop, isWide = false, isLoggedIn, children, ...top }: BuyerPageProps) {
  return (
    <ShopFrame shop={shop} isLoggedIn={isLoggedIn ?? top.isPart ?? false}>
      <div className={isWide ? '' : 'mx-auto max-w-xl'}>
        <Heading urlKey={shop.urlKey} {...top} />
        {children}
      </div>
    </ShopFrame>
  )
}

function Heading({ urlKey, heading, isPart }: { urlKey: string } & Pick<BuyerPageProps, 'heading' | 'isPart'>) {
  const t = useT()
  return (
    <div className="mb-6">
      {isPart && (
        <p className="no-print mb-2">
          <Link
            to={`/${urlKey}/account`}
            className="inline-block min-h-6 text-body text-ink underline underline-offset-3 hover:decoration-2"
          >
            {t('Back to your account')}
          </Link>
        </p>
      )}
      <h1 className="font-serif text-public-h2">{heading}</h1>
    </div>
  )
}
