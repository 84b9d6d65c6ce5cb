import { newPasswordProblems } from '../access/password-policy.ts'
import type { AppContext } from '../context.ts'
import type { FieldPhrases } from '../kernel/phrases.ts'

type Sent = Record<string, unknown>

/** Whether a password is given when a user is added or changed: the form's choice, else whether one was typed. */
export function hasNewPassword({ access, password, password2 }: Sent): boolean {
  if (access === 'invitation') return false
  return access === 'password' || Boolean(password) || Boolean(password2)
}

/** The field problems of a password given for another user; empty if none is given. */
export async function newUserPasswordProblems({ settings }: AppContext, sent: Sent): Promise<FieldPhrases> {
  if (!hasNewPassword(sent)) return {}
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return newPasswordProblems(
    { password: text(sent.password), password2: text(sent.password2) },
    settings.passwordMinLength,
  )
}
