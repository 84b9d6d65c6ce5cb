import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { useT } from '../../i18n/use-t.tsx'
import { type Shop, ShopFrame } from '../storefront/shop-frame.tsx'

interface BuyerPageProps {
  shop: Shop
  heading: string
  /** Whether the page is below the account's home page and has a link back to it. */
  isPart?: boolean
  /** Whether the buyer is logged in, as on all account pages. */
  isLoggedIn?: boolean
  /** Whether it is as wide as the storefront; otherwise a narrow column for one form. */
  isWide?: boolean
  children: ReactNode
}

/** The frame of an account page, in the publication's own look. */
export function BuyerPage({ shop, isWide = false, isLoggedIn, children, ...headingProps }: BuyerPageProps) {
  return (
    <ShopFrame shop={shop} isLoggedIn={isLoggedIn ?? headingProps.isPart ?? false}>
      <div className={isWide ? '' : 'mx-auto max-w-xl'}>
        <Heading urlKey={shop.urlKey} {...headingProps} />
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
