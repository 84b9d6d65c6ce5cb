import { z } from 'zod'
import { asInstant, asJson } from '../database.ts'
import type { Day } from '../kernel/dates.ts'
import type { Money } from '../kernel/money.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'

/** A payment of another amount than its order's: nothing was delivered for it, and it is not in the ledger. */
export interface HeldPayment {
  orderId: number
  orderNumber: string
  orderedOn: Day
  publicationName: string
  paymentType: string
  due: Money
  paid: Money
  /** The provider's id of the payment; blank if unknown. */
  reference: string
  heldAt: Date
}

const maxListed = 50

/** The acting publisher's held payments, or that of one order, the oldest first. A payment is on the list until its money is returned. */
export const heldPayments = useCase({
  permission: 'order:read',
  input: z.object({ orderId: z.coerce.number().int().optional() }),
  transaction: 'none',
  async run(ctx, { orderId = null }): Promise<HeldPayment[]> {
    const { publisherId } = tenantOf(ctx)
    // Found by the activity log, which has an index for it: payments have none by state.
    const rows = await ctx.db.query<
      Pick<HeldPayment, 'orderId' | 'orderNumber' | 'orderedOn' | 'publicationName' | 'paymentType'> &
        Money & { reference: string | null; facts: unknown; heldAt: Date | string }
    >(
      `SELECT o.id AS "orderId", o.order_number AS "orderNumber", o.ordered_on AS "orderedOn", o.payment_type AS "paymentType", o.amount, o.currency,
         p.publication_name AS "publicationName", y.provider_reference AS reference, l.facts, l.happened_at AS "heldAt"
       FROM audit_log l JOIN orders o ON o.id = l.subject_id JOIN payments y ON y.order_id = o.id AND y.state = 'mismatch'
         JOIN publications p ON p.id = o.publication_id
       WHERE l.action = 'payment-mismatch' AND l.subject_type = 'order'
         ${publisherId === undefined ? '' : 'AND l.publisher_id = :publisherId AND o.publisher_id = :publisherId'}
         ${orderId === null ? '' : 'AND l.subject_id = :orderId'}
       ORDER BY l.id LIMIT ${maxListed}`,
      { publisherId: publisherId ?? null, orderId },
    )
    return rows.map(({ amount, currency, facts, heldAt, reference, ...order }) => ({
      ...order,
      due: { amount, currency },
      paid: asJson<Money>(facts),
      reference: reference ?? '',
      heldAt: asInstant(heldAt),
    }))
  },
})
