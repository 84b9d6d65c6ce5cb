import { z } from 'zod'
import type { Currency, Money } from '#core/kernel/money.ts'
import type { ChargeResult, GatewayPayment, ProviderRefund, RefundResult } from '#core/ports/payment-gateway.ts'
import { providerFault } from './call-provider.ts'

const text = z.coerce.string()

const TransactionRecord = z.object({
  requesttypedescription: text.default(''),
  errorcode: text.default(''),
  errormessage: text.default(''),
  settlestatus: text.default(''),
  orderreference: text.default(''),
  transactionreference: text.default(''),
  /** For a refund: the payment that it returns. */
  parenttransactionreference: text.default(''),
  /** Minor units. */
  baseamount: z.coerce.number().int().default(0),
  currencyiso3a: text.default(''),
})
type TransactionRecord = z.output<typeof TransactionRecord>

const ResponseSchema = z.object({
  response: z.array(z.object({ errorcode: text, records: z.array(TransactionRecord).default([]) })).min(1),
})

/** The transactions in a response to a TRANSACTIONQUERY. */
export function readRecords(json: unknown): TransactionRecord[] {
  const read = ResponseSchema.safeParse(json)
  const response = read.data?.response[0]
  if (!response) throw providerFault('Secure Trading', { problem: 'an answer that cannot be read' })
  if (response.errorcode !== '0') throw providerFault('Secure Trading', { errorcode: response.errorcode })
  return response.records
}

const ok = '0'
const declined = '70000'
/** The settle states of an authorised payment; pending, manually approved, in progress and settled all count as money. */
const settling = new Set(['0', '1', '10', '100'])
const suspended = '2'

/**
 * The outcome of an order's transactions. A declined card and then an accepted one make a payment, in whatever order they are listed; no
 * transaction means that no payment was made yet. The page can be paid twice: a paid order's payment is the one whose reference is stored with it,
 * and refunds of another are not the order's. For an order that is not paid yet, a payment that was not refunded there is preferred.
 */
export function chargeResultOf(
  records: TransactionRecord[],
  { orderNumber, money, reference: stored, wasPaid }: GatewayPayment,
): ChargeResult {
  const ofOrder = records.filter((record) => record.orderreference === orderNumber)
  const attempts = ofOrder.filter(({ requesttypedescription }) => requesttypedescription === 'AUTH')
  const authorised = attempts.filter(({ errorcode }) => errorcode === ok)
  const valid = authorised.filter(({ settlestatus }) => settling.has(settlestatus))
  const refunds = ofOrder.filter((record) => record.requesttypedescription === 'REFUND' && record.errorcode === ok)
  const unrefunded = valid.filter((payment) => !isRefunded(payment, refunds))
  const ofAmount = valid.filter(({ baseamount }) => baseamount === money.amount)
  const paid =
    ofAmount.find(({ transactionreference }) => wasPaid && transactionreference === stored) ??
    ofAmount.find((payment) => unrefunded.includes(payment)) ??
    ofAmount[0] ??
    valid[0]
  if (paid) {
    const { transactionreference: reference } = paid
    const duplicates = unrefunded
      .filter((payment) => payment !== paid)
      .map((payment) => ({ reference: payment.transactionreference, money: moneyOf(payment) }))
    const returned = refunds.filter(({ parenttransactionreference: parent }) => parent === '' || parent === reference)
    return { state: 'paid', reference, money: moneyOf(paid), refunds: returned.map(refundOf), duplicates }
  }
  const suspendedPayment = authorised.find(({ settlestatus }) => settlestatus === suspended)
  if (suspendedPayment) return { state: 'pending', reference: suspendedPayment.transactionreference, isOpen: false }
  const stopped = authorised[0]
  if (stopped) {
    return { state: 'failed', reference: stopped.transactionreference, reason: 'Stopped before it was settled' }
  }
  const refused = attempts.find(({ errorcode }) => errorcode === declined)
  if (refused) return { state: 'declined', reference: refused.transactionreference, reason: refused.errormessage }
  return { state: 'pending', reference: orderNumber, isOpen: true }
}

/** Whether all of a payment was returned there. */
function isRefunded({ transactionreference, baseamount }: TransactionRecord, refunds: TransactionRecord[]): boolean {
  const returned = refunds
    .filter((refund) => refund.parenttransactionreference === transactionreference)
    .map(refundOf)
    .filter(({ state }) => state !== 'cancelled')
  return returned.reduce((sum, { amount }) => sum + amount, 0) >= baseamount
}

/** An unsupported currency is passed on unchanged: it is not the order's, and is rejected there. */
function moneyOf({ baseamount: amount, currencyiso3a }: TransactionRecord): Money {
  return { amount, currency: currencyiso3a as Currency }
}

/** A refund that was accepted; it may be cancelled before it is settled. Our key is not stored there. */
function refundOf({ transactionreference: reference, baseamount, settlestatus }: TransactionRecord): ProviderRefund {
  const isStopped = settlestatus === '3'
  const reason = isStopped ? 'Stopped at Secure Trading' : 'Refunded at Secure Trading'
  const state = isStopped ? 'cancelled' : settlestatus === '' || settlestatus === '100' ? 'succeeded' : 'pending'
  return { reference, idempotencyKey: null, amount: baseamount, state, reason }
}

/** The response to a REFUND. A refused refund, for example of a payment that is not settled yet, is `failed`. */
export function readRefund(json: unknown): RefundResult {
  const [record] = z.object({ response: z.array(TransactionRecord).min(1) }).safeParse(json).data?.response ?? []
  if (!record) throw providerFault('Secure Trading', { problem: 'an answer that cannot be read' })
  if (record.errorcode === ok) return refundOf(record)
  return { state: 'failed', reference: null, reason: `Secure Trading: ${record.errormessage || record.errorcode}` }
}
