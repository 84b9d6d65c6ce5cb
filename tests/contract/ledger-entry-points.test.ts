import { parse } from 'csv-parse/sync'
import { expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { type Currency, currencies, parseMinorUnits } from '#core/kernel/money.ts'
import type { LedgerRow } from '#core/ledger/ledger-rows.ts'
import { ledgerTotals } from '#core/ledger/ledger-totals.query.ts'
import { makeJournal } from '#core/ledger/make-journal.ts'
import { monthsFrom } from '#core/ledger/months.rules.ts'
import { verifyLedger } from '#core/ledger/verify-ledger.ts'
import { listOrders } from '#core/orders/list-orders.query.ts'
import { issueApiToken } from '#core/users/api-token.ts'
import { envOf, runCli } from '#tests/support/captured-io.ts'
import { operator } from '#tests/support/factories.ts'
import { makeRandomLedger } from '#tests/support/random-ledger.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { serveApi } from './api-fixture.ts'

const parts = ['amount', 'refunded', 'net', 'fulfilled', 'liability'] as const
type Sums = Record<Currency, Record<(typeof parts)[number], number>>
/** The end of a month, since a journal covers whole months; in the past by every clock, including the command's. */
const lastDay = '2026-10-31'

/** LEDGER_SEED repeats a run. */
const seed = Number(process.env.LEDGER_SEED ?? Math.floor(Math.random() * 1e9))

it.each(['sqlite', 'postgres'] as const)(
  'cards, rows, CSV, API, command and journals of a random ledger have the same totals (%s)',
  async (dialect) => {
    const services = await openTestServices({}, dialect)
    const staff = await makeRandomLedger(services, { first: '2025-09-15', last: lastDay, orders: 12, seed })
    const ctx = services.as(staff)
    const run = `LEDGER_SEED=${seed} on ${dialect}`

    const { rows } = await listOrders(ctx, { size: 100 })
    const expected = sumsOf(rows)
    expect(await ledgerTotals(ctx, {}), `cards, ${run}`).toMatchObject(expected)
    // The same cards computed from the entries, as filtered ones are.
    expect(await ledgerTotals(ctx, { from: '2025-01-01' }), `cards in view, ${run}`).toMatchObject(expected)

    const [user] = await services.db.query<{ id: number; email: string }>(
      `SELECT id, email FROM users WHERE user_type = 'publisher' AND id = :id`,
      { id: (staff as { userId: number }).userId },
    )
    const { id = 0, email = '' } = user ?? {}
    const { token } = await issueApiToken(services.as(visitor), { email, password: 'masthead', loginPage: 'staff' })
    const url = await serveApi(services)
    const fetchOrders = (path: string) =>
      fetch(`${url}/order/${path}`, { headers: { Authorization: `Bearer ${token}` } })
    const listed = (await (await fetchOrders(`allorders/${id}?size=100`)).json()) as { rows: Record<string, string>[] }
    expect(sumsOf(listed.rows.map(inMinorUnits)), `API, ${run}`).toEqual(expected)
    const file = await (await fetchOrders('downloadallorders')).text()
    expect(sumsOfCsv(file), `CSV, ${run}`).toEqual(expected)

    const cli = (...argv: string[]) =>
      runCli(['ledger', ...argv, '--publisher', email, '--as-of', '31/10/2026'], { env: envOf(services) })
    const printed = await cli('totals', '--json')
    expect(JSON.parse(printed.stdout || printed.stderr), `command, ${run}`).toMatchObject(expected)
    expect(sumsOfCsv((await cli('export')).stdout), `export, ${run}`).toEqual(expected)

    const journalSums: Record<string, { net: number; fulfilled: number; liability: number }> = {}
    for (const month of monthsFrom('2025-09', '2026-10')) {
      for (const { currency, lines } of (await makeJournal(ctx, { month })).journals) {
        const sums = journalSums[currency] ?? { net: 0, fulfilled: 0, liability: 0 }
        journalSums[currency] = sums
        for (const { account, amount, description } of lines) {
          if (account === 'sales') sums.fulfilled -= amount
          else if (account === 'deferred') sums.liability -= amount
          // A refund as credit is a debt of the publisher instead of a claim.
          else if (account === 'credits' || (account.startsWith('receivable:') && description !== 'Fees'))
            sums.net += amount
        }
      }
    }
    for (const currency of currencies) {
      const { net, fulfilled, liability } = expected[currency]
      const journals = journalSums[currency] ?? { net: 0, fulfilled: 0, liability: 0 }
      expect(journals, `journals in ${currency}, ${run}`).toEqual({ net, fulfilled, liability })
    }
    expect(await verifyLedger(services.as(operator), {}), run).toMatchObject({ different: 0 })
  },
)

function sumsOf(rows: readonly (Pick<LedgerRow, (typeof parts)[number]> & { currency: Currency })[]): Sums {
  const sumOf = (currency: Currency, part: (typeof parts)[number]) =>
    rows.filter((row) => row.currency === currency).reduce((sum, row) => sum + (row[part] ?? 0), 0)
  return Object.fromEntries(
    currencies.map((currency) => [currency, Object.fromEntries(parts.map((part) => [part, sumOf(currency, part)]))]),
  ) as Sums
}

/** Amounts as the API and the file print them; blank or null for a free order. */
function inMinorUnits(row: Record<string, string | null>) {
  const minorUnitsOf = (part: string) => (row[part] ? (parseMinorUnits(row[part]) ?? Number.NaN) : 0)
  return {
    currency: row.currency as Currency,
    ...(Object.fromEntries(parts.map((part) => [part, minorUnitsOf(part)])) as Record<(typeof parts)[number], number>),
  }
}

function sumsOfCsv(text: string): Sums {
  const rows: Record<string, string>[] = parse(text, {
    bom: true,
    columns: (heads: string[]) => heads.map((head) => head.toLowerCase()),
  })
  return sumsOf(rows.map(inMinorUnits))
}
