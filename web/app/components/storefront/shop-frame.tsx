import type { ReactNode } from 'react'
import type { Storefront } from '#core/publications/storefront.rules.ts'
import { SkipLink } from '../ui/hidden.tsx'
import { Picture } from '../ui/picture.tsx'
import { AddressLookUp } from './address-look-up.tsx'
import { shopColors } from './shop-colors.ts'

/** The part of a storefront that its pages are framed with. */
export interface Shop extends Omit<Storefront, 'prices' | 'backIssues'> {
  /** Whether there are back issues to buy. */
  hasIssues: boolean
}

interface ShopFrameProps {
  shop: Shop
  /** The big heading is the publication's name on its own page, and a quiet line on the others. */
  isFront?: boolean
  /** The country whose prices are on show, for the way to the back issues. */
  country?: string
  children: ReactNode
}

/** A publication's own look: its colour lightened behind white cards, its logo and cover, its publisher at the foot. */
export function ShopFrame({ shop, isFront = false, country, children }: ShopFrameProps) {
  const colors = { ...shopColors(shop.theme), backgroundColor: shop.theme.background }
  return (
    <div style={colors} className="shop flex min-h-dvh flex-col text-input text-ink">
      <SkipLink />
      <header className="border-t-6 border-(--shop) bg-surface">
        <div className="mx-auto flex max-w-5xl items-center gap-4 px-4 py-4 sm:gap-6">
          {shop.logoImage ? (
            <a href={`/${shop.urlKey}`} className="shrink-0">
              <Picture
                image={shop.logoImage}
                kind="logo"
                alt={shop.publicationName}
                sizes="(min-width: 640px) 288px, 192px"
                className="h-12 w-auto max-w-48 object-contain object-left sm:h-16 sm:max-w-72"
              />
            </a>
          ) : (
            <p className="font-serif text-h2 font-semibold">
              <a href={`/${shop.urlKey}`} className="text-ink no-underline">
                {shop.publicationName}
              </a>
            </p>
          )}
        </div>
      </header>
      <main id="main" tabIndex={-1} className="grow outline-none">
        {isFront && <Introduction shop={shop} country={country} />}
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

function Introduction({ shop, country }: { shop: Shop; country: string | undefined }) {
  const cover = shop.coverImage && (
    <Picture
      image={shop.coverImage}
      kind="cover"
      alt={`Cover of ${shop.publicationName}`}
      sizes="(min-width: 640px) 208px, 112px"
      className="h-auto max-h-64 w-28 rounded-input border border-line object-contain shadow-float sm:max-h-80 sm:w-52"
    />
  )
  return (
    <div className="border-b border-line bg-surface">
      <div className="mx-auto max-w-5xl items-start gap-8 px-4 pt-2 pb-8 sm:flex">
        {cover && (
          <div className="shrink-0 max-sm:float-right max-sm:mb-2 max-sm:ml-4">
            {shop.sampleEdition ? <a href={shop.sampleEdition}>{cover}</a> : cover}
          </div>
        )}
        <div className="min-w-0">
          <h1 className="font-serif text-public-h2 sm:text-store-h1">{shop.publicationName}</h1>
          <p className="mt-3 max-w-[68ch] whitespace-pre-line text-input text-ink-2">{shop.publicationInfo}</p>
          {shop.sampleEdition && (
            <p className="mt-3">
              <a href={shop.sampleEdition} className="text-ink underline underline-offset-3 hover:decoration-2">
                Look inside a sample edition
              </a>
            </p>
          )}
          {shop.hasIssues && (
            <p className="mt-4">
              <a
                href={`/${shop.urlKey}/issues${country ? `?country=${country}` : ''}`}
                className="inline-flex min-h-12 items-center rounded-input border border-control bg-surface px-5 text-body font-semibold text-ink uppercase no-underline hover:bg-subtle"
              >
                Buy individual issues
              </a>
            </p>
          )}
        </div>
      </div>
    </div>
  )
}

const socials = { facebook: 'Facebook', twitter: 'Twitter', youtube: 'YouTube', instagram: 'Instagram' } as const

function ShopFooter({ shop }: { shop: Shop }) {
  const { publisher, links } = shop
  const contact = shop.emailAddress || publisher.emailAddress
  const networks = (Object.keys(socials) as (keyof typeof socials)[]).filter((name) => links[name])
  const look = 'inline-block min-h-6 text-ink underline underline-offset-3 hover:decoration-2'
  return (
    <footer className="border-t border-line bg-surface">
      <div className="mx-auto max-w-5xl space-y-2 px-4 py-8 text-body text-ink">
        <p>
          <strong className="font-semibold">{publisher.companyName || shop.publicationName}</strong>
          {publisher.addressLines.length > 0 && `, ${publisher.addressLines.join(', ')}`}
        </p>
        <ul className="flex flex-wrap gap-x-6 gap-y-2">
          {publisher.telephone && (
            <li>
              <a href={`tel:${publisher.telephone.replaceAll(/[^\d+]/g, '')}`} className={look}>
                {publisher.telephone}
              </a>
            </li>
          )}
          {contact && (
            <li>
              <a href={`mailto:${contact}`} className={look}>
                {contact}
              </a>
            </li>
          )}
          {shop.webAddress && (
            <li>
              <a href={shop.webAddress} className={look}>
                Website
              </a>
            </li>
          )}
          {networks.map((name) => (
            <li key={name}>
              <a href={links[name]} className={look}>
                {socials[name]}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </footer>
  )
}
