import fc from 'fast-check'
import { expect, it } from 'vitest'
import { currencies } from '../kernel/money.ts'
import { type Journal, type JournalAccount, type JournalLine, payoutJournalOf } from './journal.rules.ts'
import { journalFiles, journalLayoutNames, journalLayouts, missingCodes } from './journal-layouts.rules.ts'

const accounts: JournalAccount[] = [
  'sales',
  'deferred',
  'vat',
  'fees',
  'receivable:stripe-card',
  'receivable:stripe-bacs',
  'bank',
  'differences',
]
const codes = Object.fromEntries(accounts.map((account, index) => [account, String(200 + index)]))

/** A balanced journal of two to 40 lines. */
const journal = fc
  .record({
    currency: fc.constantFrom(...currencies),
    amounts: fc.array(
      fc.record({
        account: fc.constantFrom(...accounts),
        amount: fc.integer({ min: -99_999, max: 99_999 }).filter((amount) => amount !== 0),
      }),
      { minLength: 1, maxLength: 39 },
    ),
  })
  .map(({ currency, amounts }) => {
    const lines: JournalLine[] = amounts.map((line, index) => ({ ...line, description: `Line ${index}` }))
    const rest = -lines.reduce((sum, { amount }) => sum + amount, 0)
    return {
      currency,
      lines: rest === 0 ? lines : [...lines, { account: accounts[0], description: 'Rest', amount: rest }],
    }
  })

const journals = fc.array(journal, { maxLength: 60 }).map((list) =>
  list.map(
    (fields, index): Journal =>
      ({
        ...fields,
        narration: `Harbour Light ${index}`,
        number: `HL-${String(index).padStart(3, '0')}`,
        date: '2026-10-31',
        publicationName: 'Harbour Light',
      }) as Journal,
  ),
)

/** The maximum number of lines that the accounting program accepts in a file, without the header. */
const maxLinesByLayout = { xero: 300, quickbooks: 300, sage: 1000, plain: Number.POSITIVE_INFINITY }

/** Read a row's journal, account code and amount; debits are positive. */
const read = {
  xero: (row: string[]) => [row[0], row[3], Number(row[5])],
  quickbooks: (row: string[]) => [row[0], row[2], row[4] ? Number(row[4]) : -Number(row[5])],
  sage: (row: string[]) => [row[5], row[2], row[0] === 'JD' ? Number(row[7]) : -Number(row[7])],
  plain: (row: string[]) => [row[0], row[5], row[7] ? Number(row[7]) : -Number(row[8])],
} as const

const textOf = (cell: unknown) =>
  typeof cell === 'object' && cell !== null && 'number' in cell ? String(cell.number) : String(cell ?? '')

it.each(journalLayoutNames)(
  'a %s file has one currency, no more lines than its program accepts, and whole journals that balance',
  (layout) => {
    const { header } = journalLayouts[layout]
    fc.assert(
      fc.property(journals, (given) => {
        const files = journalFiles(layout, given, codes)
        const seenNames: string[] = []
        let postings = 0
        for (const { fileNamePart, rows } of files) {
          const body = (header ? rows.slice(1) : rows).map((row) => row.map(textOf))
          if (header) expect(rows[0]).toEqual(header)
          expect(body.length).toBeLessThanOrEqual(maxLinesByLayout[layout])
          postings += body.length
          const sums = new Map<string, number>()
          for (const [name, , amount] of body.map(read[layout]))
            sums.set(String(name), Math.round(((sums.get(String(name)) ?? 0) + Number(amount)) * 100) / 100)
          expect([...sums.values()].every((sum) => sum === 0)).toBe(true)
          for (const name of sums.keys()) {
            const match = given.find(({ number, narration }) => [number, narration].includes(name))
            expect(match?.currency).toBe(fileNamePart.slice(0, 3))
            seenNames.push(name)
          }
        }
        // No journal is in two files, and none is lost.
        expect(new Set(seenNames).size).toBe(seenNames.length)
        expect(seenNames).toHaveLength(given.length)
        expect(postings).toBe(given.reduce((sum, { lines }) => sum + lines.length, 0))
        expect(new Set(files.map(({ fileNamePart }) => fileNamePart)).size).toBe(files.length)
      }),
      { numRuns: 60 },
    )
  },
)

it('QuickBooks gets debits and credits in separate columns, Sage in rows of separate types, Xero with a sign', () => {
  const lines: JournalLine[] = [
    { account: 'receivable:stripe-card', description: 'Sold', amount: 2999 },
    { account: 'deferred', description: 'Print', amount: -2999 },
  ]
  const octoberJournal: Journal = {
    narration: 'Harbour Light October 2026 GBP',
    number: 'HL-202610-GBP',
    date: '2026-10-31',
    publicationId: 1,
    publicationName: 'Harbour Light',
    currency: 'GBP',
    lines,
  } as Journal
  const rows = (layout: 'xero' | 'quickbooks' | 'sage') =>
    journalFiles(layout, [octoberJournal], codes).flatMap((file) => file.rows.map((row) => row.map(textOf)))
  expect(rows('xero').slice(1)).toEqual([
    [octoberJournal.narration, '31/10/2026', 'Sold', '204', 'No VAT', '29.99', '', '', '', ''],
    [octoberJournal.narration, '31/10/2026', 'Print', '201', 'No VAT', '-29.99', '', '', '', ''],
  ])
  expect(rows('quickbooks').slice(1)).toEqual([
    [octoberJournal.number, '31/10/2026', '204', 'Harbour Light: Sold', '29.99', '', ''],
    [octoberJournal.number, '31/10/2026', '201', 'Harbour Light: Print', '', '29.99', ''],
  ])
  expect(rows('sage')).toEqual([
    ['JD', '', '204', '0', '31/10/2026', octoberJournal.number, 'Sold: Harbour Light', '29.99', 'T9', '0.00'],
    ['JC', '', '201', '0', '31/10/2026', octoberJournal.number, 'Print: Harbour Light', '29.99', 'T9', '0.00'],
  ])
  expect(missingCodes('xero', [octoberJournal], { deferred: ' ' })).toEqual(['receivable:stripe-card', 'deferred'])
  expect(missingCodes('plain', [octoberJournal], {})).toEqual([])
})

const payouts = fc.record({
  month: fc.constant('2026-10'),
  provider: fc.constant('stripe' as const),
  currency: fc.constantFrom(...currencies),
  paid: fc.array(
    fc.record({
      receivable: fc.constantFrom('stripe-card' as const, 'stripe-bacs' as const),
      amount: fc.integer({ min: -99_999, max: 99_999 }),
    }),
    { maxLength: 6 },
  ),
  unexplained: fc.integer({ min: -99_999, max: 99_999 }),
  fees: fc.integer({ min: -999, max: 999 }),
})

it.each(journalLayoutNames)(
  'the unexplained part of a payout is a line of its own in a %s file, which balances',
  (layout) => {
    fc.assert(
      fc.property(payouts, (amounts) => {
        const payoutJournal = payoutJournalOf(amounts)
        const posted = payoutJournal
          ? journalFiles(layout, [payoutJournal], codes).flatMap(({ rows }) =>
              journalLayouts[layout].header ? rows.slice(1) : rows,
            )
          : []
        const lines = posted.map((row) => read[layout](row.map(textOf)))
        const pence = (ofLines: typeof lines) =>
          ofLines.reduce((sum, [, , amount]) => sum + Math.round(Number(amount) * 100), 0)
        expect(pence(lines)).toBe(0)
        // A credit if more was paid out than is explained; no line if everything is explained.
        const differences = lines.filter(([, code]) => code === codes.differences)
        expect(differences).toHaveLength(amounts.unexplained === 0 ? 0 : 1)
        expect(pence(differences)).toBe(0 - amounts.unexplained)
        const explained = amounts.paid.reduce((sum, { amount }) => sum + amount, 0)
        expect(pence(lines.filter(([, code]) => code === codes.bank))).toBe(explained + amounts.unexplained)
      }),
      { numRuns: 100 },
    )
  },
)
