import { useT } from '../../i18n/use-t.tsx'
import type { Shop } from './shop-frame.tsx'
import { SocialIcon, type SocialNetwork, socialNames } from './social-icon.tsx'

const networks = Object.keys(socialNames) as SocialNetwork[]

/** The publisher with contact details, and links to the publication's social networks. */
export function ShopFooter({ shop }: { shop: Shop }) {
  const t = useT()
  const { publisher, links } = shop
  const contact = shop.emailAddress || publisher.emailAddress
  const linkedNetworks = networks.filter((name) => links[name])
  const linkClass = 'inline-block min-h-6 text-ink underline underline-offset-3 wrap-anywhere hover:decoration-2'
  return (
    <footer className="border-t border-line bg-surface">
      <div className="mx-auto flex max-w-5xl flex-wrap items-start justify-between gap-x-8 gap-y-4 px-4 py-8 text-body text-ink">
        <div className="min-w-0 space-y-2">
          <p>
            <strong className="font-semibold">{publisher.companyName || shop.publicationName}</strong>
            {publisher.addressLines.length > 0 && `, ${publisher.addressLines.join(', ')}`}
          </p>
          <ul className="flex flex-wrap gap-x-6 gap-y-2">
            {publisher.telephone && (
              <li>
                <a href={`tel:${publisher.telephone.replaceAll(/[^\d+]/g, '')}`} className={linkClass}>
                  {publisher.telephone}
                </a>
              </li>
            )}
            {contact && (
              <li>
                <a href={`mailto:${contact}`} className={linkClass}>
                  {contact}
                </a>
              </li>
            )}
            {shop.webAddress && (
              <li>
                <a href={shop.webAddress} className={linkClass}>
                  {t('Website')}
                </a>
              </li>
            )}
            <li>
              <a href="/privacy" hrefLang="en" className={linkClass}>
                {t('Privacy')}
              </a>
            </li>
          </ul>
        </div>
        {linkedNetworks.length > 0 && (
          <ul className="no-print -m-2 flex flex-wrap">
            {linkedNetworks.map((name) => (
              <li key={name}>
                <a
                  href={links[name]}
                  title={socialNames[name]}
                  className="inline-flex size-11 items-center justify-center rounded-input text-ink hover:bg-subtle"
                >
                  <SocialIcon network={name} />
                  <span className="sr-only">{socialNames[name]}</span>
                </a>
              </li>
            ))}
          </ul>
        )}
      </div>
    </footer>
  )
}
