import { Command } from 'commander'
import { countOf } from '#core/kernel/counted.ts'
import { printDay } from '#core/kernel/dates.ts'
import { printMinorUnits } from '#core/kernel/money.ts'
import { dayParts } from '#core/ledger/ledger-days.rules.ts'
import type { ClosedMonthDifference } from '#core/ledger/verify-closed-months.ts'
import type { LedgerDifference, LedgerVerification } from '#core/ledger/verify-ledger.ts'
import { exitCodes } from '../cli-error.ts'
import { action, type Cli } from '../command.ts'
import { describe } from '../help.ts'
import { type Column, printTable } from '../table.ts'
import { type LedgerFlags, publisherFlag } from './ledger-flags.ts'

const differenceColumns: readonly Column<LedgerDifference>[] = [
  { head: 'Publisher', show: ({ publisherId }) => publisherId },
  { head: 'Publication', show: ({ publicationId }) => publicationId },
  { head: 'Currency', show: ({ currency }) => currency },
  { head: 'Product', show: ({ product }) => product || 'back issues' },
  { head: 'Day', show: ({ day }) => printDay(day) },
  ...dayParts.map((part): Column<LedgerDifference> => {
    const printSide = (side: LedgerDifference['stored']) => {
      const value = side?.[part] ?? 0
      return part === 'sales' ? String(value) : printMinorUnits(value)
    }
    return {
      head: `${part.replace('Vat', ', VAT')}: stored, recomputed`,
      show: ({ stored, recomputed }) => `${printSide(stored)}, ${printSide(recomputed)}`,
      align: 'right',
    }
  }),
]

type OrderSumDifference = LedgerVerification['orders'][number]

const orderColumns: readonly Column<OrderSumDifference>[] = [
  { head: 'Publisher', show: ({ publisherId }) => publisherId },
  { head: 'Order', show: ({ orderId }) => orderId },
  ...(['net', 'refunded', 'fulfilled', 'liability'] as const).map(
    (part): Column<OrderSumDifference> => ({
      head: `${part}: stored, recomputed`,
      show: ({ stored, recomputed }) =>
        [stored, recomputed].map((side) => (side ? printMinorUnits(side[part]) : '-')).join(', '),
      align: 'right',
    }),
  ),
]

const closedColumns: readonly Column<ClosedMonthDifference>[] = [
  { head: 'Publisher', show: ({ publisherId }) => publisherId },
  { head: 'Publication', show: ({ publicationId }) => publicationId },
  { head: 'Currency', show: ({ currency }) => currency },
  { head: 'Product', show: ({ product }) => product ?? 'back issues' },
  { head: 'Month', show: ({ month }) => month },
  { head: 'Figure', show: ({ figure }) => figure },
  { head: 'Frozen', show: ({ frozen }) => printMinorUnits(frozen), align: 'right' },
  { head: 'Ledger', show: ({ recomputed }) => printMinorUnits(recomputed), align: 'right' },
]

export function ledgerVerifyCommand(cli: Cli): Command {
  return describe(new Command('verify'), {
    summary: 'Compare stored totals and closed months with the ledger',
    details:
      'Recomputes the totals from every entry, of one publisher or of all, and prints where\n' +
      'the stored totals or the frozen figures of closed months differ. Any difference gives\n' +
      'exit code 1. --repair writes the new totals; frozen figures are left unchanged: reopen\n' +
      'their month and close it again.',
    examples: [
      ['all publishers', 'subscriptions ledger verify'],
      ['one of them', 'subscriptions ledger verify --publisher p@example.com'],
      ['and repair the totals', 'subscriptions ledger verify --repair'],
    ],
    exits: ['missing'],
  })
    .option(...publisherFlag)
    .option('--repair', 'write the recomputed totals; closed months are left unchanged')
    .action(
      action<LedgerFlags & { repair?: boolean }>(cli, async ({ as, publisher, repair = false }) => {
        const { cliOutput } = cli
        const [{ withSession }, { verifyLedger }] = await Promise.all([
          import('../session.ts'),
          import('#core/ledger/verify-ledger.ts'),
        ])
        const who = as ?? publisher
        const verified = await withSession(cliOutput, who === undefined ? {} : { as: who }, ({ ctx }) =>
          verifyLedger(ctx, { repair }),
        )
        const { entries, different, differences, orders, texts, isRepaired, closedMonths, closedDifferent } = verified
        if (cliOutput.flags.json) await cliOutput.json(verified)
        else if (different === 0)
          cliOutput.say(`${cliOutput.err.done} The stored totals agree with ${countOf(entries, 'entry', 'entries')}`)
        else {
          if (differences.length > 0) await printTable(cliOutput, differences, differenceColumns)
          if (orders.length > 0) await printTable(cliOutput, orders, orderColumns)
          if (texts > 0)
            cliOutput.warn(
              `${countOf(texts, 'name or product', 'names or products')} of orders ${texts === 1 ? 'is' : 'are'} missing from the search index`,
            )
          const what = `${countOf(different, 'stored total')} ${different === 1 ? 'differs' : 'differ'} from the entries`
          if (isRepaired) cliOutput.say(`${cliOutput.err.done} ${what}; rebuilt`)
          else cliOutput.warn(`${what}. To rebuild them: subscriptions ledger verify --repair`)
        }
        if (closedDifferent > 0 && !cliOutput.flags.json) {
          await printTable(cliOutput, closedMonths, closedColumns)
          cliOutput.warn(
            `${countOf(closedDifferent, 'frozen figure')} of closed months ${closedDifferent === 1 ? 'differs' : 'differ'} from the ledger` +
              `${repair ? ` and ${closedDifferent === 1 ? 'was' : 'were'} left unchanged` : ''}. To freeze ${closedDifferent === 1 ? 'it' : 'them'} again: subscriptions ledger reopen, then ledger close`,
          )
        }
        const isCorrected = different === 0 || isRepaired
        return isCorrected && closedDifferent === 0 ? exitCodes.done.code : exitCodes.failed.code
      }),
    )
}
