import type { ReactNode } from 'react'
import type { Storefront } from '#core/storefronts/storefront.rules.ts'
import { SkipLink } from '../ui/skip-link.tsx'
import { AddressLookUp } from './address-look-up.tsx'
import { shopColors } from './shop-colors.ts'
import { ShopFooter } from './shop-footer.tsx'
import { ShopHeader } from './shop-header.tsx'

/** The storefront's data that the frame of its pages needs. */
export interface Shop extends Omit<Storefront, 'prices' | 'backIssues'> {
  /** Whether there are back issues to buy. */
  hasIssues: boolean
  /** Set in a preview by the shop's own publisher: the address that takes test orders. A preview does not link to reader accounts. */
  preview?: { orderUrl: string }
}

interface ShopFrameProps {
  shop: Shop
  /** Whether a buyer is logged in: then the header links to the account instead of the log-in. */
  isLoggedIn?: boolean
  /** Above the header: a notice about the page that is not part of the shop. */
  notice?: ReactNode
  /** Between header and content, at full width: the introduction of the publication. */
  introduction?: ReactNode
  children: ReactNode
}

/** A storefront's frame: its colour lightened behind white cards, its logo at the top, its publisher in the footer. */
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
