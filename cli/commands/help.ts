import { Command } from 'commander'
import { action, type Cli } from '../command.ts'
import { unknownCommand } from '../command-tree.ts'
import { describe, exitCodeHelp } from '../help.ts'

export function helpCommand(cli: Cli): Command {
  const command = describe(new Command('help'), {
    summary: 'Show help for a command, or list the exit codes',
    usage: '[command]',
    examples: [
      ['full help for a command', 'subscriptions help import'],
      ['help for a command in a group', 'subscriptions help publications list'],
      ['what the exit codes mean', 'subscriptions help exit-codes'],
    ],
  })
  return command.argument('[words...]', 'the command, or exit-codes').action(
    action(cli, async (_, words) => {
      if (words.length === 1 && words[0] === 'exit-codes') {
        await cli.cliOutput.print(exitCodeHelp())
        return 0
      }
      let target = command.parent ?? command
      for (const [at, word] of words.entries()) {
        const next = target.commands.find((child) => child.name() === word)
        if (!next) throw unknownCommand(target, words.slice(at))
        target = next
      }
      target.outputHelp()
      return 0
    }),
  )
}
