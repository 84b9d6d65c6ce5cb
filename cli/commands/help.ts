import { Command } from 'commander'
import { action, type Cli } from '../command.ts'
import { unknownWord } from '../command-tree.ts'
import { describe, exitCodeHelp } from '../help.ts'

export function helpCommand(cli: Cli): Command {
  const command = describe(new Command('help'), {
    summary: 'Show the help of a command, or every exit code',
    usage: '[command]',
    examples: [
      ['the whole help of a command', 'subscriptions help import'],
      ['of a command in a group', 'subscriptions help publications list'],
      ['what the exit codes mean', 'subscriptions help exit-codes'],
    ],
  })
  return command.argument('[words...]', 'the command, or exit-codes').action(
    action(cli, async (_, words) => {
      if (words.length === 1 && words[0] === 'exit-codes') {
        await cli.cliOutput.print(exitCodeHelp())
        return 0
      }
      let found = command.parent ?? command
      for (const [at, word] of words.entries()) {
        const next = found.commands.find((child) => child.name() === word)
        if (!next) throw unknownWord(found, words.slice(at))
        found = next
      }
      found.outputHelp()
      return 0
    }),
  )
}
