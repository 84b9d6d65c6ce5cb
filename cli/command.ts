import type { Command } from 'commander'
import type { CliOutput } from './cli-output.ts'

/** One run of the program: how it speaks, and the exit code it ends with unless something fails. */
export interface Cli {
  cliOutput: CliOutput
  exit: number
  /** Commander writes help without waiting for it. */
  helpWritten?: Promise<void>
}

/** The flags that a command of its own shares in form with others. */
export const flags = {
  publication: ['-p, --publication <handle>', 'the publication to work on, by its handle'],
  output: ['-o, --output <file>', 'where to write: a file, or - for stdout'],
  dryRun: ['-n, --dry-run', 'say what would be done, and change nothing'],
  yes: ['-y, --yes', 'do not ask for confirmation'],
} as const

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
