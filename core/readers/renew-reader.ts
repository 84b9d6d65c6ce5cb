import type { AppContext } from '../context.ts'
import { type Day, printDay } from '../kernel/dates.ts'
import { formatMoney, type Money } from '../kernel/money.ts'
import type { Product, TermMonths } from '../pricing/plan-code.rules.ts'
import { type NewTerm, renewedTerm } from '../terms/term.rules.ts'
import { termsChanged } from './circulation-terms.rows.ts'
import { lockReaders, Readers } from './readers.rows.ts'
import { recordReaderChange } from './record-reader-change.ts'

/**
 * Puts a renewal that was charged on its reader's record, in the order's transaction: the term goes on from the old end, and nothing else
 * of the record changes. Null where the record is gone: there is nothing to put it on.
 */
export async function renewReader(
  ctx: AppContext,
  renewal: {
    publicationId: number
    readerId: number
    today: Day
    /** The last day of the term that it follows. */
    cycleOn: Day
    plan: { product: Product; termMonths: TermMonths }
    orderId: number
    orderNumber: string
    productName: string
    money: Money
  },
): Promise<NewTerm | null> {
  const { publicationId, readerId, today, cycleOn, plan, orderId, orderNumber, productName, money } = renewal
  const [reader] = await lockReaders(ctx, publicationId, [readerId])
  if (!reader) return null
  const term = renewedTerm(reader, plan.termMonths, cycleOn)
  const { subType, subEndOn, subRenewOn, subPaid } = reader
  const line = `${printDay(today)} ${orderNumber}: ${productName}, ${formatMoney(money)}, ${printDay(term.startOn)} to ${printDay(term.endOn)}`
  await Readers.update(
    ctx,
    { id: readerId },
    {
      // Somebody who had both keeps both: what renews is what was agreed, and never less than there is.
      subType: subType === '' ? plan.product : subType,
      ...term.reader,
      subRenewOn: term.reader.subEndOn,
      subPaid: money.amount,
      subCurrency: money.currency,
      history: [reader.history.trimEnd(), line].filter(Boolean).join('\n'),
      version: reader.version + 1,
    },
  )
  await recordReaderChange(ctx, {
    ...{ readerId, publicationId, kind: 'subscribed', note: productName, orderId },
    before: { subType, subEndOn, subRenewOn, subPaid },
    subscription: {
      subType: subType === '' ? plan.product : subType,
      subStartOn: term.startOn,
      subEndOn: term.endOn,
      subPaid: money.amount,
      subCurrency: money.currency,
    },
  })
  await termsChanged(ctx, publicationId, [readerId])
  return term
}
