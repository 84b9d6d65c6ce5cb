import { Link } from '@remix-run/react'
import { Fact, Facts, Section } from '#web/app/components/ui/facts.tsx'
import { DayText, Moment } from '#web/app/components/ui/formats.tsx'

interface Buyer {
  email: string
  firstSubStartOn: string | null
  lastLoginAt: Date | null
  readers: readonly { id: number; name: string; uniqueReference: string }[]
  otherOrders: readonly { id: number; orderNumber: string; orderedOn: string; productName: string }[]
  hasMore: { readers: boolean; otherOrders: boolean }
}

/** The buyer's account: its readers and other orders, each a link. */
export function BuyerPart({ buyer, timeZone }: { buyer: Buyer; timeZone: string }) {
  return (
    <Section title="Buyer’s account">
      <Facts>
        <Fact label="Email">{buyer.email}</Fact>
        <Fact label="Last log-in">
          <Moment at={buyer.lastLoginAt} timeZone={timeZone} />
        </Fact>
        <Fact label="Subscribed since">
          <DayText day={buyer.firstSubStartOn} />
        </Fact>
        <Fact label="Readers">
          {buyer.readers.length > 0 && (
            <ul className="space-y-1">
              {buyer.readers.map(({ id, name, uniqueReference }) => (
                <li key={id}>
                  <Link to={`/editreader/${id}`} className="link">
                    {name || uniqueReference}
                  </Link>
                </li>
              ))}
            </ul>
          )}
          {buyer.hasMore.readers && <LatestOnly count={buyer.readers.length} />}
        </Fact>
        <Fact label="Other orders" isWide>
          {buyer.otherOrders.length > 0 && (
            <ul className="space-y-1">
              {buyer.otherOrders.map(({ id, orderNumber, orderedOn, productName }) => (
                <li key={id}>
                  <Link to={`/orderDetails/${id}`} className="link numeric">
                    {orderNumber}
                  </Link>
                  , <DayText day={orderedOn} />, {productName}
                </li>
              ))}
            </ul>
          )}
          {buyer.hasMore.otherOrders && <LatestOnly count={buyer.otherOrders.length} />}
        </Fact>
      </Facts>
    </Section>
  )
}

function LatestOnly({ count }: { count: number }) {
  return <span className="block text-muted">Only the latest {count} are shown. Use the search to find the others.</span>
}
