import { type Phrase, phraseOf, tooLongPhrase } from '../kernel/phrases.ts'

/** The longest password that is accepted: far more than anyone types, and short enough that hashing it cannot be used as an attack. */
const maxPasswordLength = 200

let commonPasswordSet: Promise<ReadonlySet<string>> | undefined

/** The 3,000 most common passwords, ignoring case. Loaded when the first password is chosen. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  commonPasswordSet ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => {
    const ranked = dictionary.passwords as readonly string[]
    return new Set(ranked.slice(0, 3000).map((password) => password.toLowerCase()))
  })
  return commonPasswordSet
}

/** What is wrong with a newly chosen password, or undefined. `min` is the setting PASSWORD_MIN_LENGTH. */
export async function newPasswordProblem(password: string, min: number): Promise<Phrase | undefined> {
  if (password === '') return 'Required'
  if (password.length < min) return phraseOf('Must be at least {min} characters', { min })
  if (password.length > maxPasswordLength) return tooLongPhrase(maxPasswordLength)
  if ((await commonPasswords()).has(password.toLowerCase())) {
    return 'This is one of the most common passwords. Please choose another one.'
  }
  return undefined
}

/** The problems of a password and its repetition, under the names of the specification's forms. */
export async function newPasswordProblems(
  typed: { password?: unknown; password2?: unknown },
  min: number,
): Promise<{ password?: Phrase; password2?: Phrase }> {
  const password = asText(typed.password)
  const password2 = asText(typed.password2)
  const problem = await newPasswordProblem(password, min)
  return {
    ...(problem ? { password: problem } : {}),
    ...(password2 === password ? {} : { password2: password2 === '' ? 'Required' : 'The passwords must match.' }),
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
