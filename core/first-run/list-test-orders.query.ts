import { z } from 'zod'
import type { Currency } from '../kernel/money.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { TestOrders } from './test-orders.rows.ts'

/** Amounts in minor units. */
export interface TestOrder {
  id: number
  productName: string
  country: string
  currency: Currency
  price: number
  discount: number
  amount: number
  promoCode: string
  createdAt: Date
}

const listed = TestOrders.pick(
  'id',
  'productName',
  'country',
  'currency',
  'price',
  'discount',
  'amount',
  'promoCode',
  'createdAt',
)

/** The test orders of one of the publisher’s titles that were not removed, newest first. */
export const listTestOrders = useCase({
  permission: 'order:test',
  input: z.object({ publicationId: z.coerce.number('Required').int() }),
  transaction: 'none',
  async run(ctx, { publicationId }): Promise<TestOrder[]> {
    const { id } = await ownPublication(ctx, { id: publicationId })
    return listed.rows(ctx, `SELECT ${listed.columns()} FROM test_orders WHERE publication_id = :id ORDER BY id DESC`, {
      id,
    })
  },
})
