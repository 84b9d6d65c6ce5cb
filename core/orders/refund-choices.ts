import type { AppContext } from '../context.ts'
import { outstanding } from '../invoices/invoice.rules.ts'
import { Invoices } from '../invoices/invoices.rows.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { OrderBalance } from '../ledger/refund-allocation.rules.ts'
import { isOfStaff } from '../payment-methods/payment-methods.rules.ts'
import type { PaymentProvider } from '../ports/payment-gateway.ts'
import { type CancellableOrder, cancellationDays } from './cancellation-days.rules.ts'
import { paidByCredit } from './credit-uses.rows.ts'
import { disputesOf } from './disputes.rows.ts'
import type { OrderRow } from './orders.rows.ts'
import { Payments } from './payments.rows.ts'
import { type ChosenRefundMethod, type RefundChoices, refundChoices } from './refund.rules.ts'
import { refundPolicyOf } from './refund-policies.rows.ts'
import { defaultRefundPolicy, proposedRefund, type RefundPolicy, type RefundProposal } from './refund-policy.rules.ts'
import { type RefundRow, refundsOf } from './refunds.rows.ts'

/** The refund choices with the proposal of the publication's policy; `isPolicySet`: its publisher has set one. */
export interface ProposedChoices extends RefundChoices {
  /** How it can be refunded, the proposed method first. */
  methods: [ChosenRefundMethod, ...ChosenRefundMethod[]]
  /** The most that can be refunded as money: an amount paid by credit is refunded as credit. */
  asMoney: number
  proposal: RefundProposal
  policy: RefundPolicy
  isPolicySet: boolean
}

type ChosenOrder = Pick<
  OrderRow,
  | 'id'
  | 'publicationId'
  | 'orderedOn'
  | 'state'
  | 'amount'
  | 'country'
  | 'billing'
  | 'termMonths'
  | 'renewalId'
  | 'readerId'
  | 'vatNumber'
>

/** What can be refunded of an order, or why nothing can be. */
export async function choicesOf(
  ctx: Pick<AppContext, 'db' | 'now' | 'settings'>,
  order: ChosenOrder,
  balance: OrderBalance | null,
): Promise<ProposedChoices | { problem: string }> {
  if (order.amount === 0) return { problem: 'Nothing was paid for this order' }
  if (order.state === 'refunded') return { problem: 'The whole amount of this order was refunded' }
  if (order.state !== 'paid' || !balance) return { problem: 'This order is not paid' }
  const payment = await Payments.find(ctx, { orderId: order.id })
  if (payment?.state === 'accepted')
    return { problem: 'The bank is still processing the direct debit: it can be refunded once it is paid' }
  const disputes = await disputesOf(ctx, order.id)
  if (disputes.some(({ state }) => state === 'open'))
    return { problem: 'The buyer’s bank disputes this payment: it can be refunded once the dispute has ended' }
  // A retry under a new key would refund the money twice.
  const refunds = await refundsOf(ctx, order.id)
  if (refunds.some(({ state }) => state === 'planned'))
    return {
      problem:
        'The provider has not responded to an earlier refund of this order yet: it is requested again within minutes',
    }
  const choices = refundChoices(balance)
  if (choices.refundable <= 0) return { problem: 'Nothing is left of this order to refund' }
  const ownPolicy = await refundPolicyOf(ctx, order.publicationId)
  const policy = ownPolicy ?? defaultRefundPolicy
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  // By law only consumers may cancel: a VAT number identifies a business.
  const statutoryDays = order.vatNumber === '' ? cancellationDays(await cancellableOrder(ctx, order)) : 0
  const proposal = proposedRefund(policy, { orderedOn: order.orderedOn, statutoryDays, today, choices })
  const { methods, asMoney } = await methodsOf(ctx, order.id, {
    refunds,
    refundable: choices.refundable,
    provider: payment?.provider,
  })
  const isCredit = proposal.isCredit && methods.includes('credit')
  const [first = 'hand', ...others] = isCredit
    ? ['credit' as const, ...methods.filter((method) => method !== 'credit')]
    : methods
  return {
    ...choices,
    methods: [first, ...others],
    asMoney,
    proposal: { ...proposal, isCredit },
    policy,
    isPolicySet: ownPolicy !== null,
  }
}

/** The methods by which an order's money can be refunded, and the most that can be refunded as money. */
async function methodsOf(
  ctx: Pick<AppContext, 'db'>,
  orderId: number,
  {
    refunds,
    refundable,
    provider,
  }: { refunds: readonly RefundRow[]; refundable: number; provider: PaymentProvider | undefined },
): Promise<{ methods: ChosenRefundMethod[]; asMoney: number }> {
  const returnedCredits = refunds.filter(({ method, state }) => method === 'credit' && state === 'succeeded')
  const byCredit = (await paidByCredit(ctx, orderId)) - returnedCredits.reduce((sum, { amount }) => sum + amount, 0)
  const asMoney = Math.max(0, Math.min(refundable, refundable - byCredit))
  const invoice = provider === 'invoice' ? await Invoices.find(ctx, { orderId }) : null
  // The amount still due on an invoice was never paid: a refund reduces it first, and it cannot be kept as credit.
  const isDue = invoice !== null && outstanding(invoice) > 0
  const money: ChosenRefundMethod[] = provider !== undefined && isOfStaff(provider) ? ['hand'] : ['provider', 'hand']
  const canKeep = !isDue && provider !== 'demo' && provider !== undefined
  return { methods: [...(asMoney > 0 ? money : []), ...(canKeep ? (['credit'] as const) : [])], asMoney }
}

/** The facts of an order that the law depends on: the buyer's country, and whether it renewed automatically after a free or discounted term. */
async function cancellableOrder(ctx: Pick<AppContext, 'db'>, order: ChosenOrder): Promise<CancellableOrder> {
  const { id, readerId, orderedOn, termMonths, country, billing, renewalId } = order
  const isAutomatic = renewalId !== null
  const [previous] =
    isAutomatic && readerId !== null
      ? await ctx.db.query<{ amount: number; discount: number }>(
          `SELECT amount, discount FROM orders WHERE reader_id = :readerId AND id < :id AND state = 'paid' AND term_months IS NOT NULL
           ORDER BY id DESC LIMIT 1`,
          { readerId, id },
        )
      : []
  const followsReducedTerm = previous !== undefined && (Number(previous.amount) === 0 || Number(previous.discount) > 0)
  return { orderedOn, termMonths, country: billing.country || country, isAutomatic, followsReducedTerm }
}
