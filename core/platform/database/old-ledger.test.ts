import { beforeAll, expect, it } from 'vitest'
import { entriesOf, LedgerEntries, orderBalance } from '#core/ledger/ledger-entries.rows.ts'
import { refundsOf } from '#core/orders/refunds.rows.ts'
import { addOldPublication, addOldRow } from '#tests/support/old-rows.ts'
import { openMigratedServices, type TestServices } from '#tests/support/test-services.ts'

/** The ledger as it was while an order had one sale and at most one refund, which reversed it in full over the sale's own period. */

let services: TestServices
const ids = { publisher: 0, publication: 0, kept: 0, refunded: 0, reversed: 0 }

beforeAll(async () => {
  services = await openMigratedServices('040-ledger-causes', async (db) => {
    ids.publication = await addOldPublication(db)
    const [publication] = await db.query<{ publisher_id: number }>(`SELECT publisher_id FROM publications`)
    ids.publisher = publication?.publisher_id ?? 0
    for (const state of ['kept', 'refunded', 'reversed'] as const) {
      ids[state] = await addOldRow(db, 'orders', {
        publisher_id: ids.publisher,
        publication_id: ids.publication,
        order_number: `OD-${state}`,
        billing: '{}',
        idempotency_key: state,
        state: state === 'kept' ? 'paid' : state,
        amount: 2999,
        currency: 'GBP',
        country: 'GB',
      })
      await addOldRow(db, 'payments', { order_id: ids[state], amount: 2999, currency: 'GBP', idempotency_key: state })
      const entry = {
        publisher_id: ids.publisher,
        publication_id: ids.publication,
        order_id: ids[state],
        currency: 'GBP',
        service_start_on: '2026-01-01',
        service_end_on: '2026-12-31',
        term_months: 12,
        product: 'print',
      }
      await addOldRow(db, 'ledger_entries', { ...entry, kind: 'sale', amount: 2999, entered_on: '2026-01-01' })
      if (state !== 'kept') {
        await addOldRow(db, 'ledger_entries', { ...entry, kind: 'refund', amount: -2999, entered_on: '2026-04-20' })
      }
    }
  })
})

it('a ledger of an earlier release keeps every entry unchanged, and has the same totals', async () => {
  expect(await entriesOf(services, ids.kept)).toMatchObject([{ kind: 'sale', cause: '', amount: 2999, termMonths: 12 }])
  expect(await orderBalance(services, ids.kept, '2026-04-20')).toMatchObject({ net: 2999, fulfilled: 747 })
  for (const id of [ids.refunded, ids.reversed]) {
    expect(await entriesOf(services, id)).toMatchObject([{ kind: 'sale' }, { kind: 'refund', amount: -2999 }])
    expect(await orderBalance(services, id, '2026-04-19')).toMatchObject({ net: 2999, fulfilled: 747 })
    for (const day of ['2026-04-20', '2026-08-31', '2027-01-01'])
      expect(await orderBalance(services, id, day)).toMatchObject({ net: 0, fulfilled: 0, liability: 0 })
  }
})

it('a ledger of an earlier release accepts further entries of a kind, but not two for the same cause', async () => {
  const entry = {
    publisherId: ids.publisher,
    publicationId: ids.publication,
    orderId: ids.kept,
    currency: 'GBP' as const,
    kind: 'refund' as const,
    amount: -100,
    enteredOn: '2026-05-01',
  }
  const first = await LedgerEntries.insertNew(services, { ...entry, cause: 'refund:1' })
  expect(first?.id).toBeGreaterThan(5)
  expect(await LedgerEntries.insertNew(services, { ...entry, cause: 'refund:2' })).not.toBeNull()
  expect(await LedgerEntries.insertNew(services, { ...entry, cause: 'refund:2' })).toBeNull()
  expect(await orderBalance(services, ids.kept, '2026-05-01')).toMatchObject({ net: 2799 })
})

it('a full refund in an earlier release gets a row, which its ledger entry refers to', async () => {
  expect(await refundsOf(services, ids.kept)).toEqual([])
  expect(await refundsOf(services, ids.reversed)).toEqual([])
  const [refund, ...more] = await refundsOf(services, ids.refunded)
  expect(more).toEqual([])
  expect(refund).toMatchObject({
    state: 'succeeded',
    scope: 'whole',
    method: 'reported',
    amount: 2999,
    currency: 'GBP',
  })
  expect((await entriesOf(services, ids.refunded)).at(-1)).toMatchObject({
    kind: 'refund',
    cause: `refund:${refund?.id}`,
  })
})
