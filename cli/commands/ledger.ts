import type { Command } from 'commander'
import type { Cli } from '../command.ts'
import { groupCommand } from '../command-tree.ts'
import { ledgerExportCommand } from './ledger-export.ts'
import { ledgerAccountsCommand, ledgerJournalCommand } from './ledger-journal.ts'
import { ledgerCloseCommand, ledgerListCommand, ledgerReopenCommand } from './ledger-months.ts'
import { ledgerOpeningCommand } from './ledger-opening.ts'
import { ledgerReconcileCommand } from './ledger-reconcile.ts'
import { ledgerScheduleCommand } from './ledger-schedule.ts'
import { ledgerTotalsCommand } from './ledger-totals.ts'
import { ledgerVatCommand } from './ledger-vat.ts'
import { ledgerVerifyCommand } from './ledger-verify.ts'

export function ledgerCommand(cli: Cli): Command {
  return groupCommand(cli, 'ledger', {
    summary: 'Totals, deferred revenue, month close, journals',
    usage: '<command>',
    examples: [
      [
        'what is owed to readers at a year end',
        'subscriptions ledger totals --publisher p@example.com --as-of 31/12/2026',
      ],
      ['how it moved, month by month', 'subscriptions ledger schedule --publisher p@example.com --from 2026-01'],
      [
        'the journals of a month for Xero',
        'subscriptions ledger journal --publisher p@example.com --month 2026-10 --layout xero',
      ],
    ],
    exits: ['missing'],
  })
    .addCommand(ledgerTotalsCommand(cli))
    .addCommand(ledgerScheduleCommand(cli))
    .addCommand(ledgerOpeningCommand(cli))
    .addCommand(ledgerListCommand(cli))
    .addCommand(ledgerCloseCommand(cli))
    .addCommand(ledgerReopenCommand(cli))
    .addCommand(ledgerJournalCommand(cli))
    .addCommand(ledgerAccountsCommand(cli))
    .addCommand(ledgerVatCommand(cli))
    .addCommand(ledgerExportCommand(cli))
    .addCommand(ledgerVerifyCommand(cli))
    .addCommand(ledgerReconcileCommand(cli))
}
