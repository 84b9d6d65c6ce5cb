import { Command } from 'commander'
import { countOf } from '#core/kernel/words.ts'
import type { Check } from '#core/platform/doctor-check.ts'
import { exitCodes } from '../cli-error.ts'
import { action, type Cli } from '../command.ts'
import { describe } from '../help.ts'
import { printable } from '../style.ts'
import type { Talk } from '../talk.ts'

export function doctorCommand(cli: Cli): Command {
  return describe(new Command('doctor'), {
    summary: 'Check the installation, and say what mends it',
    details:
      'Looks at Node, settings, database, migrations, jobs, payments, clock, data folder,\nqueue, mail and time zone. Changes nothing.',
    examples: [
      ['check everything', 'subscriptions doctor'],
      ['only what is not as it should be', 'subscriptions doctor --json | jq \'.checks[] | select(.state != "ok")\''],
      ['in a monitoring script: exit code 1 on any failure', 'subscriptions doctor --quiet'],
    ],
  }).action(
    action(cli, async () => {
      const { talk } = cli
      const { doctor } = await import('#core/platform/doctor.ts')
      const checks: Check[] = []
      for await (const check of doctor(talk.io.env)) {
        checks.push(check)
        if (!talk.flags.json && !(talk.flags.quiet && check.state === 'ok')) await printCheck(talk, check)
      }
      const failed = checks.filter(({ state }) => state === 'failed').length
      const warnings = checks.filter(({ state }) => state === 'warning').length
      if (talk.flags.json) await talk.json({ ok: failed === 0, failed, warnings, checks })
      else {
        const good = failed === 0 ? 'Everything needed is there' : `${countOf(failed, 'thing')} to mend`
        talk.say(warnings > 0 ? `${good}; ${countOf(warnings, 'warning')}` : good)
      }
      return failed > 0 ? exitCodes.failed.code : exitCodes.done.code
    }),
  )
}

const labelWidth = 11

async function printCheck({ print, out }: Talk, { name, state, found, fix }: Check): Promise<void> {
  const mark = { ok: out.done, warning: out.warning, failed: out.failed }[state]
  await print(`${mark} ${name.padEnd(labelWidth)} ${printable(found)}`)
  if (fix) await print(`${' '.repeat(labelWidth + 3)}fix: ${printable(fix)}`)
}
