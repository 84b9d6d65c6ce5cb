import { AppError } from '#core/kernel/errors.ts'

/** The exit codes and what they mean. `subscriptions help exit-codes` prints this table. */
export const exitCodes = {
  done: { code: 0, meaning: 'done' },
  failed: { code: 1, meaning: 'failed: the reason is on stderr' },
  usage: {
    code: 2,
    meaning: 'usage error: an unknown command or flag, an invalid value or file',
  },
  rejects: { code: 3, meaning: 'done, but some rows were rejected' },
  missing: { code: 4, meaning: 'not configured, not found or not allowed' },
  conflict: { code: 5, meaning: 'conflict: it already exists, or another process is working on it' },
  interrupted: { code: 130, meaning: 'interrupted by Ctrl-C, or not confirmed' },
} as const

export type ExitName = keyof typeof exitCodes

/** An error of the command line itself: `code` is its name for scripts, `exit` the exit code. */
export class CliError extends AppError {
  readonly code: string
  readonly exit: number

  constructor(code: string, exit: ExitName, message: string, hint?: string) {
    super('invalid', message, { hint })
    this.code = code
    this.exit = exitCodes[exit].code
  }
}

export function usageError(message: string, hint?: string): CliError {
  return new CliError('usage', 'usage', message, hint)
}

export function interrupted(message = 'Interrupted', hint?: string): CliError {
  return new CliError('interrupted', 'interrupted', message, hint)
}
