import type { Response } from 'express'
import type { Log } from '#core/context.ts'
import { sizeText } from '#core/imports/file-too-large.ts'
import { AppError, type ErrorKind, errorKinds, type FieldErrors, isAppError, toAppError } from '#core/kernel/errors.ts'
import { programTexts } from './program-texts.ts'

/**
 * Replaces the message of an error that may quote a provider or a program; the original is in the log under the same request id. The message
 * of `unavailable` is always our own and says what happens next (an interrupted import, a full disk).
 */
const ourFault: Partial<Record<ErrorKind, string>> = {
  bug: 'Something went wrong on our side. Please try again.',
  upstream: 'A service we depend on did not respond. Please try again in a moment.',
}

/** Converts errors of Express and the body parser to AppErrors. */
function apiError(error: unknown): AppError {
  if (isAppError(error)) return error
  const { status, type, limit } = (error ?? {}) as { status?: number; type?: string; limit?: number }
  if (status === 413)
    return new AppError('tooLarge', `The body is larger than ${sizeText(limit ?? 0)}`, { hint: 'Send less at once.' })
  if (type === 'entity.parse.failed')
    return new AppError('malformed', 'The body is not JSON. Check its quotes, commas and brackets.')
  if (status !== undefined && status >= 400 && status < 500) {
    return new AppError('malformed', 'The request could not be read. Send JSON in UTF-8.')
  }
  return toAppError(error)
}

/**
 * Responds with the error's status. Field errors are `{ field: { message } }` under the names the caller sent; everything else is `{
 * message }`; a conflict about a field has both.
 */
export function sendError(
  res: Response,
  thrown: unknown,
  log: Log,
  wireNames: Record<string, string> = {},
  extraFields: Readonly<Record<string, string>> = {},
): void {
  const error = apiError(thrown)
  const { status, reported } = errorKinds[error.kind]
  if (reported) log.error({ error: error.detail ?? error, requestId: res.getHeader('x-request-id') }, 'API call failed')
  if (error.kind === 'unauthenticated') res.setHeader('WWW-Authenticate', 'Bearer')
  if (error.retryAfterSeconds !== undefined) res.setHeader('Retry-After', String(error.retryAfterSeconds))
  res.status(status).json({ ...bodyOf(error, wireNames), ...extraFields })
}

function bodyOf(error: AppError, wireNames: Record<string, string>): object {
  if (error.kind === 'invalid' && error.fields) return fieldProblems(error.fields, wireNames)
  const message = ourFault[error.kind] ?? programText(error.message)
  const hint = ourFault[error.kind] === undefined && error.hint ? programText(error.hint) : undefined
  return {
    // A conflict about a field (a taken email) is reported under its name too.
    ...(error.kind === 'conflict' && error.fields ? fieldProblems(error.fields, wireNames) : {}),
    message: hint ? `${message}. ${hint}` : message,
  }
}

function fieldProblems(fields: FieldErrors, wireNames: Record<string, string>): object {
  return Object.fromEntries(
    Object.entries(fields).map(([field, message]) => [publicName(field, wireNames), { message: programText(message) }]),
  )
}

function programText(text: string): string {
  return programTexts[text] ?? text
}

/**
 * Maps a use case's field back to the name the caller sent; for a nested field by its longest known prefix (`layout.columns.0` is
 * `columns.0`).
 */
function publicName(field: string, wireNames: Record<string, string>): string {
  const steps = field.split('.')
  for (let length = steps.length; length > 0; length--) {
    const name = wireNames[steps.slice(0, length).join('.')]
    if (name !== undefined) return [name, ...steps.slice(length)].join('.')
  }
  return field
}
