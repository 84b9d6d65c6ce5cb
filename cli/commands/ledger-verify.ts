import { Command } from 'commander'
import { formatDay } from '#core/kernel/dates.ts'
import { formatMinorUnits } from '#core/kernel/money.ts'
import { countOf } from '#core/kernel/text-format.ts'
import { dayParts } from '#core/ledger/ledger-days.rules.ts'
import type { ClosedMonthDifference } from '#core/ledger/verify-closed-months.ts'
import type { LedgerDifference, LedgerVerification } from '#core/ledger/verify-ledger.ts'
import { publisherOf } from '../as-publisher.ts'
import { exitCodes } from '../cli-error.ts'
import { action, type Cli, flags } from '../command.ts'
import { describe } from '../help.ts'
import { type Column, printTable } from '../table.ts'
import { type LedgerFlags, publisherFlag } from './ledger-flags.ts'

const differenceColumns: readonly Column<LedgerDifference>[] = [
  { header: 'Publisher', show: ({ publisherId }) => publisherId },
  { header: 'Publication', show: ({ publicationId }) => publicationId },
  { header: 'Currency', show: ({ currency }) => currency },
  { header: 'Product', show: ({ product }) => product || 'back issues' },
  { header: 'Day', show: ({ day }) => formatDay(day), raw: ({ day }) => day },
  ...dayParts.map((part): Column<LedgerDifference> => {
    const formatSide = (side: LedgerDifference['stored']) => {
      const value = side?.[part] ?? 0
      return part === 'sales' ? String(value) : formatMinorUnits(value)
    }
    return {
      header: `${part.replace('Vat', ', VAT')}: stored, recomputed`,
      show: ({ stored, recomputed }) => `${formatSide(stored)}, ${formatSide(recomputed)}`,
      align: 'right',
    }
  }),
]

type OrderSumDifference = LedgerVerification['orders'][number]

const orderColumns: readonly Column<OrderSumDifference>[] = [
  { header: 'Publisher', show: ({ publisherId }) => publisherId },
  { header: 'Order', show: ({ orderId }) => orderId },
  ...(['net', 'refunded', 'fulfilled', 'liability'] as const).map(
    (part): Column<OrderSumDifference> => ({
      header: `${part}: stored, recomputed`,
      show: ({ stored, recomputed }) =>
        [stored, recomputed].map((side) => (side ? formatMinorUnits(side[part]) : '-')).join(', '),
      align: 'right',
    }),
  ),
]

const closedColumns: readonly Column<ClosedMonthDifference>[] = [
  { header: 'Publisher', show: ({ publisherId }) => publisherId },
  { header: 'Publication', show: ({ publicationId }) => publicationId },
  { header: 'Currency', show: ({ currency }) => currency },
  { header: 'Product', show: ({ product }) => product ?? 'back issues' },
  { header: 'Month', show: ({ month }) => month },
  { header: 'Figure', show: ({ figure }) => figure },
  { header: 'Frozen', show: ({ frozen }) => formatMinorUnits(frozen), align: 'right' },
  { header: 'Ledger', show: ({ recomputed }) => formatMinorUnits(recomputed), align: 'right' },
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
    .option(...flags.dryRun)
    .action(
      action<LedgerFlags & { repair?: boolean; dryRun?: boolean }>(
        cli,
        async ({ as, publisher, dryRun, ...options }) => {
          const { cliOutput } = cli
          const repair = options.repair === true && dryRun !== true
          const [{ withSession }, { verifyLedger }] = await Promise.all([
            import('../session.ts'),
            import('#core/ledger/verify-ledger.ts'),
          ])
          const who = publisherOf({ as, publisher })
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
        },
      ),
    )
}
