import type { LinkStatus } from '#core/orders/linked-record.query.ts'
import { phrase } from '../../../i18n/phrase.ts'
import { useT } from '../../../i18n/use-t.tsx'
import type { Shop } from '../shop-frame.tsx'
import { ShopLink } from '../shop-link.tsx'

/** The reason why a link is no longer valid, and what to do instead. */
const texts: Record<Exclude<LinkStatus, 'good' | 'closed'>, { title: string; text: string }> = {
  renewed: {
    title: phrase('This subscription has already been renewed'),
    text: phrase('Your subscription continues, and there is nothing to pay.'),
  },
  renewing: {
    title: phrase('This subscription renews automatically'),
    text: phrase('There is nothing you need to do. Your account shows when it renews and for how much.'),
  },
  over: {
    title: phrase('This link is no longer valid'),
    text: phrase('It was valid for a few weeks after the end of the subscription. You can still order in the shop.'),
  },
  gone: {
    title: phrase('This subscription has ended'),
    text: phrase('This link can no longer renew it. You can order a new one in the shop.'),
  },
  unsold: {
    title: phrase('This subscription cannot be renewed here at the moment'),
    text: phrase('See the shop for what is available. If you have questions, contact the publisher below.'),
  },
}

export function InvalidLink({ shop, status }: { shop: Shop; status: LinkStatus }) {
  const t = useT()
  if (status === 'good' || status === 'closed') return null
  const { title, text } = texts[status]
  const isAccount = status === 'renewed' || status === 'renewing'
  return (
    <div className="card mx-auto max-w-xl p-5 sm:p-8">
      <h1 className="font-serif text-public-h2">{t(title)}</h1>
      <p className="mt-3 text-ink-2">{t(text)}</p>
      <div className="mt-8 flex flex-wrap gap-3">
        {isAccount ? (
          <ShopLink to={`/${shop.urlKey}/account`} isMain reloadDocument>
            {t('Your account')}
          </ShopLink>
        ) : (
          <ShopLink to={`/${shop.urlKey}`} isMain reloadDocument>
            {t('Return to {title}', { title: shop.publicationName })}
          </ShopLink>
        )}
      </div>
    </div>
  )
}
