import { addDays } from '#core/kernel/calendar.ts'
import type { Running } from '#core/platform/make-services.ts'
import type { ReaderRow } from '#core/readers/readers.rows.ts'
import { planEffortsOn } from '#core/series/plan-efforts.ts'
import { ReaderEfforts } from '#core/series/reader-efforts.rows.ts'
import { system } from './factories.ts'
import { makeReader } from './readers.ts'
import { makeShop } from './shop.ts'
import type { TestServices } from './test-services.ts'

/** A publication that sells, of a publisher who sends renewal emails. */
export async function makeSeriesShop(services: TestServices) {
  const shop = await makeShop(services)
  await sendRenewalEmails(services, shop.publisherId)
  let count = 0
  /** A reader who paid for print until a day. */
  const reader = (subEndOn: string, fields: Partial<ReaderRow> = {}) =>
    makeReader(services, shop.id, {
      subEndOn,
      subRenewOn: subEndOn,
      subPaid: 2999,
      subStartOn: '2025-01-01',
      firstName: 'Ann',
      lastName: "O'Brien",
      email: `reader-${shop.id}-${++count}@example.test`,
      country: 'GB',
      addressOne: '1 Quay Street',
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

/** Gives a title its own efforts. */
export async function ownSeries(
  { db, clock }: TestServices,
  { id }: { id: number },
  efforts: { dayOffset: number; channel?: string; percent?: number; subjectB?: string }[],
): Promise<void> {
  await db.run(
    `INSERT INTO renewal_series (publication_id, has_own_efforts, created_at, updated_at) VALUES (:id, :yes, :now, :now)`,
    { id, yes: true, now: clock.now },
  )
  for (const { dayOffset, channel = 'mail', percent = null, subjectB = '' } of efforts)
    await db.run(
      `INSERT INTO renewal_efforts (publication_id, day_offset, channel, offer_percent, subject_b, created_at, updated_at)
       VALUES (:id, :dayOffset, :channel, :percent, :subjectB, :now, :now)`,
      { id, dayOffset, channel, percent, subjectB, now: clock.now },
    )
}

/** A planned reminder of the end of a reader's subscription: the parameters of its email, and that email's key. */
export async function plannedReminder(services: Running, readerId: number, cycleOn: string, dayOffset = -30) {
  const [row] = await services.db.query<{ publicationId: number; publisherId: number }>(
    `SELECT p.id AS "publicationId", p.publisher_id AS "publisherId" FROM readers r JOIN publications p ON p.id = r.publication_id
     WHERE r.id = :readerId`,
    { readerId },
  )
  if (!row) throw new Error('There is no such reader')
  await services.db.run(`UPDATE readers SET sub_paid = 2999 WHERE id = :readerId`, { readerId })
  await sendRenewalEmails(services, row.publisherId)
  const effortId = await ReaderEfforts.insert(services, {
    ...row,
    readerId,
    cycleOn,
    dayOffset,
    state: 'due',
    plannedOn: addDays(cycleOn, dayOffset),
    kind: 'reminder',
    channel: 'mail',
    variant: 'a',
    addressee: 'reader',
    validUntil: addDays(cycleOn, 60),
  })
  return { about: { effortId }, emailKey: `renewal-effort:${effortId}` }
}

/** Turns on renewal emails, which are off by default. */
export async function sendRenewalEmails(services: Running, publisherId: number): Promise<void> {
  await services.db.run(
    `INSERT INTO accounts (user_id, country, automated_renewal_emails, created_at, updated_at) VALUES (:publisherId, 'GB', :yes, :now, :now)
     ON CONFLICT (user_id) DO UPDATE SET automated_renewal_emails = :yes`,
    { publisherId, yes: true, now: services.now() },
  )
}

let orders = 0

/** A paid order of a reader, as the rules see it. */
export async function paidOrder(
  services: Running,
  { readerId, publicationId, publisherId }: { readerId: number; publicationId: number; publisherId: number },
  {
    on,
    state = 'paid',
    isGift = false,
    buyerId = null,
    termMonths = 12,
  }: { on: string; state?: string; isGift?: boolean; buyerId?: number | null; termMonths?: number },
): Promise<number> {
  const number = `T-${++orders}`
  const [row] = await services.db.query<{ id: number }>(
    `INSERT INTO orders (publisher_id, publication_id, order_number, state, kind, idempotency_key, placed_at, ordered_on, paid_at, product,
       product_name, term_months, is_gift, band, country, currency, product_price, amount, payment_type, reader_id, buyer_id, billing,
       created_at, updated_at)
     VALUES (:publisherId, :publicationId, :number, :state, 'subscription', :number, :now, :on, :now, 'print', 'Print', :termMonths, :isGift, 'UK', 'GB',
       'GBP', 2999, 2999, 'Card', :readerId, :buyerId, '{}', :now, :now) RETURNING id`,
    { publisherId, publicationId, number, state, now: services.now(), on, isGift, readerId, buyerId, termMonths },
  )
  return row?.id as number
}
