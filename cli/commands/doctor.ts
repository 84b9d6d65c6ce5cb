import { Command } from 'commander'
import { countOf } from '#core/kernel/text-format.ts'
import type { Check } from '#core/platform/doctor-check.ts'
import type { ShownSetting } from '#core/platform/shown-settings.ts'
import { exitCodes } from '../cli-error.ts'
import type { CliOutput } from '../cli-output.ts'
import { action, type Cli } from '../command.ts'
import { describe } from '../help.ts'
import { printable } from '../style.ts'

export function doctorCommand(cli: Cli): Command {
  return describe(new Command('doctor'), {
    summary: 'Check the installation, and say how to fix it',
    details:
      'Checks Node, settings, database, connection pooler, migrations, jobs, stored secrets, payments,\nthe totals and the closed months of the ledger, handles, clock, data folder, queue, mail and\ntime zone. Changes nothing.',
    examples: [
      ['check everything', 'subscriptions doctor'],
      ['only warnings and failures', 'subscriptions doctor --json | jq \'.checks[] | select(.state != "ok")\''],
      ['in a monitoring script: exit code 1 on any failure', 'subscriptions doctor --quiet'],
    ],
  }).action(
    action(cli, async () => {
      const { cliOutput } = cli
      const [
        { doctor, readInstallation, settingsOf },
        { checkLedgerTotals },
        { closedMonthDifferences },
        { unreachableHandles },
        { senderFindings },
        { missingReaderIndexes },
      ] = await Promise.all([
        import('#core/platform/doctor.ts'),
        import('#core/ledger/verify-ledger.ts'),
        import('#core/ledger/verify-closed-months.ts'),
        import('#core/publications/unreachable-handles.query.ts'),
        import('#core/senders/get-sender.query.ts'),
        import('#core/imports/load/indexes.ts'),
      ])
      const installation = readInstallation(cliOutput.io.env, cliOutput.flags.settings)
      const settings = settingsOf(installation)
      if (!cliOutput.flags.json && !cliOutput.flags.quiet) await printSettings(cliOutput, settings)
      const checks: Check[] = []
      const areas = {
        storedTotals: checkLedgerTotals,
        closedMonths: closedMonthDifferences,
        unreachableHandles,
        missingReaderIndexes,
        senders: senderFindings,
      }
      for await (const check of doctor(installation, areas)) {
        checks.push(check)
        if (!cliOutput.flags.json && !(cliOutput.flags.quiet && check.state === 'ok'))
          await printCheck(cliOutput, check)
      }
      const failed = checks.filter(({ state }) => state === 'failed').length
      const warnings = checks.filter(({ state }) => state === 'warning').length
      if (cliOutput.flags.json) await cliOutput.json({ ok: failed === 0, failed, warnings, checks, settings })
      else {
        const summary = failed === 0 ? 'No failures' : `${countOf(failed, 'failure')} to fix`
        cliOutput.say(warnings > 0 ? `${summary}; ${countOf(warnings, 'warning')}` : summary)
      }
      return failed > 0 ? exitCodes.failed.code : exitCodes.done.code
    }),
  )
}

const labelWidth = 11
const settingWidth = 31

async function printCheck({ print, out }: CliOutput, { name, state, found, fix }: Check): Promise<void> {
  const mark = { ok: out.done, warning: out.warning, failed: out.failed }[state]
  await print(`${mark} ${name.padEnd(labelWidth)} ${printable(found)}`)
  if (fix) await print(`${' '.repeat(labelWidth + 3)}fix: ${printable(fix)}`)
}

async function printSettings(cliOutput: CliOutput, settings: readonly ShownSetting[]): Promise<void> {
  const { print, out } = cliOutput
  await print(out.bold('Settings'))
  for (const { name, value, from } of settings)
    await print(`  ${name.padEnd(settingWidth)} ${printable(value ?? '-')}  ${out.dim(`(${from})`)}`)
  await print('')
}
