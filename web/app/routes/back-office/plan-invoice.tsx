import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { formatDay } from '#core/kernel/dates.ts'
import { getPlatformInvoice, type PlatformInvoiceView } from '#core/plans/get-plan.query.ts'
import { pounds } from '#web/app/components/account/plan-texts.ts'
import { InvoiceParty } from '#web/app/components/buyer/invoice-document.tsx'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { idParam } from '#web/app/http/param-id.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

export const handle: CrumbHandle = {
  crumbs: () => [
    { label: 'My Account', to: '/account' },
    { label: 'Your plan', to: '/account/plan' },
    { label: 'Invoice' },
  ],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Invoice ${data?.invoice.number ?? ''} – Masthead` },
]

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'planInvoice')
  return { invoice: await getPlatformInvoice(ctx, { id: idParam(params.invoiceId, 'The invoice') }) }
}

const payments: Record<PlatformInvoiceView['state'], string> = {
  open: 'Not paid',
  paid: 'Paid',
  void: 'Void',
  uncollectible: 'Uncollectible',
}

/** A printable page: the frame of the back office is not printed. */
export default function PlanInvoicePage() {
  const { invoice } = useLoaderData<typeof loader>()
  const { number, seller, customer, lines, total, vat, vatPercent, issuedOn, paidOn, state } = invoice
  const isVat = vatPercent !== null
  const name = total < 0 ? 'Credit note' : isVat && seller.vatNumber ? 'VAT invoice' : 'Invoice'
  return (
    <>
      <div className="no-print">
        <PageHeader
          title={`${name} ${number}`}
          actions={<LinkButton to="/account/plan">Back to your plan</LinkButton>}
        />
      </div>
      <article className="card max-w-3xl space-y-6 p-4 lg:p-8 print:border-0 print:p-0">
        <h2 className="text-h2 font-semibold">{`${name} ${number}`}</h2>
        <div className="grid gap-6 sm:grid-cols-2 print:grid-cols-2">
          <InvoiceParty
            label="From"
            lines={[...seller.lines, ...(seller.vatNumber ? [`VAT number ${seller.vatNumber}`] : [])]}
          />
          <InvoiceParty label="To" lines={customer.lines} />
        </div>
        <dl className="grid gap-x-6 gap-y-2 text-body sm:grid-cols-2 print:grid-cols-2">
          <Row label="Date and tax point" value={formatDay(issuedOn)} />
          <Row label="Payment" value={state === 'paid' && paidOn ? `Paid on ${formatDay(paidOn)}` : payments[state]} />
          <Row label="Payment provider’s reference" value={invoice.reference} />
        </dl>
        <dl className="numeric text-body">
          {lines.map(({ text, amount }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an invoice keep their order
            <Sum key={index} label={text} amount={amount} />
          ))}
          {isVat && <Sum label="Total excluding VAT" amount={total - vat} />}
          {isVat && <Sum label={`VAT at ${vatPercent}%`} amount={vat} />}
          <Sum label="Total" amount={total} />
        </dl>
        {!isVat && (
          <p className="text-body text-ink-2">
            No UK VAT is charged: the customer is based in another country. Business customers there may have to account
            for VAT themselves (reverse charge).
          </p>
        )}
      </article>
    </>
  )
}

function Row({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt className="text-table text-muted">{label}</dt>
      <dd className="numeric wrap-anywhere">{value}</dd>
    </div>
  )
}

function Sum({ label, amount }: { label: string; amount: number }) {
  return (
    <div className="flex justify-between gap-4 border-b border-line py-2 last:font-semibold">
      <dt>{label}</dt>
      <dd>{pounds(amount)}</dd>
    </div>
  )
}
