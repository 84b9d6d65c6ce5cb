import { Link } from '@remix-run/react'
import { type InvoiceState, invoiceStateLabels } from '#core/invoices/invoice.rules.ts'
import { type Currency, currencySymbol, formatMoney } from '#core/kernel/money.ts'
import { countOf } from '#core/kernel/text-format.ts'
import {
  type InvoicePaymentMethod,
  manualPaymentMethods,
  paymentTypes,
} from '#core/payment-methods/payment-methods.rules.ts'
import { Badge } from '#web/app/components/ui/badge.tsx'
import { ExpandableDetails } from '#web/app/components/ui/expandable-details.tsx'
import { Fact, Facts, Section } from '#web/app/components/ui/facts.tsx'
import { Form, FormButtons, type Refusal, SubmitButton, useForm } from '#web/app/components/ui/form.tsx'
import { CheckboxField, MoneyField, SelectField, TextField } from '#web/app/components/ui/form-fields.tsx'
import { DayText, Money } from '#web/app/components/ui/formats.tsx'
import { GoneFormProblem } from '#web/app/components/ui/gone-form-problem.tsx'

interface Invoice {
  number: string
  state: InvoiceState
  issuedOn: string
  dueOn: string
  daysOverdue: number
  currency: Currency
  amount: number
  paid: number
  credited: number
  writtenOff: number
  outstanding: number
  payments: readonly { id: number; paidOn: string; amount: number; method: InvoicePaymentMethod; reference: string }[]
  creditNotes: readonly { id: number; number: string; issuedOn: string; amount: number; reason: string }[]
  beginsWhenPaid: boolean
}

export const invoiceTones: Record<InvoiceState, 'success' | 'warning' | 'danger' | 'neutral'> = {
  unpaid: 'warning',
  'part-paid': 'warning',
  overdue: 'danger',
  paid: 'success',
  credited: 'neutral',
  cancelled: 'neutral',
  'written-off': 'neutral',
}

interface Props {
  orderId: number
  invoice: Invoice
  /** The credit that the buyer has left, in minor units of the invoice's currency. */
  buyerCredit: number
  /** The idempotency key of the next payment. Every response contains a new key, which must not reset the form. */
  paymentKey: string
  problem: Refusal | undefined
}

/** The invoice of an order on account: its state, and the forms to record a payment and to write off the balance. */
export function InvoicePart({ orderId, invoice, buyerCredit, paymentKey, problem }: Props) {
  const { currency, payments, creditNotes, outstanding } = invoice
  const isProForma = invoice.beginsWhenPaid && outstanding > 0
  const money = (amount: number) => <Money value={{ amount, currency }} />
  const formProps = { invoice, buyerCredit, paymentKey, problem }
  const shown = {
    payment: outstanding > 0 || invoice.writtenOff > 0,
    'write-off': outstanding > 0 && !isProForma,
    'cancel-order': isProForma,
  }
  const reference = problem?.values?.reference
  return (
    <Section
      title={`${isProForma ? 'Pro forma invoice' : 'Invoice'} ${invoice.number}`}
      action={
        <Link to={`/orderDetails/${orderId}/invoice`} className="link text-table">
          Print the invoice
        </Link>
      }
    >
      <Facts>
        <Fact label="Status">
          <Badge tone={invoiceTones[invoice.state]}>{invoiceStateLabels[invoice.state]}</Badge>
        </Fact>
        <Fact label="Still due">{money(outstanding)}</Fact>
        <Fact label="Issued">
          <DayText day={invoice.issuedOn} />
        </Fact>
        <Fact label="Due">
          <DayText day={invoice.dueOn} />
          {invoice.daysOverdue > 0 && `, ${countOf(invoice.daysOverdue, 'day')} overdue`}
        </Fact>
        <Fact label="Paid">{money(invoice.paid)}</Fact>
        {isProForma && <Fact label="Begins">When it is paid in full</Fact>}
        {invoice.credited > 0 && invoice.state !== 'cancelled' && (
          <Fact label="Credited">{money(invoice.credited)}</Fact>
        )}
        {invoice.writtenOff > 0 && <Fact label="Written off">{money(invoice.writtenOff)}</Fact>}
      </Facts>
      {(payments.length > 0 || creditNotes.length > 0) && (
        <ul className="mt-4 space-y-2 text-body">
          {payments.map(({ id, paidOn, amount, method, reference }) => (
            <li key={`p${id}`} className="flex flex-wrap justify-between gap-x-4">
              <span>
                <DayText day={paidOn} />, {paymentTypes[method]}
                {reference && `, ${reference}`}
              </span>
              {money(amount)}
            </li>
          ))}
          {creditNotes.map(({ id, number, issuedOn, amount, reason }) => (
            <li key={`c${id}`} className="flex flex-wrap justify-between gap-x-4">
              <span>
                <DayText day={issuedOn} />, credit note {number}
                {reason && `: ${reason}`}
              </span>
              {money(-amount)}
            </li>
          ))}
        </ul>
      )}
      {problem && (
        <div className="mt-4 empty:hidden">
          <GoneFormProblem
            problem={problem}
            shown={shown}
            failures={failures}
            typed={reference && `reference entered: ${reference}`}
          />
        </div>
      )}
      {outstanding > 0 && (
        <>
          <PaymentForm key={invoice.paid} {...formProps} />
          {isProForma ? (
            <ExpandableDetails className="mt-5" isOpen={problem?.values?.intent === 'cancel-order'}>
              <summary className="link inline-block cursor-pointer text-table">Cancel the order</summary>
              <CancelForm problem={problem} />
            </ExpandableDetails>
          ) : (
            <ExpandableDetails className="mt-5" isOpen={problem?.values?.intent === 'write-off'}>
              <summary className="link inline-block cursor-pointer text-table">Write off the balance</summary>
              <WriteOffForm invoice={invoice} problem={problem} />
            </ExpandableDetails>
          )}
        </>
      )}
      {outstanding === 0 && invoice.writtenOff > 0 && (
        <ExpandableDetails className="mt-5" isOpen={problem?.values?.intent === 'payment'}>
          <summary className="link inline-block cursor-pointer text-table">Record a late payment</summary>
          <p className="mt-3 text-body text-ink-2">
            It reverses the same amount of the write-off, dated today. A subscription that was ended is not restarted.
          </p>
          <PaymentForm key={invoice.paid} {...formProps} />
        </ExpandableDetails>
      )}
    </Section>
  )
}

const failures = {
  payment: 'Payment not recorded',
  'write-off': 'Not written off',
  'cancel-order': 'Order not cancelled',
}

function PaymentForm({
  invoice: { currency, outstanding, writtenOff, beginsWhenPaid },
  buyerCredit,
  paymentKey,
  problem,
}: {
  invoice: Invoice
  buyerCredit: number
  paymentKey: string
  problem: Refusal | undefined
}) {
  const form = useForm({
    problem,
    labels: { amount: 'Amount', method: 'How it was paid', paidOn: 'Day', reference: 'Reference' },
    identifiedBy: { intent: 'payment' },
    keys: { key: paymentKey },
    values: { method: 'bank-transfer' },
    failure: failures.payment,
    prefix: 'payment-',
  })
  return (
    <Form form={form} className="mt-5 space-y-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <MoneyField
          name="amount"
          symbol={currencySymbol(currency)}
          isRequired
          hint={`${beginsWhenPaid ? 'The full' : 'Up to'} ${formatMoney({ amount: outstanding + writtenOff, currency })}`}
        />
        <SelectField
          name="method"
          isRequired
          options={[
            ...manualPaymentMethods.map((method) => ({ value: method, label: paymentTypes[method] })),
            ...(buyerCredit > 0
              ? [{ value: 'credit', label: `Credit (${formatMoney({ amount: buyerCredit, currency })} left)` }]
              : []),
          ]}
        />
        <TextField name="paidOn" maxLength={10} placeholder="31/12/2026" hint="Leave blank for today." />
        <TextField name="reference" maxLength={300} hint="The cheque number or the payment reference." />
      </div>
      <FormButtons>
        <SubmitButton kind="secondary">Record payment</SubmitButton>
      </FormButtons>
    </Form>
  )
}

/** For an order whose subscription has not begun. */
function CancelForm({ problem }: { problem: Refusal | undefined }) {
  const form = useForm({
    problem,
    labels: { reason: 'Reason' },
    identifiedBy: { intent: 'cancel-order' },
    failure: 'Not cancelled',
    prefix: 'cancel-',
  })
  return (
    <Form form={form} className="mt-3 space-y-4">
      <p className="text-body text-ink-2">
        The order is not in the ledger yet, and no reader was added. The buyer is not notified.
      </p>
      <TextField name="reason" maxLength={300} isRequired />
      <FormButtons>
        <SubmitButton kind="danger">Cancel the order</SubmitButton>
      </FormButtons>
    </Form>
  )
}

function WriteOffForm({
  invoice: { currency, outstanding, paid },
  problem,
}: {
  invoice: Invoice
  problem: Refusal | undefined
}) {
  const amount = formatMoney({ amount: outstanding, currency })
  const form = useForm({
    problem,
    labels: { reason: 'Reason' },
    identifiedBy: { intent: 'write-off' },
    hidden: { expected: String(outstanding) },
    values: { endsSubscription: String(paid === 0) },
    failure: failures['write-off'],
    prefix: 'write-off-',
  })
  return (
    <Form form={form} className="mt-3 space-y-4">
      <p className="text-body text-ink-2">
        {amount} is written off in the ledger today, starting with what is not earned yet. Only a late payment reverses
        it.
      </p>
      <TextField name="reason" maxLength={300} isRequired />
      <CheckboxField name="endsSubscription" label="End the subscription today" />
      <FormButtons>
        <SubmitButton kind="danger">Write off {amount}</SubmitButton>
      </FormButtons>
    </Form>
  )
}
