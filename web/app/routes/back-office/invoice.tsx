import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { invoiceStateWords } from '#core/invoices/invoice.rules.ts'
import { getOrderInvoice } from '#core/invoices/order-invoice.query.ts'
import { countryName } from '#core/kernel/countries.ts'
import { printDay } from '#core/kernel/dates.ts'
import { formatMoney } from '#core/kernel/money.ts'
import { getOrder } from '#core/orders/get-order.query.ts'
import { getStorefront } from '#core/storefronts/get-storefront.query.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { enter } from '#web/app/http/enter.ts'
import { idParam } from '#web/app/http/param-id.ts'

type Loaded = Awaited<ReturnType<typeof loader>>

export const handle: CrumbHandle<Loaded> = {
  crumbs: ({ order }) => [
    { label: 'Sales Ledger', to: '/payments' },
    { label: `Order ${order.orderNumber}`, to: `/orderDetails/${order.id}` },
    { label: 'Invoice' },
  ],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Invoice ${data?.invoice?.number ?? ''} – Masthead` },
]

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const ctx = await enter(request, context, 'invoice')
  const id = idParam(params.orderId, 'The order')
  const order = await getOrder(ctx, { id })
  const { publisher } = await getStorefront(ctx, { urlKey: order.urlKey, evenClosed: true })
  const { companyName, addressLines, emailAddress, telephone } = publisher
  return {
    order,
    invoice: await getOrderInvoice(ctx, { orderId: id }),
    from: [companyName, ...addressLines, telephone, emailAddress].filter(Boolean),
    country: countryName(order.billing.country || order.country),
  }
}

/** The invoice as it is printed: the frame of the back office stays off the paper. */
export default function Invoice() {
  const { order, invoice, from, country } = useLoaderData<typeof loader>()
  const back = <LinkButton to={`/orderDetails/${order.id}`}>Back to the order</LinkButton>
  if (!invoice) {
    return (
      <>
        <PageHeader title="Invoice" actions={back} />
        <EmptyState title={`Order ${order.orderNumber} has no invoice`}>It was paid another way.</EmptyState>
      </>
    )
  }
  const { billing } = order
  const money = (amount: number) => formatMoney({ amount, currency: invoice.currency })
  const to = [
    [billing.title, billing.firstName, billing.lastName].filter(Boolean).join(' '),
    ...[billing.companyName, billing.addressOne, billing.addressTwo, billing.addressThree, billing.city],
    ...[billing.state, billing.postCode, country],
  ].filter(Boolean)
  const facts = [
    ['Invoice date', printDay(invoice.issuedOn)],
    ['Due', printDay(invoice.dueOn)],
    ['Order', order.orderNumber],
    ['Reference', order.staffNote],
    ['State', invoiceStateWords[invoice.state]],
  ].filter(([, value]) => value)
  const sums: [string, number][] = [
    ...(order.discount > 0
      ? [['Price', order.productPrice] as [string, number], ['Discount', -order.discount] as [string, number]]
      : []),
    ['Total', invoice.amount],
    ...(invoice.paid > 0 ? [['Paid', -invoice.paid] as [string, number]] : []),
    ...(invoice.credited > 0 ? [['Credited', -invoice.credited] as [string, number]] : []),
    ...(invoice.writtenOff > 0 ? [['Written off', -invoice.writtenOff] as [string, number]] : []),
    ['Still due', invoice.outstanding],
  ]
  return (
    <>
      <PageHeader title={`Invoice ${invoice.number}`} actions={<span className="no-print">{back}</span>} />
      <article className="card max-w-3xl space-y-6 p-4 lg:p-8 print:border-0 print:p-0">
        <div className="grid gap-6 sm:grid-cols-2 print:grid-cols-2">
          <Lines label="From" lines={from} />
          <Lines label="To" lines={to} />
        </div>
        <dl className="grid gap-x-6 gap-y-2 text-body sm:grid-cols-2 print:grid-cols-2">
          {facts.map(([label, value]) => (
            <div key={label}>
              <dt className="text-table text-muted">{label}</dt>
              <dd className="numeric wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
        <p className="text-body">
          {order.publicationName}: {order.productName}
          {order.subStartOn && order.subEndOn && (
            <span className="numeric">
              , {printDay(order.subStartOn)} to {printDay(order.subEndOn)}
            </span>
          )}
        </p>
        <dl className="numeric text-body">
          {sums.map(([label, amount]) => (
            <div key={label} className="flex justify-between gap-4 border-b border-line py-2">
              <dt>{label}</dt>
              <dd>
                {money(amount)} {invoice.currency}
              </dd>
            </div>
          ))}
        </dl>
      </article>
    </>
  )
}

function Lines({ label, lines }: { label: string; lines: readonly string[] }) {
  return (
    <div>
      <h2 className="text-table text-muted">{label}</h2>
      <address className="text-body wrap-anywhere whitespace-pre-line not-italic">{lines.join('\n')}</address>
    </div>
  )
}
