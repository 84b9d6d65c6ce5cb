import { Form } from '@remix-run/react'
import type { PromoConditions } from '#core/pricing/discount.rules.ts'
import { type PromoStatus, promoDay, promoLink, usesText, validFor } from '#core/promos/promo.rules.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Fact, Facts } from '../ui/facts.tsx'

/** The data of a promo code card. */
interface PromoCardData extends PromoConditions {
  id: number
  name: string
  code: string
  urlKey: string
  status: PromoStatus
}

const statuses: Record<PromoStatus, { label: string; tone: 'success' | 'info' | 'warning' | 'neutral' }> = {
  live: { label: 'Live', tone: 'success' },
  scheduled: { label: 'Scheduled', tone: 'info' },
  'used up': { label: 'Used up', tone: 'warning' },
  expired: { label: 'Expired', tone: 'neutral' },
}

interface PromoCardProps {
  promo: PromoCardData
  /** The base URL of the links for buyers. */
  appUrl: string
  onDelete: () => void
}

/** A promo code: its state, discount, number of uses, and buttons. */
export function PromoCard({ promo, appUrl, onDelete }: PromoCardProps) {
  const { label, tone } = statuses[promo.status]
  const canBeShared = promo.status === 'live' || promo.status === 'scheduled'
  const link = promoLink(appUrl, promo)
  const headingId = `promo-${promo.id}`
  return (
    <li className="card flex flex-col p-4 lg:p-5" aria-labelledby={headingId}>
      <div className="flex items-start justify-between gap-3">
        <h2 id={headingId} className="min-w-0 text-lead wrap-anywhere">
          {promo.name}
        </h2>
        <Badge tone={tone}>{label}</Badge>
      </div>
      <p className="mt-1 mb-3 flex min-h-8 items-center gap-1 text-body">
        <span className="min-w-0 font-semibold tracking-wide wrap-anywhere">{promo.code}</span>
        <CopyButton text={promo.code} label={`Copy the code ${promo.code}`} />
      </p>
      <Facts>
        <Fact label="Discount">{`${promo.discountPercent}%`}</Fact>
        <Fact label="Used">{usesText(promo)}</Fact>
        <Fact label="Start date">{promoDay(promo.startsOn) || 'At once'}</Fact>
        <Fact label="End date">{promoDay(promo.endsOn) || 'No end'}</Fact>
        <Fact label="Valid for" isWide>
          <span className="block first-letter:uppercase">{validFor(promo.applicableProducts)}</span>
        </Fact>
      </Facts>
      {canBeShared && (
        <div className="mt-3">
          <p className="text-table text-muted">Link that applies the code</p>
          <p className="flex min-h-8 items-center gap-1 text-body">
            <a href={link} target="_blank" rel="noreferrer" className="link min-w-0 wrap-anywhere">
              {link}
              <span className="sr-only"> (opens in a new tab)</span>
            </a>
            <CopyButton text={link} label={`Copy the link of ${promo.code}`} />
          </p>
        </div>
      )}
      <div className="mt-auto flex flex-wrap gap-2 pt-4">
        <LinkButton to={`/editpromo/${promo.id}`} size="small" aria-label={`Edit Promo Code ${promo.code}`}>
          Edit Promo Code
        </LinkButton>
        {/* Without JavaScript the confirmation is a page. */}
        <Form method="get">
          <input type="hidden" name="delete" value={promo.id} />
          <Button
            type="submit"
            size="small"
            aria-label={`Delete Promo Code ${promo.code}`}
            onClick={(event) => {
              event.preventDefault()
              onDelete()
            }}
          >
            Delete Promo Code
          </Button>
        </Form>
      </div>
    </li>
  )
}
