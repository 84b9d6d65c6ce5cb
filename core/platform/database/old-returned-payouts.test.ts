import { beforeAll, expect, it } from 'vitest'
import { addOldPublication, addOldRow } from '#tests/support/old-rows.ts'
import { openMigratedServices, type TestServices } from '#tests/support/test-services.ts'

/** Returned payouts, as they were stored while they were counted in the payout that had failed. */

let services: TestServices

beforeAll(async () => {
  services = await openMigratedServices('128-returned-payouts', async (db) => {
    await addOldPublication(db)
    const [publication] = await db.query<{ publisher_id: number }>(`SELECT publisher_id FROM publications`)
    const publisher = { publisher_id: publication?.publisher_id ?? 0 }
    await db.run(`DELETE FROM ledger_close_states`)
    await addOldRow(db, 'ledger_close_states', { ...publisher, closed_until: '2026-09-30' })
    const report = await addOldRow(db, 'provider_reports', { ...publisher, provider: 'stripe' })
    const line = (key: string, on: string, fields: Record<string, string>) =>
      addOldRow(db, 'provider_lines', {
        ...publisher,
        report_id: report,
        provider: 'stripe',
        line_key: key,
        kind: 'payout-returned',
        occurred_on: on,
        posted_on: on,
        payout_on: on,
        explained_on: on,
        currency: 'GBP',
        state: 'none',
        gross: 2934,
        fee: 0,
        net: 2934,
        payout_reference: 'po_1',
        source_reference: 'po_1',
        ...fields,
      })
    await line('closed', '2026-09-12', {})
    await line('open', '2026-10-12', {})
    await line('other', '2026-10-12', { payout_reference: 'po_2' })
    await line('paid', '2026-10-12', { kind: 'payout' })
    await line('paypal', '2026-10-12', { provider: 'paypal' })
  })
})

it('a returned payout of an open month is no longer counted in the payout that failed', async () => {
  expect(
    await services.db.query(`SELECT line_key, payout_reference, payout_on FROM provider_lines ORDER BY line_key`),
  ).toEqual([
    { line_key: 'closed', payout_reference: 'po_1', payout_on: '2026-09-12' },
    { line_key: 'open', payout_reference: null, payout_on: null },
    { line_key: 'other', payout_reference: 'po_2', payout_on: '2026-10-12' },
    { line_key: 'paid', payout_reference: 'po_1', payout_on: '2026-10-12' },
    { line_key: 'paypal', payout_reference: 'po_1', payout_on: '2026-10-12' },
  ])
})
