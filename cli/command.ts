import { type Command, Option } from 'commander'
import type { CliOutput } from './cli-output.ts'

/** One run of the program: its output, and its exit code unless something fails. */
export interface Cli {
  cliOutput: CliOutput
  exit: number
  /** Resolves when the help is written: commander does not wait for it. */
  helpOutput?: Promise<void>
}

/** Flags that several commands have, with the same wording. */
export const flags = {
  publication: ['-p, --publication <handle>', 'the publication to work on, by its handle or number'],
  output: ['-o, --output <file>', 'where to write: a file, or - for stdout'],
  dryRun: ['-n, --dry-run', 'show what would be done, and change nothing'],
  yes: ['-y, --yes', 'do not ask for confirmation'],
} as const

/** An earlier spelling of a flag: accepted, and left out of help and completion. */
export const formerFlag = (spelling: string) => new Option(spelling).hideHelp()

/**
 * Makes a commander action from a function of flags and arguments. It may return an exit code; failures are thrown and
 * reported in one place.
 */
export function action<Flags extends object>(
  cli: Cli,
  work: (flags: Flags & { as?: string }, args: readonly string[]) => Promise<number | undefined>,
): (...args: unknown[]) => Promise<void> {
  return async (...args) => {
    const command = args.at(-1) as Command
    cli.exit = (await work(command.optsWithGlobals(), command.args)) ?? 0
  }
}
