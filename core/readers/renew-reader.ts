import type { AppContext } from '../context.ts'
import { awaitAll } from '../database.ts'
import { type Day, formatDay } from '../kernel/dates.ts'
import { formatMoney, type Money } from '../kernel/money.ts'
import type { Product } from '../pricing/plan-code.rules.ts'
import type { NewTerm } from '../terms/term.rules.ts'
import { termsChanged } from './circulation-terms.rows.ts'
import type { KeptRecord } from './kept-record.ts'
import { recordReaderChange } from './record-reader-change.ts'
import { termFields } from './term-fields.rules.ts'

/**
 * Writes a charged renewal to its reader's record, which is locked and may be a removed one, in the order's transaction: the term continues from the
 * old end, and nothing else of the record changes.
 */
export async function renewReader(
  ctx: AppContext,
  record: KeptRecord,
  renewal: {
    term: NewTerm
    today: Day
    product: Product
    orderId: number
    orderNumber: string
    productName: string
    money: Money
  },
): Promise<void> {
  const { term, today, product, orderId, orderNumber, productName, money } = renewal
  const { reader, isRemoved } = record
  const { id: readerId, publicationId } = reader
  // A reader who had both keeps both: the agreed product renews, and never less than the current one.
  const subType = reader.subType === '' ? product : reader.subType
  const paid = { subPaid: money.amount, subCurrency: money.currency }
  const line = `${formatDay(today)} ${orderNumber}: ${productName}, ${formatMoney(money)}, ${formatDay(term.startOn)} to ${formatDay(term.endOn)}`
  await awaitAll(
    record.write({
      subType,
      ...term.reader,
      subRenewOn: term.reader.subEndOn,
      ...paid,
      history: [reader.history.trimEnd(), line].filter(Boolean).join('\n'),
    }),
    recordReaderChange(ctx, {
      readerId,
      publicationId,
      kind: 'subscribed',
      note: productName,
      orderId,
      before: { ...termFields(reader) },
      subscription: { subType, subStartOn: term.startOn, subEndOn: term.endOn, ...paid },
      isRemoved,
    }),
    termsChanged(ctx, publicationId, [readerId]),
  )
}
