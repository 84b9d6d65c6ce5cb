import { notTakingNewMessage } from '#core/storefronts/storefront.rules.ts'
import { useT } from '../../i18n/use-t.tsx'
import type { Shop } from './shop-frame.tsx'

/** Shown instead of the order form while no new subscriptions are taken. Existing buyers can still log in and renew. */
export function NotTakingNew({ shop }: { shop: Shop }) {
  const t = useT()
  return (
    <div className="card mx-auto max-w-xl p-6 sm:p-8">
      <p className="text-lead">{t.phrase(notTakingNewMessage(shop))}</p>
      <p className="mt-5">
        <a
          href={`/${shop.urlKey}/login`}
          className="inline-flex min-h-12 items-center justify-center rounded-input border border-line px-5 py-2 text-body font-semibold text-ink no-underline"
        >
          {t('Log in')}
        </a>
      </p>
    </div>
  )
}
