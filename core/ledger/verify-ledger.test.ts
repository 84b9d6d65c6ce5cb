import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { earning } from '#tests/support/earnings.ts'
import { actorOf, operator } from '#tests/support/factories.ts'
import { addOldPublication, addOldRow } from '#tests/support/old-rows.ts'
import { openMigratedServices, openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { addDays } from '../kernel/calendar.ts'
import { currencies } from '../kernel/money.ts'
import { asOfValues, moneySql } from './earned-sql.ts'
import { type EntryKind, entryKinds } from './entry-kinds.rules.ts'
import { enter } from './ledger-entries.rows.ts'
import { ledgerTotals } from './ledger-totals.query.ts'
import { checkLedgerTotals, verifyLedger } from './verify-ledger.ts'

/** Compares the stored totals, which are updated with every entry, with the entries themselves. */

let services: TestServices
let publisherId = 0
let publicationId = 0
const day = '2026-06-30'

const entry = fc.record({
  earning,
  kind: fc.constantFrom(...(Object.keys(entryKinds) as EntryKind[])),
  currency: fc.constantFrom(...currencies),
  product: fc.constantFrom('print', 'digital', null),
  after: fc.integer({ min: -20, max: 200 }),
  vatShare: fc.constantFrom(0, 0.05, 1 / 6),
})
const entries = fc
  .sample(entry, { numRuns: 40, seed: 14 })
  .map(({ earning: sample, after, vatShare, ...rest }, index) => ({
    ...rest,
    ...sample,
    vat: Math.round(sample.amount * vatShare),
    cause: `test:${index}`,
    enteredOn: addDays(sample.serviceStartOn ?? day, after),
  }))

beforeAll(async () => {
  services = await openTestServices()
  publicationId = await addOldPublication(services.db)
  publisherId = await publisherOf(services)
  const orderId = await addOrder(services, publisherId, publicationId)
  await services.db.transaction(async () => {
    const ctx = services.as(operator)
    expect(
      await enter(
        ctx,
        entries.map((entry) => ({ ...entry, publisherId, publicationId, orderId })),
      ),
    ).toBe(40)
    // Entering the same cause again creates no entry and adds nothing.
    expect(
      await enter(
        ctx,
        entries.slice(0, 3).map((entry) => ({ ...entry, publisherId, publicationId, orderId })),
      ),
    ).toBe(0)
  })
})

async function publisherOf({ db }: TestServices): Promise<number> {
  const [row] = await db.query<{ id: number }>(`SELECT publisher_id AS id FROM publications`)
  return row?.id ?? 0
}

function addOrder({ db }: Pick<TestServices, 'db'>, publisher: number, publication: number): Promise<number> {
  return addOldRow(db, 'orders', {
    publisher_id: publisher,
    publication_id: publication,
    order_number: 'OD-1',
    billing: '{}',
    state: 'paid',
    idempotency_key: 'one',
    amount: 2999,
    currency: 'GBP',
    country: 'GB',
  })
}

const verify = (repair = false) => verifyLedger(services.as(operator), { repair })

it('stored totals equal the entries, on any day', async () => {
  const staff = await actorOf(services, 'publisher', publisherId)
  for (const asOf of ['2024-03-31', '2025-02-28', '2026-01-01', '2026-05-31', '2026-11-30']) {
    services.clock.now = new Date(`${asOf}T10:00:00Z`)
    const stored = await ledgerTotals(services.as(staff), {})
    const summed = await services.db.query<{ currency: 'GBP'; amount: number; refunded: number; fulfilled: number }>(
      `SELECT currency, ${moneySql(services.db.dialect, 'l')} FROM ledger_entries l WHERE entered_on <= :asOf GROUP BY currency`,
      asOfValues(asOf),
    )
    for (const currency of currencies) {
      const { amount = 0, refunded = 0, fulfilled = 0 } = summed.find((row) => row.currency === currency) ?? {}
      expect(stored[currency], `${asOf} ${currency}`).toMatchObject({
        amount: Number(amount),
        refunded: Number(refunded),
        fulfilled: Number(fulfilled),
      })
    }
  }
  expect(await verify()).toEqual({
    publishers: 1,
    entries: 40,
    differences: [],
    orders: [],
    texts: 0,
    different: 0,
    isRepaired: false,
    closedMonths: [],
    closedDifferent: 0,
  })
  expect(await checkLedgerTotals(services)).toEqual([])
})

it('stored totals are reported when wrong, and rebuilt', async () => {
  const { db } = services
  const [row] = await db.query<{ day: string; currency: string }>(
    `SELECT day, currency FROM ledger_days WHERE earned <> 0 ORDER BY day LIMIT 1`,
  )
  await db.run(`UPDATE ledger_days SET earned = earned + 1 WHERE day = :day AND currency = :currency`, { ...row })
  expect(await checkLedgerTotals(services)).toEqual([publisherId])
  const { different, differences, isRepaired } = await verify()
  expect({ different, isRepaired }).toEqual({ different: differences.length, isRepaired: false })
  expect(differences[0]).toMatchObject({ publisherId, publicationId, ...row })
  expect((differences[0]?.stored?.earned ?? 0) - (differences[0]?.recomputed?.earned ?? 0)).toBe(1)
  await db.run(`DELETE FROM ledger_days WHERE currency = 'EUR'`)
  expect(await verify(true)).toMatchObject({ isRepaired: true })
  expect(await verify()).toMatchObject({ different: 0 })
  expect(await checkLedgerTotals(services)).toEqual([])
})

it('stored totals without any entry are reported', async () => {
  const { db } = services
  const otherTitleId = await addOldPublication(db)
  const [row] = await db.query<{ publisher: number }>(
    `SELECT publisher_id AS publisher FROM publications WHERE id = :other`,
    { other: otherTitleId },
  )
  await db.run(
    `INSERT INTO ledger_days (publisher_id, publication_id, currency, product, day, sales, sold, refunded, earned)
     VALUES (:publisher, :other, 'GBP', 'print', :day, 0, 500, 0, 0)`,
    { publisher: Number(row?.publisher), other: otherTitleId, day },
  )
  expect(await checkLedgerTotals(services)).toEqual([Number(row?.publisher)])
  expect(await verify(true)).toMatchObject({ different: 1, isRepaired: true })
  expect(await checkLedgerTotals(services)).toEqual([])
})

it('stored totals are checked only for the acting publisher', async () => {
  const stranger = services.as(await actorOf(services, 'publisher'))
  expect(await verifyLedger(stranger, {})).toMatchObject({ publishers: 0, entries: 0 })
  await expect(verifyLedger(services.as(await actorOf(services, 'mailer')), {})).rejects.toMatchObject({
    kind: 'denied',
  })
})

it('stored totals are computed for entries from before the migration', async () => {
  const oldServices = await openMigratedServices('052-ledger-days', async (db) => {
    const publication = await addOldPublication(db)
    const [row] = await db.query<{ id: number }>(`SELECT publisher_id AS id FROM publications`)
    const publisher = row?.id ?? 0
    const order = await addOrder({ db }, publisher, publication)
    for (const entry of entries) {
      await addOldRow(db, 'ledger_entries', {
        publisher_id: publisher,
        publication_id: publication,
        order_id: order,
        kind: entry.kind,
        cause: entry.cause,
        entered_on: entry.enteredOn,
        currency: entry.currency,
        amount: entry.amount,
        product: entry.product,
        service_start_on: entry.serviceStartOn,
        service_end_on: entry.serviceEndOn,
        term_months: entry.termMonths,
        monthly_amount: entry.monthlyAmount ?? null,
        anchor_day: entry.anchorDay ?? null,
        vat: entry.vat,
      })
    }
  })
  // The sums of orders were computed for a day by the database's own clock.
  oldServices.clock.now = new Date()
  const [{ n } = { n: 0 }] = await oldServices.db.query<{ n: number }>(`SELECT COUNT(*) AS n FROM ledger_days`)
  expect(Number(n)).toBeGreaterThan(40)
  expect(await verifyLedger(oldServices.as(operator), {})).toMatchObject({ entries: 40, different: 0 })
})
