import { askNewPassword, askText } from './ask.ts'
import { usageError } from './cli-error.ts'
import type { CliOutput } from './cli-output.ts'
import { isTerminal } from './io.ts'
import { readLine } from './read-line.ts'

/** How somebody new gets in, as the flags say it. */
export interface PasswordFlags {
  passwordStdin?: boolean
  invite?: boolean
}

export const passwordFlags = {
  passwordStdin: ['--password-stdin', 'read the password from stdin, one line'],
  invite: ['--invite', 'send a mail with a link to choose a password'],
} as const

export interface Question {
  /** Names the answer. */
  name: string
  flag: string
  question: string
  value: string | undefined
}

/** Answers by name: from flags, and on a terminal asked for. Elsewhere it refuses at once and names every flag that is missing. */
export async function answersTo(cliOutput: CliOutput, questions: readonly Question[]): Promise<Record<string, string>> {
  const answers: Record<string, string> = {}
  for (const { name, question, value } of questions) answers[name] = value ?? (await askText(cliOutput, question))
  return answers
}

/** Refuses, before anything is opened, what could not be asked for. */
export function requireFlags(
  cliOutput: CliOutput,
  questions: readonly Pick<Question, 'flag' | 'value'>[],
  password?: PasswordFlags,
): void {
  if (password?.passwordStdin && password.invite)
    throw usageError('--invite and --password-stdin do not go together', 'leave one of them out')
  if (cliOutput.canAsk()) return
  const missing = questions.filter(({ value }) => value === undefined).map(({ flag }) => flag)
  if (password && !password.passwordStdin && !password.invite) missing.push('--invite or --password-stdin')
  if (missing.length > 0)
    throw usageError(`not everything is said, and nobody can be asked here: ${missing.join(', ')}`, 'add these flags')
}

/** The first password: typed twice unseen, read from stdin, or none where the person is invited to choose one. */
export async function firstPassword(cliOutput: CliOutput, flags: PasswordFlags): Promise<object> {
  if (flags.invite) return { access: 'invitation' }
  const password = flags.passwordStdin
    ? await passwordFromStdin(cliOutput)
    : await askNewPassword(cliOutput, 'Password')
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
