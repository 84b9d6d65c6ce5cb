import { english, type FieldPhrases, type Phrase } from './phrases.ts'

/** How an entry point handles each kind of failure: HTTP status, CLI exit code, whether a job is retried, whether it is reported. */
export const errorKinds = {
  malformed: { status: 400, exit: 2, retry: false, reported: false },
  invalid: { status: 422, exit: 2, retry: false, reported: false },
  unauthenticated: { status: 401, exit: 4, retry: false, reported: false },
  denied: { status: 403, exit: 4, retry: false, reported: false },
  notFound: { status: 404, exit: 4, retry: false, reported: false },
  /** It existed and is no longer available; the message says so, and perhaps for how long. */
  gone: { status: 410, exit: 4, retry: false, reported: false },
  conflict: { status: 409, exit: 5, retry: false, reported: false },
  declined: { status: 402, exit: 5, retry: false, reported: false },
  tooLarge: { status: 413, exit: 2, retry: false, reported: false },
  tooMany: { status: 429, exit: 1, retry: true, reported: false },
  upstream: { status: 502, exit: 1, retry: true, reported: true },
  unavailable: { status: 503, exit: 1, retry: true, reported: true },
  bug: { status: 500, exit: 1, retry: true, reported: true },
} as const

export type ErrorKind = keyof typeof errorKinds

/** Field name to message, as every form and every 422 body shows it. */
export type FieldErrors = Record<string, string>

const brand = Symbol.for('masthead.AppError')

/**
 * The one error of the product. `message`, `hint` and `fields` are for the user, in English; `phrases` is the same for an entry point
 * that speaks other languages. `detail` is for the log only.
 */
export class AppError extends Error {
  readonly kind: ErrorKind
  readonly fields: FieldErrors | undefined
  readonly hint: string | undefined
  readonly phrases: { readonly message: Phrase; readonly hint: Phrase | undefined; readonly fields: FieldPhrases }
  /** When a retry may help; entry points send it as Retry-After. */
  readonly retryAfterSeconds: number | undefined
  readonly detail: unknown
  readonly [brand] = true

  constructor(
    kind: ErrorKind,
    message: Phrase,
    extra: { fields?: FieldPhrases; hint?: Phrase; detail?: unknown; cause?: unknown; retryAfterSeconds?: number } = {},
  ) {
    super(english(message), { cause: extra.cause })
    this.name = 'AppError'
    this.kind = kind
    this.fields = extra.fields && inEnglish(extra.fields)
    this.hint = extra.hint === undefined ? undefined : english(extra.hint)
    this.phrases = { message, hint: extra.hint, fields: extra.fields ?? {} }
    this.detail = extra.detail
    this.retryAfterSeconds = extra.retryAfterSeconds
  }
}

function inEnglish(fields: FieldPhrases): FieldErrors {
  return Object.fromEntries(Object.entries(fields).map(([name, phrase]) => [name, english(phrase)]))
}

/** True for an AppError of any copy of this module: the server and the Remix build each bundle one, so `instanceof` is not enough. */
export function isAppError(error: unknown): error is AppError {
  return typeof error === 'object' && error !== null && brand in error
}

/** Any thrown value as an AppError: known ones as they are, the rest as `bug` with a message that reveals no internals. */
export function toAppError(error: unknown): AppError {
  if (isAppError(error)) return error
  return new AppError('bug', 'Something went wrong on our side. Please try again.', { detail: error, cause: error })
}

/** What is wrong in one sentence, for a response without a form: for invalid input, the message of the first wrong field. */
export function problemPhrase({ kind, phrases }: AppError): Phrase {
  return (kind === 'invalid' && Object.values(phrases.fields)[0]) || phrases.message
}

/** The log level of a failure: error where it needs investigation, warning where it is a refusal. */
export function failureLevel(thrown: unknown): 'error' | 'warn' {
  return errorKinds[toAppError(thrown).kind].reported ? 'error' : 'warn'
}

/** Whether the same call may succeed when it is retried unchanged. */
export function isRetryable(thrown: unknown): boolean {
  return errorKinds[toAppError(thrown).kind].retry
}

/** Refuses the input with every wrong field together, each with what is wrong and how to fix it. */
export function invalid(fields: FieldPhrases, message: Phrase = 'Please fix the errors and retry'): AppError {
  return new AppError('invalid', message, { fields })
}

/** Also the response for another owner's record, so that ids cannot be probed. */
export function notFound(what: string, hint?: string): AppError {
  return new AppError('notFound', `${what} was not found`, { hint })
}

export function conflict(
  message: Phrase,
  extra: { hint?: Phrase; detail?: unknown; fields?: FieldPhrases } = {},
): AppError {
  return new AppError('conflict', message, extra)
}

export function denied(message = 'You do not have permission to do this'): AppError {
  return new AppError('denied', message)
}

/** The caller is not known: nobody is logged in, or the token, key or signature is not valid. */
export function unauthenticated(message = 'Please log in'): AppError {
  return new AppError('unauthenticated', message)
}
