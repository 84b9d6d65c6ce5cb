import { usageError } from './cli-error.ts'
import type { CliOutput } from './cli-output.ts'
import { isTerminal } from './io.ts'
import { promptNewPassword, promptText } from './prompt.ts'
import { readLine } from './read-line.ts'

/** The flags for the first password of a new user. */
export interface PasswordFlags {
  passwordStdin?: boolean
  invite?: boolean
}

export const passwordFlags = {
  passwordStdin: ['--password-stdin', 'read the password from stdin, one line'],
  invite: ['--invite', 'send an email with a link to choose a password'],
} as const

export interface Question {
  /** The key of the answer. */
  name: string
  flag: string
  question: string
  value: string | undefined
}

/** The answers by name: from flags, else asked for on the terminal. */
export async function answersTo(cliOutput: CliOutput, questions: readonly Question[]): Promise<Record<string, string>> {
  const answers: Record<string, string> = {}
  for (const { name, question, value } of questions) answers[name] = value ?? (await promptText(cliOutput, question))
  return answers
}

/** Throws, before the database is opened, if flags are missing and the user cannot be asked; names all of them. */
export function requireFlags(
  cliOutput: CliOutput,
  questions: readonly Pick<Question, 'flag' | 'value'>[],
  password?: PasswordFlags,
): void {
  if (password?.passwordStdin && password.invite)
    throw usageError('--invite and --password-stdin cannot be combined', 'leave one of them out')
  if (cliOutput.canPrompt()) return
  const missing = questions.filter(({ value }) => value === undefined).map(({ flag }) => flag)
  if (password && !password.passwordStdin && !password.invite) missing.push('--invite or --password-stdin')
  if (missing.length > 0) throw usageError(`missing flags: ${missing.join(', ')}`, 'add these flags')
}

/** The first password: typed twice without echo, read from stdin, or none with an invitation. */
export async function readInitialPassword(cliOutput: CliOutput, flags: PasswordFlags): Promise<object> {
  if (flags.invite) return { access: 'invitation' }
  const password = flags.passwordStdin
    ? await passwordFromStdin(cliOutput)
    : await promptNewPassword(cliOutput, 'Password')
  return { access: 'password', password, password2: password }
}

export async function passwordFromStdin({ io }: CliOutput): Promise<string> {
  if (isTerminal(io.stdin))
    throw usageError(
      'there is nothing on stdin',
      'pipe the password in: pass show ann | subscriptions ... --password-stdin',
    )
  const password = await readLine(io)
  if (!password) throw usageError('stdin holds no password', 'pipe it in as one line')
  return password
}
