import { Link } from '@remix-run/react'
import type { OrderDetails } from '#core/orders/get-order.query.ts'
import { Section } from '#web/app/components/ui/facts.tsx'
import { Moment } from '#web/app/components/ui/formats.tsx'

/** The history of an order, in chronological order. */
export function TimelinePart({ timeline, timeZone }: { timeline: OrderDetails['timeline']; timeZone: string }) {
  return (
    <Section title="Timeline">
      <ol className="space-y-2 text-body">
        {timeline.map(({ at, what, detail, order: other }) => (
          <li key={`${String(at)}${what}${other?.id ?? ''}`} className="flex flex-wrap justify-between gap-x-4">
            <span className="min-w-0 wrap-anywhere">
              {what}
              {(detail || other) && (
                <span className="block text-table text-muted">
                  {detail && other ? `${detail}. ` : detail}
                  {other && (
                    <Link to={`/orderDetails/${other.id}`} className="link whitespace-nowrap">
                      Order {other.orderNumber}
                    </Link>
                  )}
                </span>
              )}
            </span>
            <span className="numeric text-ink-2">
              <Moment at={at} timeZone={timeZone} />
            </span>
          </li>
        ))}
      </ol>
    </Section>
  )
}
