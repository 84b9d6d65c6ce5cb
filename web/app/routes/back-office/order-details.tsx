import { randomUUID } from 'node:crypto'
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, Link, type ShouldRevalidateFunction, useActionData, useLoaderData } from '@remix-run/react'
import { invoiceStateLabels } from '#core/invoices/invoice.rules.ts'
import { getOrderInvoice } from '#core/invoices/order-invoice.query.ts'
import { countryName } from '#core/kernel/countries.ts'
import { formatMoney } from '#core/kernel/money.ts'
import { countOf } from '#core/kernel/text-format.ts'
import { orderChannels } from '#core/ledger/order-choices.rules.ts'
import { cancelUnpaidOrder } from '#core/orders/cancel-unpaid-order.ts'
import { getOrder, type OrderDetails } from '#core/orders/get-order.query.ts'
import { heldPayments } from '#core/orders/held-payments.query.ts'
import { getOrderBuyer } from '#core/orders/order-buyer.query.ts'
import { postCopies, unpostCopies } from '#core/orders/post-copies.ts'
import { recordInvoicePayment } from '#core/orders/record-invoice-payment.ts'
import { planRefund, refundOrder } from '#core/orders/refund-order.ts'
import { resendReceipt } from '#core/orders/resend-receipt.ts'
import { writeOffInvoice } from '#core/orders/write-off-invoice.ts'
import { paymentStateLabels } from '#core/payment-methods/payment-states.rules.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { AmountsPart } from '#web/app/components/orders/amounts-part.tsx'
import { BuyerPart } from '#web/app/components/orders/buyer-part.tsx'
import { HeldPaymentBanner } from '#web/app/components/orders/held-payments.tsx'
import { InvoicePart, invoiceTones } from '#web/app/components/orders/invoice-part.tsx'
import { RefundPart, type RefundPreview } from '#web/app/components/orders/refund-part.tsx'
import { TimelinePart } from '#web/app/components/orders/timeline-part.tsx'
import { VatPart } from '#web/app/components/orders/vat-part.tsx'
import { OrderRenewalPart } from '#web/app/components/renewals/order-renewal-part.tsx'
import { Badge } from '#web/app/components/ui/badge.tsx'
import { Banner } from '#web/app/components/ui/banner.tsx'
import { Button, LinkButton } from '#web/app/components/ui/button.tsx'
import { Fact, Facts, Section } from '#web/app/components/ui/facts.tsx'
import { DayText, Moment } from '#web/app/components/ui/formats.tsx'
import { PreviousNextLinks } from '#web/app/components/ui/previous-next-links.tsx'
import { SubTypeText } from '#web/app/components/ui/reader-cells.tsx'
import { withCountryName } from '#web/app/http/country-choices.ts'
import { readForm, submit } from '#web/app/http/form.ts'
import { ledgerQuery, ordersOf } from '#web/app/http/ledger-params.ts'
import { positionInList } from '#web/app/http/list-position.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

type Loaded = Awaited<ReturnType<typeof loader>>

export const handle: CrumbHandle<Loaded> = {
  crumbs: ({ order, list }) => [{ label: 'Sales Ledger', to: list }, { label: `Order ${order.orderNumber}` }],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Order ${data?.order.orderNumber ?? ''} – Masthead` },
]

/** Also after a refusal: if another user changed the order, the figures to check again must be the new ones. */
export const shouldRevalidate: ShouldRevalidateFunction = () => true

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'orderDetails')
  const id = idParam(params.orderId, 'The order')
  const order = await getOrder(ctx, { id })
  const list = new URL(request.url).searchParams.get('list')
  const nameOf = (code: string | undefined) => (code ? countryName(code) : '')
  return {
    order: { ...order, vat: order.vat.map(withCountryName) },
    buyer: await getOrderBuyer(ctx, { id }),
    list: listAddress(list),
    position: await positionInList(id, list, (filters) => ordersOf(ctx, ledgerQuery(filters))),
    held: order.payment?.state === 'mismatch' ? ((await heldPayments(ctx, { orderId: id }))[0] ?? null) : null,
    invoice: await getOrderInvoice(ctx, { orderId: id }),
    // Idempotency key of the receipt that this page's button sends: a double click sends one email.
    receiptKey: randomUUID(),
    countries: { billing: nameOf(order.billing.country || order.country), shipping: nameOf(order.shipping?.country) },
    timeZone: ctx.settings.timeZone,
  }
}

/** The ledger's address with its filters. */
function listAddress(list: string | null): string {
  return `/payments${list?.startsWith('?') ? list : ''}`
}

export async function action({ request, context, params }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'orderDetails')
  const id = idParam(params.orderId, 'The order')
  // Another publisher's order is a 404, regardless of the form's content.
  const order = await getOrder(ctx, { id })
  const values = await readForm(request)
  const list = new URL(request.url).searchParams.get('list')
  const currentUrl = `/orderDetails/${id}${list ? `?list=${encodeURIComponent(list)}` : ''}`
  const { amount = '', reason = '' } = values
  return submit(context, values, async () => {
    if (values.intent === 'receipt') {
      const { to } = await resendReceipt(ctx, { id, key: values.key })
      return redirectWithToast(context, currentUrl, { kind: 'success', text: `The receipt is on its way to ${to}` })
    }
    if (values.intent === 'post') {
      await postCopies(ctx, { orderIds: [id] })
      return redirectWithToast(context, currentUrl, { kind: 'success', text: 'Marked as posted' })
    }
    if (values.intent === 'unpost') {
      await unpostCopies(ctx, { orderIds: [id] })
      return redirectWithToast(context, currentUrl, { kind: 'success', text: 'Marked as not posted' })
    }
    if (values.intent === 'payment') {
      const { outstanding } = await recordInvoicePayment(ctx, { ...values, orderId: id })
      const startNote = order.state === 'pending' ? ', and the subscription begins' : ''
      const text = outstanding === 0 ? `The invoice is paid${startNote}` : 'Payment recorded'
      return redirectWithToast(context, currentUrl, { kind: 'success', text })
    }
    if (values.intent === 'cancel-order') {
      await cancelUnpaidOrder(ctx, { ...values, orderId: id })
      return redirectWithToast(context, currentUrl, { kind: 'success', text: 'Order cancelled' })
    }
    if (values.intent === 'write-off') {
      const { writtenOff } = await writeOffInvoice(ctx, { ...values, orderId: id })
      const money = formatMoney({ amount: writtenOff, currency: order.currency })
      return redirectWithToast(context, currentUrl, { kind: 'success', text: `${money} written off` })
    }
    if (values.intent !== 'refund') {
      const key = values.key || randomUUID()
      const { orderNumber: _, isMade, ...plan } = await planRefund(ctx, { id, ...values, key })
      const input: RefundPreview = { ...plan, key, values: { scope: plan.scope, amount, reason, method: plan.method } }
      if (!isMade) return { preview: input }
    }
    const refund = await refundOrder(ctx, { id, ...values })
    const money = formatMoney({ amount: refund.amount, currency: refund.currency })
    if (refund.state === 'failed' || refund.state === 'cancelled') {
      return redirectWithToast(context, currentUrl, {
        kind: 'error',
        text: 'Not refunded',
        detail: refund.problem ?? '',
      })
    }
    if (refund.state === 'planned') {
      const detail =
        'The payment provider is not responding. The request is repeated until it does; nothing is refunded twice.'
      return redirectWithToast(context, currentUrl, { kind: 'success', text: `Refund of ${money} is waiting`, detail })
    }
    const text = refund.method === 'credit' ? `${money} kept as credit` : `${money} refunded`
    return redirectWithToast(context, currentUrl, { kind: 'success', text })
  })
}

const states: Record<string, { text: string; tone: 'success' | 'warning' | 'danger' | 'neutral' }> = {
  paid: { text: 'Paid', tone: 'success' },
  refunded: { text: 'Refunded', tone: 'neutral' },
  reversed: { text: 'Reversed', tone: 'danger' },
  pending: { text: 'Waiting for payment', tone: 'warning' },
  declined: { text: 'Declined', tone: 'danger' },
  cancelled: { text: 'Cancelled', tone: 'neutral' },
}

/** Errors of the buttons at the top of the page. */
const problemTitles: Record<string, string> = {
  receipt: 'Receipt not sent',
  post: 'Not marked as posted',
  unpost: 'Still marked as posted',
}

export default function Order() {
  const { order, held, invoice, buyer, list, position, receiptKey, countries, timeZone } =
    useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const isFree = order.paymentType === 'Free'
  const isBackIssues = order.kind === 'back-issues'
  const oversold = order.items.filter((item) => item.isOversold)
  const isOnAccount = invoice !== null && order.state === 'paid'
  const state = isOnAccount
    ? { text: `Invoice: ${invoiceStateLabels[invoice.state].toLowerCase()}`, tone: invoiceTones[invoice.state] }
    : (states[order.state] ?? { text: order.state, tone: 'neutral' as const })
  const problem = actionData && 'problem' in actionData ? actionData.problem : undefined
  // After a failure the same key is sent again: the receipt may have been sent.
  const sentReceiptKey = problem?.keepsKeys && problem.values.intent === 'receipt' ? problem.values.key : undefined
  return (
    <>
      {position && <PreviousNextLinks {...position} noun="order" pageOf={(id) => `/orderDetails/${id}`} />}
      <PageHeader
        title={
          <>
            Order <span className="whitespace-nowrap">{order.orderNumber}</span>{' '}
            <Badge tone={state.tone}>{state.text}</Badge>
          </>
        }
        note={
          <>
            {order.publicationName}, ordered <Moment at={order.placedAt} timeZone={timeZone} />
          </>
        }
        actions={
          <>
            {order.state === 'paid' && (!invoice || invoice.state === 'paid') && (
              <Form method="post">
                <input type="hidden" name="intent" value="receipt" />
                <input type="hidden" name="key" value={sentReceiptKey ?? receiptKey} />
                <Button type="submit">Resend receipt</Button>
              </Form>
            )}
            {isBackIssues && order.state === 'paid' && <PostedButton isPosted={order.postedOn !== null} />}
            <LinkButton to={list}>Back to Sales Ledger</LinkButton>
          </>
        }
      />
      {problem && problemTitles[problem.values?.intent ?? ''] && (
        <div className="mb-4">
          <Banner tone="danger" title={problemTitles[problem.values?.intent ?? ''] ?? ''} isAlert>
            {problem.message}
          </Banner>
        </div>
      )}
      {held && (
        <div className="mb-4">
          <HeldPaymentBanner held={held} />
        </div>
      )}
      {oversold.length > 0 && (
        <div className="mb-4">
          <Banner tone="warning" title={`Oversold: ${oversold.map(({ description }) => description).join(', ')}`}>
            The payment arrived after the last copy was sold. Send one anyway, or refund the order and tell the buyer.
          </Banner>
        </div>
      )}
      {/* The next order of the list is the same route: nothing typed for this one may stay in its forms. */}
      <div key={order.id} className="grid items-start gap-4 xl:grid-cols-2">
        <div className="space-y-4">
          <Section title="Order">
            <Facts>
              <Fact label="Product">{order.productName}</Fact>
              <Fact label="Payment">
                {order.paymentType}
                {order.payment?.lastFour && `, ending ${order.payment.lastFour}`}
              </Fact>
              {isBackIssues ? (
                <>
                  <Fact label="Type">Single &amp; back issues</Fact>
                  <Fact label="Posted">
                    {order.postedOn ? <DayText day={order.postedOn} /> : order.state === 'paid' ? 'Not yet' : '-'}
                  </Fact>
                </>
              ) : (
                <>
                  <Fact label="Type">
                    <SubTypeText type={order.product ?? ''} />
                  </Fact>
                  <Fact label="Term">{order.termMonths ? countOf(order.termMonths, 'month') : '-'}</Fact>
                  <Fact label="Start">
                    <DayText day={order.subStartOn} />
                  </Fact>
                  <Fact label="End">
                    <DayText day={order.subEndOn} />
                  </Fact>
                  <Fact label="Renews automatically">{order.isRecurring ? 'Yes' : 'No'}</Fact>
                  <Fact label="Gift">{order.isGift ? 'Yes' : 'No'}</Fact>
                </>
              )}
              <Fact label="Channel">{orderChannels[order.channel]}</Fact>
              {order.utmSource && (
                <Fact label="Traffic source">
                  {[order.utmSource, order.utmMedium, order.utmCampaign].filter(Boolean).join(', ')}
                </Fact>
              )}
              {order.takenBy && <Fact label="Entered by">{order.takenBy}</Fact>}
              {order.staffNote && <Fact label={isFree ? 'Why it is free' : 'Reference'}>{order.staffNote}</Fact>}
              <Fact label={invoice ? 'Entered' : 'Paid'}>
                <Moment at={order.paidAt} timeZone={timeZone} />
              </Fact>
              {order.payment && !isFree && <PaymentFacts payment={order.payment} timeZone={timeZone} />}
              <Fact label="Reader">
                {order.readerId ? (
                  <Link to={`/editreader/${order.readerId}`} className="link">
                    Open the reader’s record
                  </Link>
                ) : (
                  '-'
                )}
              </Fact>
            </Facts>
          </Section>
          <AmountsPart order={order} />
          {invoice && (
            <InvoicePart
              orderId={order.id}
              invoice={invoice}
              buyerCredit={order.buyerCredit}
              paymentKey={receiptKey}
              problem={problem}
            />
          )}
          <VatPart lines={order.vat} />
          {!isFree && (
            <RefundPart
              order={order}
              due={invoice?.outstanding ?? 0}
              preview={actionData && 'preview' in actionData ? actionData.preview : undefined}
              problem={problem}
            />
          )}
        </div>
        <div className="space-y-4">
          <Section title="Billing address">
            <Address person={order} address={order.billing} country={countries.billing} />
            <Facts>
              <Fact label="Email">{order.email}</Fact>
              <Fact label="Mobile">{order.mobile}</Fact>
              {order.vatNumber && <Fact label="VAT number">{order.vatNumber}</Fact>}
            </Facts>
          </Section>
          <Section title="Shipping address">
            {order.shipping?.postCode ? (
              <Address person={order.shipping} address={order.shipping} country={countries.shipping} />
            ) : (
              <p className="text-body">Shipping Address same as Billing Address</p>
            )}
          </Section>
          {buyer && <BuyerPart buyer={buyer} timeZone={timeZone} />}
          {order.renewal && <OrderRenewalPart orderId={order.id} renewal={order.renewal} readerId={order.readerId} />}
          <TimelinePart timeline={order.timeline} timeZone={timeZone} />
        </div>
      </div>
    </>
  )
}

function PostedButton({ isPosted }: { isPosted: boolean }) {
  return (
    <Form method="post">
      <input type="hidden" name="intent" value={isPosted ? 'unpost' : 'post'} />
      <Button type="submit">{isPosted ? 'Mark as not posted' : 'Mark as posted'}</Button>
    </Form>
  )
}

/** The state of the payment; for a debit its day, and when and why an order was reversed. */
function PaymentFacts({ payment, timeZone }: { payment: Loaded['order']['payment'] & object; timeZone: string }) {
  return (
    <>
      <Fact label="Payment status">{paymentStateLabels[payment.state]}</Fact>
      {payment.chargedOn && (
        <Fact label="Debit expected">
          <DayText day={payment.chargedOn} />
        </Fact>
      )}
      {payment.takenBackAt && (
        <Fact label="Reversed">
          <Moment at={payment.takenBackAt} timeZone={timeZone} />
        </Fact>
      )}
      {payment.reason && <Fact label="Reason">{payment.reason}</Fact>}
    </>
  )
}

type Address = OrderDetails['billing']

function Address({
  person,
  address,
  country,
}: {
  person: Pick<Address, 'title' | 'firstName' | 'lastName'>
  address: Address
  country: string
}) {
  const name = [person.title, person.firstName, person.lastName].filter(Boolean).join(' ')
  const lines = [
    name,
    address.companyName,
    address.addressOne,
    address.addressTwo,
    address.addressThree,
    address.city,
    address.state,
    address.postCode,
    country,
  ]
  return (
    <address className="mb-4 text-body whitespace-pre-line not-italic last:mb-0">
      {lines.filter(Boolean).join('\n')}
    </address>
  )
}
