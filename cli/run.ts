import { CommanderError } from 'commander'
import { interrupted } from './cli-error.ts'
import { makeCliOutput, sharedFlags } from './cli-output.ts'
import type { Cli } from './command.ts'
import { hasCode, reportFailure } from './failure.ts'
import { type Io, isPipeClosed } from './io.ts'
import { makeProgram } from './program.ts'

/** Runs one command line and returns the exit code. Never throws: failures are reported on the streams of `io`. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const cliOutput = makeCliOutput(io, sharedFlags(argv))
  const cli: Cli = { cliOutput, exit: 0 }
  try {
    await parse(cli, argv)
    return cli.exit
  } catch (error) {
    // A closed pipe (`export | head`) is not a failure.
    if (isPipeClosed(error, io.stdout)) return 0
    return reportFailure(cliOutput, isInterruption(error, io) ? interrupted() : error)
  }
}

async function parse(cli: Cli, argv: readonly string[]): Promise<void> {
  try {
    await makeProgram(cli).parseAsync(argv, { from: 'user' })
  } catch (error) {
    // Commander exits this way after printing help.
    if (!(error instanceof CommanderError)) throw error
  }
  await cli.helpOutput
}

function isInterruption(error: unknown, io: Io): boolean {
  if (!(error instanceof Error)) return false
  return (
    error.name === 'ExitPromptError' ||
    (io.signal.aborted && (error.name === 'AbortError' || hasCode(error, 'ABORT_ERR')))
  )
}
