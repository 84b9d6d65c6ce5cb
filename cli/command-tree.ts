import { Command } from 'commander'
import { nearest } from '#core/kernel/text-format.ts'
import { usageError } from './cli-error.ts'
import { action, type Cli } from './command.ts'
import { type About, describe, pathOf } from './help.ts'

/** A command and all its subcommands, at every level. */
export function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap((child) => everyCommand(child))]
}

/** The error for an unknown command or flag of a group; suggests the nearest one. */
export function unknownCommand(group: Command, args: readonly string[]): Error {
  const word = args[0] ?? ''
  const isFlag = word.startsWith('-')
  const names = isFlag ? longFlags(group) : group.commands.map((child) => child.name())
  const near = nearest(word, names)
  const what = isFlag ? `unknown flag ${word.split('=')[0]}` : `unknown command "${word}"`
  return usageError(near ? `${what}, did you mean "${near}"?` : what, `for help: ${pathOf(group)} --help`)
}

/** The long flags of a command, its own and the shared ones. */
export function longFlags(command: Command): string[] {
  const flags = command.options.filter(({ hidden }) => !hidden).map(({ long }) => long ?? '')
  return [...flags, ...(command.parent ? longFlags(command.parent) : ['--help'])]
}

/** A group of commands; without a subcommand it prints its help. */
export function groupCommand(cli: Cli, name: string, about: About): Command {
  const group = describe(new Command(name), about)
  return group
    .usage('<command> [flags]')
    .argument('[words...]')
    .allowUnknownOption()
    .action(
      action(cli, async (_, args) => {
        if (args[0] !== undefined) throw unknownCommand(group, args)
        group.outputHelp()
        return 0
      }),
    )
}
