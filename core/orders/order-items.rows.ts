import { defaulted, defineTable, id, integer, nullable, ref, text } from '../table.ts'

/** The lines of an order. Amounts are minor units. */
export const OrderItems = defineTable('order_items', {
  id: id(),
  orderId: ref(),
  kind: text<'subscription' | 'back-issue'>(),
  backIssueId: nullable(ref()),
  description: text(),
  quantity: defaulted(integer()),
  unitPrice: integer(),
  postage: defaulted(integer()),
  discount: defaulted(integer()),
  amount: integer(),
  /** What became of a back issue's copy; null where copies are not counted. */
  copyState: nullable(text<'taken' | 'given-back' | 'oversold'>()),
})
