import Eye from 'lucide-react/icons/eye'
import { demoCards, groupedCard } from '#core/payment-methods/demo-cards.rules.ts'
import type { Shop } from '../storefront/shop-frame.tsx'

const link = 'inline-flex min-h-8 items-center font-medium text-white underline underline-offset-3 hover:decoration-2'

/** The bar above a previewed storefront, in the language of the back office, with a link back there. */
export function PreviewStrip({ shop, isExample }: { shop: Shop; isExample: boolean }) {
  return (
    <aside
      lang="en"
      aria-label="Preview"
      className="on-dark flex flex-wrap items-center gap-x-6 gap-y-1 bg-nav px-4 py-3 text-body text-white"
    >
      <Eye size={18} aria-hidden="true" className="shrink-0 max-sm:hidden" />
      <p className="min-w-0 grow basis-80">
        <strong className="font-semibold">
          {isExample ? 'Preview of your example title.' : `Preview of ${shop.publicationName}.`}
        </strong>{' '}
        {`This is only a preview. To try an order, use the card ${groupedCard(demoCards.paid)}: no money moves, no email is sent and nothing is counted.`}
      </p>
      <p className="flex flex-wrap gap-x-6">
        <a href="/dashboard" className={link}>
          Back to the dashboard
        </a>
        <a href="/publications" className={link}>
          Publications
        </a>
      </p>
    </aside>
  )
}
