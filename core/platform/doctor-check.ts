import { maskPasswords } from '#core/kernel/mask-passwords.rules.ts'
import { systemFailure } from './system-failure.ts'

/** One finding of the doctor: the subject, its state, what was found and, unless it is fine, the command or setting that fixes it. */
export interface Check {
  name: string
  state: 'ok' | 'warning' | 'failed'
  found: string
  fix: string | null
}

export const ok = (name: string, found: string): Check => ({ name, state: 'ok', found, fix: null })
export const warning = (name: string, found: string, fix: string): Check => ({ name, state: 'warning', found, fix })
export const failed = (name: string, found: string, fix: string): Check => ({ name, state: 'failed', found, fix })

/** First line of an error, without a password in an address. */
export function messageOf(thrown: unknown): string {
  const error = systemFailure(thrown) ?? thrown
  const text = error instanceof Error ? error.message || error.name : String(error)
  return maskPasswords(text.split('\n')[0] ?? '')
}
