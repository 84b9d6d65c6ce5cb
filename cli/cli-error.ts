import { AppError } from '#core/kernel/errors.ts'

/** The exit codes, and what each says to a script. `subscriptions help exit-codes` prints this table. */
export const exitCodes = {
  done: { code: 0, meaning: 'done' },
  failed: { code: 1, meaning: 'failed: the reason stands on stderr' },
  usage: {
    code: 2,
    meaning: 'wrong use: an unknown command or flag, a value or file that does not fit',
  },
  rejects: { code: 3, meaning: 'done, but some rows were rejected' },
  missing: { code: 4, meaning: 'not configured, not found or not allowed' },
  conflict: { code: 5, meaning: 'conflict: it is already there, or being done by somebody else' },
  interrupted: { code: 130, meaning: 'interrupted by Ctrl-C' },
} as const

export type ExitName = keyof typeof exitCodes

/** A failure that only the command line knows: its own name for scripts and its own exit code. */
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
