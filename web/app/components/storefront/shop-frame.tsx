import type { ReactNode } from 'react'
import type { Storefront } from '#core/storefronts/storefront.rules.ts'
import { SkipLink } from '../ui/hidden.tsx'
import { AddressLookUp } from './address-look-up.tsx'
import { shopColors } from './shop-colors.ts'
import { ShopFooter } from './shop-footer.tsx'
import { ShopHeader } from './shop-header.tsx'

/** The part of a storefront that its pages are framed with. */
export interface Shop extends Omit<Storefront, 'prices' | 'backIssues'> {
  /** Whether there are back issues to buy. */
  hasIssues: boolean
  /** Its own publisher looks at it: where a form is sent that only tries it, and nothing leads to the accounts of readers. */
  preview?: { orderUrl: string }
}

interface ShopFrameProps {
  shop: Shop
  /** A reader is logged in: the header leads to the account, not to the log-in. */
  isLoggedIn?: boolean
  /** Above the header: what is said of the page and is no part of the shop. */
  notice?: ReactNode
  /** Between header and content, over the whole width: what the publication is. */
  introduction?: ReactNode
  children: ReactNode
}

/** A publication's own look: its colour lightened behind white cards, its logo above, its publisher at the foot. */
export function ShopFrame({ shop, isLoggedIn = false, notice, introduction, children }: ShopFrameProps) {
  const { theme } = shop
  return (
    <div
      style={{ ...shopColors(theme), backgroundColor: theme.background }}
      className="shop flex min-h-dvh flex-col text-input text-ink"
    >
      <SkipLink />
      {notice}
      <ShopHeader shop={shop} isLoggedIn={isLoggedIn} />
      <main id="main" tabIndex={-1} className="grow outline-none">
        {introduction}
        <div className="mx-auto w-full max-w-5xl px-4 py-8">
          <AddressLookUp.Provider value={shop.findsAddresses ? `/${shop.urlKey}/addresses` : null}>
            {children}
          </AddressLookUp.Provider>
        </div>
      </main>
      <ShopFooter shop={shop} />
    </div>
  )
}
