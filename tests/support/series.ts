import type { ReaderRow } from '#core/readers/readers.rows.ts'
import { planEffortsOn } from '#core/series/plan-efforts.ts'
import { system } from './factories.ts'
import { makeReader } from './readers.ts'
import { makeShop } from './shop.ts'
import type { TestServices } from './test-services.ts'

/** A publication that sells, of a publisher who sends renewal emails. */
export async function makeSeriesShop(services: TestServices) {
  const shop = await makeShop(services)
  const now = services.clock.now
  await services.db.run(
    `INSERT INTO accounts (user_id, country, automated_renewal_emails, created_at, updated_at) VALUES (:id, 'GB', :yes, :now, :now)
     ON CONFLICT (user_id) DO UPDATE SET automated_renewal_emails = :yes`,
    { id: shop.publisherId, yes: true, now },
  )
  let count = 0
  /** A paying reader by post, until a day. */
  const reader = (subEndOn: string, fields: Partial<ReaderRow> = {}) =>
    makeReader(services, shop.id, {
      ...{
        subEndOn,
        subRenewOn: subEndOn,
        subPaid: 2999,
        subStartOn: '2025-01-01',
        firstName: 'Ann',
        lastName: "O'Brien",
      },
      ...{ email: `reader-${shop.id}-${++count}@example.test`, country: 'GB', addressOne: '1 Quay Street' },
      ...fields,
    })
  /** Plans a day at its noon. */
  const plan = async (on: string) => {
    services.clock.now = new Date(`${on}T12:00:00Z`)
    return planEffortsOn(services.as(system), on, { publicationId: shop.id })
  }
  /** The efforts of a reader: `-30 due`. */
  const effortsOf = async (readerId: number) => {
    const rows = await services.db.query<{ day_offset: number; state: string }>(
      `SELECT day_offset, state FROM reader_efforts WHERE reader_id = :readerId ORDER BY id`,
      { readerId },
    )
    return rows.map(({ day_offset: day, state }) => `${day} ${state}`)
  }
  return { ...shop, reader, plan, effortsOf }
}

let orders = 0

/** An order that was paid for a reader, as the rules look at it. */
export async function paidOrder(
  services: TestServices,
  { readerId, publicationId, publisherId }: { readerId: number; publicationId: number; publisherId: number },
  {
    on,
    state = 'paid',
    isGift = false,
    buyerId = null,
  }: { on: string; state?: string; isGift?: boolean; buyerId?: number | null },
): Promise<number> {
  const number = `T-${++orders}`
  const [row] = await services.db.query<{ id: number }>(
    `INSERT INTO orders (publisher_id, publication_id, order_number, state, kind, idempotency_key, placed_at, ordered_on, paid_at, product,
       product_name, term_months, is_gift, band, country, currency, product_price, amount, payment_type, reader_id, buyer_id, billing,
       created_at, updated_at)
     VALUES (:publisherId, :publicationId, :number, :state, 'subscription', :number, :now, :on, :now, 'print', 'Print', 12, :isGift, 'UK', 'GB',
       'GBP', 2999, 2999, 'Card', :readerId, :buyerId, '{}', :now, :now) RETURNING id`,
    { publisherId, publicationId, number, state, now: services.clock.now, on, isGift, readerId, buyerId },
  )
  return row?.id as number
}
