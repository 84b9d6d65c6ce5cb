import { Form, useNavigation } from '@remix-run/react'
import type { TestOrder } from '#core/first-run/list-test-orders.query.ts'
import { formatMoney } from '#core/kernel/money.ts'
import { Banner } from '../ui/banner.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { FactLine, FactLines } from '../ui/fact-lines.tsx'
import { Moment } from '../ui/formats.tsx'

interface TestOrderPlacedProps {
  order: TestOrder
  publicationId: number
  publicationName: string
}

/** The result of a test order, and what a real buyer would receive now. */
export function TestOrderPlaced({ order, publicationId, publicationName }: TestOrderPlacedProps) {
  return (
    <div lang="en" className="mx-auto card max-w-2xl p-5 sm:p-8">
      <h1 className="font-serif text-public-h2">Your test order worked</h1>
      <p className="mt-3 text-ink-2">
        A buyer would now be thanked, get a receipt by email, and become one of your readers. You would get a notice,
        and the order would be in your sales ledger.
      </p>
      <FactLines className="mt-6">
        <FactLine label="Test order">{`TEST-${order.id}`}</FactLine>
        <FactLine label="Publication">{publicationName}</FactLine>
        <FactLine label="Subscription">{order.productName}</FactLine>
        {order.discount > 0 && (
          <FactLine label={`Promo code ${order.promoCode}`}>
            {`−${formatMoney({ amount: order.discount, currency: order.currency })}`}
          </FactLine>
        )}
        <FactLine label="Total">{order.amount === 0 ? 'Free' : `${formatMoney(order)} ${order.currency}`}</FactLine>
      </FactLines>
      <div className="mt-6">
        <Banner title="This was a test">
          No money moved, no email was sent, and the order does not appear in any ledger, figure or export. The buyer
          details you entered are not stored.
        </Banner>
      </div>
      <div className="mt-6 flex flex-wrap gap-3">
        <a href="/dashboard" className={buttonClass('primary', 'large')}>
          Back to the dashboard
        </a>
        <a href={`/publications/${publicationId}/preview#choose`} className={buttonClass('secondary', 'large')}>
          Place another test order
        </a>
        <RemoveTestOrder order={order} publicationId={publicationId} size="large" />
      </div>
    </div>
  )
}

interface ListProps {
  orders: readonly TestOrder[]
  publicationId: number
  timeZone: string
}

/** The test orders of a title that were not removed. */
export function TestOrderList({ orders, publicationId, timeZone }: ListProps) {
  return (
    <section lang="en" aria-labelledby="test-orders" className="mt-8 card p-4 lg:p-5">
      <h2 id="test-orders" className="text-h3">
        Test orders
      </h2>
      <p className="mt-1 text-body text-ink-2">
        Only you and your colleagues see them. They are not counted in any figure.
      </p>
      <ul className="mt-2 divide-y divide-line">
        {orders.map((order) => (
          <li key={order.id} className="flex flex-wrap items-center justify-between gap-3 py-2 text-body">
            <p className="min-w-0">
              <span className="font-medium">{`TEST-${order.id}`}</span>
              {` ${order.productName}, ${order.amount === 0 ? 'free' : formatMoney(order)}, `}
              <Moment at={order.createdAt} timeZone={timeZone} />
            </p>
            <RemoveTestOrder order={order} publicationId={publicationId} size="small" />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface RemoveProps {
  order: TestOrder
  publicationId: number
  size: 'small' | 'large'
}

function RemoveTestOrder({ order, publicationId, size }: RemoveProps) {
  const isPending = useNavigation().formData?.get('testOrderId') === String(order.id)
  return (
    <Form method="post" action={`/publications/${publicationId}/preview`}>
      <Button
        type="submit"
        name="testOrderId"
        value={order.id}
        kind={size === 'large' ? 'quiet' : 'secondary'}
        size={size}
        isPending={isPending}
      >
        Remove test order<span className="sr-only">{` TEST-${order.id}`}</span>
      </Button>
    </Form>
  )
}
