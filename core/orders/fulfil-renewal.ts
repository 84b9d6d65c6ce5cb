import { changeCard } from '../agreements/payment-agreements.rows.ts'
import { Renewals } from '../agreements/renewals.rows.ts'
import { renewalPaid } from '../agreements/settle-renewal.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { awaitAll } from '../database.ts'
import { enqueueMail } from '../jobs/enqueue-mail.ts'
import { addDays, addMonths, dayOf } from '../kernel/calendar.ts'
import { formatDay } from '../kernel/dates.ts'
import { formatMoney } from '../kernel/money.ts'
import { enterSale } from '../ledger/enter-sale.ts'
import type { ChargeResult } from '../ports/payment-gateway.ts'
import { listedRecord, lockKeptRecord } from '../readers/kept-record.ts'
import type { ReaderRow } from '../readers/readers.rows.ts'
import { recordReaderChange } from '../readers/record-reader-change.ts'
import { renewReader } from '../readers/renew-reader.ts'
import { renewedTerm } from '../terms/term.rules.ts'
import { queueWebhooks } from '../webhooks/queue-webhooks.ts'
import { type OrderRow, Orders, recordRenewals } from './orders.rows.ts'
import { storePayment } from './payments.rows.ts'

/**
 * All effects of a paid renewal, atomically: the reader's next term, the ledger, the agreement's next day, its receipt. Call it in
 * the transaction that has changed the order's state and locked its reader; `reader` is null if the record is removed or gone.
 */
export async function fulfilRenewal(
  ctx: AppContext,
  order: OrderRow & { renewalId: number },
  result: Extract<ChargeResult, { state: 'paid' | 'accepted' }>,
  reader: ReaderRow | null,
): Promise<void> {
  const { id: orderId, renewalId, publisherId, publicationId, product, termMonths, amount, currency } = order
  const renewal = await Renewals.find(ctx, { id: renewalId }, { isLocked: true })
  if (!renewal || !product || termMonths === null) throw new Error(`The order ${orderId} renews nothing`)
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  const subject = { type: 'order', id: orderId, publisherId }
  const { cycleOn, oldAmount } = renewal
  // One that was removed during the provider call gets the term in case it is restored; what was paid for is owed until it is refunded.
  const record =
    reader || order.readerId === null
      ? reader && listedRecord(ctx, reader)
      : await lockKeptRecord(ctx, { readerId: order.readerId, publicationId })
  const term = record && renewedTerm(record.reader, termMonths, cycleOn)
  const { startOn, endOn } = term ?? { startOn: addDays(cycleOn, 1), endOn: addMonths(cycleOn, termMonths) }
  const receipt = { dedupeKey: `receipt:${orderId}`, publisherId }
  await awaitAll(
    ...(record && term
      ? [
          renewReader(ctx, record, {
            term,
            today,
            product,
            orderId,
            orderNumber: order.orderNumber,
            productName: order.productName,
            money: { amount, currency },
          }),
        ]
      : []),
    Orders.update(ctx, { id: orderId }, { subStartOn: startOn, subEndOn: endOn }),
    ...(record ? [recordRenewals(ctx, [record.reader.id])] : []),
    storePayment(ctx, orderId, result),
    renewalPaid(ctx, renewal, { orderId, readerId: reader?.id ?? null, term: { startOn, endOn, termMonths } }),
    enqueueMail(ctx, 'order-receipt', { orderId }, { ...receipt, isUrgent: isBuyerPresent(ctx) }),
    queueWebhooks(ctx, publicationId, { type: 'order.paid', readerId: reader?.id ?? null, data: { orderId } }),
    recordAudit(ctx, 'renewal-paid', subject, {
      amount,
      currency,
      ...(oldAmount === null
        ? {}
        : { oldPrice: formatMoney({ amount: oldAmount, currency }), priceChange: renewal.priceChangeId }),
      ...(record?.isRemoved === false ? {} : { readerIsGone: true }),
    }),
  )
  if (record && oldAmount !== null) {
    const oldPrice = formatMoney({ amount: oldAmount, currency })
    const newPrice = formatMoney({ amount, currency })
    const note = `Each term costs ${newPrice} from ${formatDay(startOn)} (before: ${oldPrice})`
    await recordReaderChange(ctx, { readerId: record.reader.id, publicationId, kind: 'renewal-price', note, orderId })
  }
  const { methodReference: method, accountLastFour = null, cardExpiresOn = null } = result.facts ?? {}
  // A reader who had to confirm the payment may have given another card: that card is charged from now on.
  if (method) {
    await changeCard(ctx, renewal.agreementId, { method, lastFour: accountLastFour, expiresOn: cardExpiresOn })
  }
  // Last: the sums of its days are locked from here to the commit, and all sales of a title update the same rows.
  await enterSale(ctx, { order, today, startOn, endOn })
}

/** Whether the buyer pays by a link or on the account page; else it is one of many automatic charges. */
function isBuyerPresent({ actor }: AppContext): boolean {
  return actor.kind === 'visitor' || actor.kind === 'buyer'
}
