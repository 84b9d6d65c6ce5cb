import { newPasswordProblems } from '../access/password-policy.ts'
import type { AppContext } from '../context.ts'
import type { FieldPhrases } from '../kernel/phrases.ts'

type RawInput = Record<string, unknown>

/** Whether the input for a new or changed user contains a password: by the choice in the form or, without one, if a password was typed. */
export function hasNewPassword({ access, password, password2 }: RawInput): boolean {
  if (access === 'invitation') return false
  return access === 'password' || Boolean(password) || Boolean(password2)
}

/** The field problems of a password that is set for another user; empty if none is set. */
export async function newUserPasswordProblems({ settings }: AppContext, input: RawInput): Promise<FieldPhrases> {
  if (!hasNewPassword(input)) return {}
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return newPasswordProblems(
    { password: text(input.password), password2: text(input.password2) },
    settings.passwordMinLength,
  )
}
