import { Command } from 'commander'
import { nearest } from '#core/kernel/counted.ts'
import { usageError } from './cli-error.ts'
import { action, type Cli } from './command.ts'
import { type About, describe, pathOf } from './help.ts'

/** A command and all below it. */
export function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap((child) => everyCommand(child))]
}

/** What a group of commands does with a word it does not know: says so and names the near one, and never runs it. */
export function unknownCommand(group: Command, words: readonly string[]): Error {
  const word = words[0] ?? ''
  const isFlag = word.startsWith('-')
  const known = isFlag ? longFlags(group) : group.commands.map((child) => child.name())
  const near = nearest(word, known)
  const what = isFlag ? `unknown flag ${word.split('=')[0]}` : `unknown command "${word}"`
  return usageError(near ? `${what}, did you mean "${near}"?` : what, `see what there is: ${pathOf(group)} --help`)
}

/** The long flags a command understands, its own and the shared ones. */
export function longFlags(command: Command): string[] {
  const own = command.options.map(({ long }) => long ?? '')
  return [...own, ...(command.parent ? longFlags(command.parent) : ['--help'])]
}

/** A command that only holds others: alone it shows its help. */
export function groupCommand(cli: Cli, name: string, about: About): Command {
  const group = describe(new Command(name), about)
  return group
    .usage('<command> [flags]')
    .argument('[words...]')
    .allowUnknownOption()
    .action(
      action(cli, async (_, words) => {
        if (words[0] !== undefined) throw unknownCommand(group, words)
        group.outputHelp()
        return 0
      }),
    )
}
