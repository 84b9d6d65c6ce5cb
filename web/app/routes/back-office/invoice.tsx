import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { getInvoiceDocuments } from '#core/emails/invoice-documents.query.ts'
import { getOrder } from '#core/orders/get-order.query.ts'
import { InvoiceDocument } from '#web/app/components/buyer/invoice-document.tsx'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { PrintButton } from '#web/app/components/ui/print-button.tsx'
import { idParam } from '#web/app/http/param-id.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

type Loaded = Awaited<ReturnType<typeof loader>>

export const handle: CrumbHandle<Loaded> = {
  crumbs: ({ order }) => [
    { label: 'Sales Ledger', to: '/payments' },
    { label: `Order ${order.orderNumber}`, to: `/orderDetails/${order.id}` },
    { label: 'Invoice' },
  ],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Invoice ${data?.documents[0]?.number ?? ''} – Masthead` },
]

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'invoice')
  const orderId = idParam(params.orderId, 'The order')
  const { id, orderNumber } = await getOrder(ctx, { id: orderId })
  return { order: { id, orderNumber }, documents: await getInvoiceDocuments(ctx, { orderId }) }
}

/** The printable invoice with its credit notes, in the buyer's language. The menu of the back office is not printed. */
export default function Invoice() {
  const { order, documents } = useLoaderData<typeof loader>()
  const [invoice] = documents
  const back = <LinkButton to={`/orderDetails/${order.id}`}>Back to the order</LinkButton>
  if (!invoice) {
    return (
      <>
        <PageHeader title="Invoice" actions={back} />
        <EmptyState title={`Order ${order.orderNumber} has no invoice`}>
          The order was paid by another payment method.
        </EmptyState>
      </>
    )
  }
  return (
    <>
      <div className="no-print">
        <PageHeader
          title={invoice.title}
          actions={
            <>
              <PrintButton />
              {back}
            </>
          }
        />
      </div>
      <div className="max-w-3xl space-y-4">
        {documents.map((document) => (
          <InvoiceDocument key={document.number} document={document} />
        ))}
      </div>
    </>
  )
}
