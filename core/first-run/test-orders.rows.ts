import type { Currency } from '../kernel/money.ts'
import { defineTable, id, instant, integer, nullable, ref, text } from '../table.ts'

/** Purchases that a publisher made to try a storefront. The buyer details entered are not stored. Amounts in minor units. */
export const TestOrders = defineTable('test_orders', {
  id: id(),
  publicationId: ref(),
  idempotencyKey: text(),
  productName: text(),
  country: text(),
  currency: text<Currency>(),
  price: integer(),
  discount: integer(),
  amount: integer(),
  promoCode: text(),
  madeBy: nullable(ref()),
  createdAt: instant(),
})
