import { useT } from '../../i18n/use-t.tsx'
import type { Shop } from './shop-frame.tsx'

/** The back-issues page of a publication that sells none. */
export function NoIssues({ shop }: { shop: Pick<Shop, 'publicationName' | 'urlKey'> }) {
  const t = useT()
  return (
    <div className="card mx-auto max-w-xl p-6 sm:p-8">
      <h1 className="font-serif text-public-h2">{shop.publicationName}</h1>
      <p className="mt-3 text-input text-ink-2">{t('There are no individual issues to buy at the moment.')}</p>
      <p className="mt-4">
        <a href={`/${shop.urlKey}`} className="text-ink underline underline-offset-3 hover:decoration-2">
          {t('See the subscriptions')}
        </a>
      </p>
    </div>
  )
}
