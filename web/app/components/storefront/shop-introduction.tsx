import { useT } from '../../i18n/use-t.tsx'
import { Picture } from '../ui/picture.tsx'
import type { Shop } from './shop-frame.tsx'

interface ShopIntroductionProps {
  shop: Shop
  /** The country whose prices are shown, for the link to the back issues. */
  country: string
}

const button =
  'inline-flex min-h-12 items-center justify-center rounded-input border px-5 py-2 text-center text-body font-semibold no-underline'

/** The introduction of the publication: the cover, which links to the sample edition, name, text, and what can be bought. */
export function ShopIntroduction({ shop, country }: ShopIntroductionProps) {
  const t = useT()
  const { publicationName: title, sampleEdition } = shop
  const cover = shop.coverImage && (
    <Picture
      image={shop.coverImage}
      kind="cover"
      alt={t('Cover of {title}', { title })}
      sizes="(min-width: 640px) 208px, 112px"
      className="h-auto max-h-64 w-28 rounded-input border border-line object-contain shadow-float sm:max-h-80 sm:w-52"
    />
  )
  return (
    <div className="border-b border-line bg-surface">
      <div className="mx-auto max-w-5xl items-start gap-8 px-4 pt-2 pb-8 sm:flex">
        {cover && (
          <div className="shrink-0 max-sm:float-right max-sm:mb-2 max-sm:ml-4">
            {sampleEdition ? <a href={sampleEdition}>{cover}</a> : cover}
          </div>
        )}
        <div className="min-w-0">
          <h1 className="font-serif text-public-h2 wrap-break-word sm:text-store-h1">{title}</h1>
          <p className="mt-3 max-w-[68ch] whitespace-pre-line text-input text-ink-2">{shop.publicationInfo}</p>
          {sampleEdition && (
            <p className="mt-3">
              <a href={sampleEdition} className="text-ink underline underline-offset-3 hover:decoration-2">
                {t('Look inside a sample edition')}
              </a>
            </p>
          )}
          <ul className="mt-5 flex flex-wrap gap-3 clear-both">
            <li>
              <a
                href="#choose"
                className={`${button} border-(--shop-edge) bg-(--shop) text-(--shop-label) hover:bg-(--shop-hover)`}
              >
                {t('Subscription options')}
              </a>
            </li>
            {shop.hasIssues && (
              <li>
                <a
                  href={`/${shop.urlKey}/issues?country=${country}`}
                  className={`${button} border-control bg-surface text-ink uppercase hover:bg-subtle`}
                >
                  {t('Buy individual issues')}
                </a>
              </li>
            )}
          </ul>
        </div>
      </div>
    </div>
  )
}
