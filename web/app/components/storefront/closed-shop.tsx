import { closedMessage } from '#core/storefronts/storefront.rules.ts'
import { useT } from '../../i18n/use-t.tsx'
import { type Shop, ShopFrame } from './shop-frame.tsx'

/** The page of a storefront whose publisher is deactivated, in its own look: says that nothing is sold, and names a contact. */
export function ClosedShop({ shop, isLoggedIn }: { shop: Shop; isLoggedIn: boolean }) {
  const t = useT()
  const contact = shop.emailAddress || shop.publisher.emailAddress
  return (
    <ShopFrame shop={shop} isLoggedIn={isLoggedIn}>
      <div className="card mx-auto max-w-xl p-6 sm:p-8">
        <h1 className="font-serif text-public-h2">{shop.publicationName}</h1>
        <p className="mt-3 text-lead">{t(closedMessage)}</p>
        <p className="mt-3 text-input text-ink-2">
          {contact
            ? t(
                'Nothing can be bought here at the moment. An order you have paid for is not affected; if you have questions about it, contact the publisher below.',
              )
            : t('Nothing can be bought here at the moment. An order you have paid for is not affected.')}
        </p>
      </div>
    </ShopFrame>
  )
}
