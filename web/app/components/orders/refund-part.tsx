import { Link, useLocation } from '@remix-run/react'
import { formatDay } from '#core/kernel/dates.ts'
import { type Currency, currencySymbol, formatMoney } from '#core/kernel/money.ts'
import { countOf } from '#core/kernel/text-format.ts'
import type { UnservedMonths } from '#core/ledger/refund-allocation.rules.ts'
import type { OrderDetails } from '#core/orders/get-order.query.ts'
import {
  type ChosenRefundMethod,
  type RefundMethod,
  type RefundScope,
  type RefundState,
  refundMethodLabels,
  refundScopeLabels,
  refundStateLabels,
} from '#core/orders/refund.rules.ts'
import type { RefundProposal } from '#core/orders/refund-policy.rules.ts'
import { Banner } from '#web/app/components/ui/banner.tsx'
import { Section } from '#web/app/components/ui/facts.tsx'
import { Form, FormButtons, type Refusal, SubmitButton, useForm } from '#web/app/components/ui/form.tsx'
import { MoneyField, SelectField, TextField } from '#web/app/components/ui/form-fields.tsx'
import { DayText, Money } from '#web/app/components/ui/formats.tsx'

const labels = { scope: 'What to refund', amount: 'Amount', reason: 'Reason', method: 'Refund method' }

interface Refund {
  id: number
  state: RefundState
  scope: RefundScope
  amount: number
  currency: Currency
  monthCount: number | null
  fromOn: string | null
  reason: string
  method: RefundMethod
  problem: string | null
}

/** The refund to confirm, with its options. */
export interface RefundPreview {
  scope: RefundScope
  method: ChosenRefundMethod
  amount: number
  currency: Currency
  monthCount: number | null
  fromOn: string | null
  untilOn: string | null
  netAfter: number
  key: string
  values: { scope: string; amount: string; reason: string; method: string }
}

interface Choices {
  refundable: number
  months: UnservedMonths | null
  methods: readonly ChosenRefundMethod[]
  /** The largest amount that can be refunded as money. */
  asMoney: number
  proposal: RefundProposal
}

interface Props {
  order: {
    id: number
    kind: OrderDetails['kind']
    postedOn: string | null
    currency: Currency
    refunds: readonly Refund[]
    creditLeft: number | null
    publicationId: number
    canRefund: Choices | { problem: string }
  }
  /** The amount still due on its invoice, in minor units. */
  due: number
  preview: RefundPreview | undefined
  problem: Refusal | undefined
}

/** The refunds of an order, and the form for another: first the options, then a confirmation with the amounts. */
export function RefundPart({ order, due, preview, problem }: Props) {
  const { refunds, canRefund, creditLeft, currency } = order
  const hasFailed = refunds.at(-1)?.state === 'failed'
  return (
    <Section title="Refunds">
      {hasFailed && (
        <div className="mb-4">
          <Banner tone="danger" title="The last refund failed: the buyer has not received the money">
            {refunds.at(-1)?.problem} Refund it again, or send the money yourself and choose “Manually”.
          </Banner>
        </div>
      )}
      {refunds.length > 0 && (
        <ul className="mb-4 space-y-2 text-body">
          {refunds.map((refund) => (
            <li key={refund.id} className="flex flex-wrap justify-between gap-x-4">
              <span>
                {refundScopeLabels[refund.scope]}
                {refund.fromOn && (
                  <>
                    {' '}
                    from <DayText day={refund.fromOn} />
                  </>
                )}
                {refund.reason && `: ${refund.reason}`}
                <span className="block text-table text-muted">
                  {refundStateLabels[refund.state]}. {refundMethodLabels[refund.method]}
                </span>
              </span>
              <span className="numeric">
                <Money value={{ amount: refund.amount, currency: refund.currency }} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {creditLeft !== null && (
        <p className="mb-4 text-body">
          Credit: {creditLeft > 0 ? `${formatMoney({ amount: creditLeft, currency })} left` : 'nothing left'}
        </p>
      )}
      {preview ? (
        <Confirmation order={order} due={due} preview={preview} />
      ) : 'problem' in canRefund ? (
        <p className="text-body text-ink-2">{canRefund.problem}.</p>
      ) : (
        <Choice choices={canRefund} publicationId={order.publicationId} currency={currency} problem={problem} />
      )}
    </Section>
  )
}

function Choice({
  choices: { refundable, months, methods, asMoney, proposal },
  publicationId,
  currency,
  problem,
}: {
  choices: Choices
  publicationId: number
  currency: Currency
  problem: Refusal | undefined
}) {
  const money = (amount: number) => formatMoney({ amount, currency })
  const form = useForm({
    problem,
    labels,
    // A refused confirmation returns here too, with its key.
    identifiedBy: { intent: ['plan-refund', 'refund'] },
    keys: { key: '' },
    failure: 'Not refunded',
    values: { scope: proposal.scope ?? '', method: methods[0] ?? '' },
  })
  const options: { value: RefundScope | ''; label: string }[] = [
    ...(proposal.scope === null ? [{ value: '' as const, label: 'Choose' }] : []),
    { value: 'whole', label: `The whole amount: ${money(refundable)}` },
    ...(months
      ? [
          {
            value: 'months' as const,
            label: `${countOf(months.count, 'unserved month')} from ${formatDay(months.fromOn)}: ${money(months.amount)}`,
          },
        ]
      : []),
    { value: 'amount', label: 'Other amount' },
  ]
  return (
    <Form form={form} className="space-y-5">
      <p className="text-body text-ink-2">
        The{' '}
        <Link className="link" to={`/payments/refunds?${new URLSearchParams({ publication: String(publicationId) })}`}>
          refund policy
        </Link>{' '}
        allows {proposal.rule}.
      </p>
      <SelectField name="scope" isRequired options={options} />
      <MoneyField
        name="amount"
        symbol={currencySymbol(currency)}
        hint={`For “Other amount”: up to ${money(refundable)}. It is taken first from what was paid for issues still to come.`}
      />
      <TextField name="reason" maxLength={300} hint="Shown to the buyer in the email." />
      <SelectField
        name="method"
        isRequired
        options={methods.map((method) => ({ value: method, label: refundMethodLabels[method] }))}
        {...(asMoney > 0 && asMoney < refundable
          ? { hint: `Up to ${money(asMoney)} as money: the rest was paid by credit, and is returned as credit.` }
          : {})}
      />
      <FormButtons>
        <SubmitButton kind="secondary">Review refund</SubmitButton>
      </FormButtons>
    </Form>
  )
}

function fullRefundEffectText({ kind, postedOn }: Props['order']): string {
  if (kind !== 'back-issues') return 'its subscription ends.'
  return postedOn === null
    ? 'its copies were not marked as posted, and are returned to stock.'
    : 'its copies were posted, and are not returned to stock.'
}

const refundMethodNotes: Record<ChosenRefundMethod, string> = {
  hand: 'You have sent the money yourself, or will now: it is entered in the ledger as refunded today.',
  provider: 'The payment provider sends the money back to where it came from. This cannot be undone.',
  credit:
    'No money is paid out: it is kept for a later order of the same buyer, at any of your titles. This cannot be undone.',
}

/** A refund of an invoice first reduces what is due: only the rest was paid. */
function manualNote(amount: number, due: number, money: (minor: number) => string): string {
  if (due === 0) return refundMethodNotes.hand
  return amount <= due
    ? `You send no money: a credit note reduces what is due on the invoice, ${money(due)}.`
    : `A credit note reduces what is due on the invoice by ${money(due)}. You have sent the other ${money(amount - due)} yourself, or will now.`
}

function Confirmation({ order, due, preview }: Pick<Props, 'order' | 'due'> & { preview: RefundPreview }) {
  const { amount, currency, values, method, netAfter, fromOn, untilOn, monthCount, scope } = preview
  const money = (minor: number) => formatMoney({ amount: minor, currency })
  const { search } = useLocation()
  const form = useForm({
    problem: undefined,
    identifiedBy: { intent: 'refund' },
    hidden: { ...values, expected: String(amount), key: preview.key },
    isRepeatable: true,
  })
  return (
    <Form form={form} className="space-y-4">
      <Banner
        tone="warning"
        title={method === 'credit' ? `Keep ${money(amount)} as credit?` : `Refund ${money(amount)}?`}
      >
        {method === 'hand' ? manualNote(amount, due, money) : refundMethodNotes[method]}{' '}
        {fromOn && untilOn && monthCount !== null
          ? `It covers ${countOf(monthCount, 'month')}, ${formatDay(fromOn)} to ${formatDay(untilOn)}: the subscription ends before them and is not renewed. `
          : ''}
        {scope === 'whole' || netAfter === 0
          ? `The order is then fully refunded: ${fullRefundEffectText(order)}`
          : `${money(netAfter)} of the order remains.`}
      </Banner>
      <FormButtons>
        <SubmitButton kind="danger">
          {method === 'credit' ? `Keep ${money(amount)} as credit` : `Refund ${money(amount)}`}
        </SubmitButton>
        <Link to={`/orderDetails/${order.id}${search}`} className="link">
          Cancel
        </Link>
      </FormButtons>
    </Form>
  )
}
