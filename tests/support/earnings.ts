import fc from 'fast-check'
import { addDays, addMonths } from '#core/kernel/calendar.ts'
import type { Earning } from '#core/ledger/liability.rules.ts'
import { orderBalanceOf, refundParts } from '#core/ledger/refund-allocation.rules.ts'
import { termLengths } from '#core/pricing/plan-code.rules.ts'
import { newTerm } from '#core/terms/term.rules.ts'

/** A term as the ledger has it: a first one, the next one, a refunded part, or one with invalid dates. */
export const earning = fc
  .record({
    amount: fc.integer({ min: -50_000, max: 50_000 }),
    first: fc.integer({ min: 0, max: 1500 }).map((days) => addDays('2024-01-01', days)),
    termMonths: fc.constantFrom(...termLengths),
    shape: fc.constantFrom('first', 'next', 'part', 'backwards', 'endless'),
    after: fc.nat(300),
  })
  .map(({ amount, first, termMonths, shape, after }): Earning => {
    const current = { subType: 'print', subStartOn: first, subEndOn: addMonths(first, 1), subAnchorDay: null } as const
    const term = newTerm(shape === 'next' ? current : null, { product: 'print', termMonths }, first)
    const sale = { amount, serviceStartOn: term?.startOn ?? null, serviceEndOn: term?.endOn ?? null, termMonths }
    if (shape === 'backwards') return { ...sale, serviceEndOn: addDays(first, -after) }
    if (shape === 'endless') return { ...sale, serviceEndOn: null }
    if (shape !== 'part') return sale
    const balance = orderBalanceOf([{ ...sale, amount: Math.abs(amount) }], addDays(first, after))
    return refundParts(balance, balance.liability, balance.elapsed)[0] ?? sale
  })
