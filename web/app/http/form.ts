import { type AppLoadContext, data } from '@remix-run/node'
import { AppError, conflict, errorKinds, type FieldErrors, isAppError } from '#core/kernel/errors.ts'
import { isSecretField } from '../components/ui/secret-fields.ts'

/** The data of a refused form: the errors, and all values except passwords, keys and the like. */
export interface FormProblem {
  message: string
  hint: string | undefined
  fields: FieldErrors
  /** The errors as phrases, for pages that are translated. */
  phrases: AppError['phrases']
  values: Record<string, string>
  /** Whether the form is sent again with the same idempotency key: not if that key belongs to another request, or to a declined payment. */
  keepsKeys: boolean
}

/** The fields of a posted form. Throws `malformed` for a body that is none, as programs and scanners send, or that is incomplete. */
export function formDataOf(request: Request): Promise<FormData> {
  return request.formData().catch((error: unknown) => {
    if (isAppError(error)) throw error
    throw new AppError('malformed', 'What was sent is not a form. Reload the page and try again.', { detail: error })
  })
}

/** A form's fields as text by name; of repeated fields the last one. Files are left out. */
export async function readForm(request: Request): Promise<Record<string, string>> {
  const values: Record<string, string> = {}
  for (const [name, value] of await formDataOf(request)) {
    if (typeof value === 'string') values[name] = value
  }
  return values
}

/** Refuses a form whose button or contents no page of this version sends, such as one that was opened before an upgrade. */
export const outdatedForm = () => new AppError('malformed', 'This form is out of date. Reload the page and try again.')

/** The kinds of error that are shown at the form; all others are an error page. */
const formErrorKinds = new Set<AppError['kind']>([
  'invalid',
  'conflict',
  'declined',
  'tooMany',
  'upstream',
  'unavailable',
])

/**
 * Runs the work of an action; a refusal is returned as the form's problem with its HTTP status, so that it also works without JavaScript.
 * Other errors are rethrown. Sets `wasRefused` for the page title rendered in the same request.
 */
export async function submit<Done>(
  context: AppLoadContext,
  values: Record<string, string>,
  work: () => Promise<Done>,
): Promise<Done | ReturnType<typeof formProblem>> {
  try {
    return await work()
  } catch (error) {
    if (!isAppError(error) || !formErrorKinds.has(error.kind)) throw error
    markRefused(context)
    logShownError(context, error)
    return formProblem(error, values)
  }
}

/**
 * For a form about a record that may have been renamed or removed in another tab: reports a missing record as a conflict, which is shown at the
 * form with what was typed, and not as a page that does not exist.
 */
export async function conflictIfGone<Done>(what: string, hint: string, work: () => Promise<Done>): Promise<Done> {
  try {
    return await work()
  } catch (error) {
    if (isAppError(error) && error.kind === 'notFound') throw conflict(`${what} no longer exists`, { hint })
    throw error
  }
}

/** Logs an error that a page shows itself, if it is one for the operator (a provider or the database failed), with all its details. */
export function logShownError({ services, requestId }: AppLoadContext, error: AppError): void {
  if (errorKinds[error.kind].reported) services.log.error({ error: error.detail ?? error, requestId }, 'form failed')
}

/** For the title of the page that shows a refusal, rendered in the same request. */
export function markRefused({ memo }: Pick<AppLoadContext, 'memo'>): void {
  memo.set('refused', true)
}

export function wasRefused({ memo }: Pick<AppLoadContext, 'memo'>): boolean {
  return memo.has('refused')
}

function formProblem(error: AppError, values: Record<string, string>) {
  const refill = Object.fromEntries(Object.entries(values).filter(([name]) => !isSecretField(name)))
  const { kind, message, hint, fields = {}, phrases } = error
  const problem: FormProblem = {
    message,
    hint,
    fields,
    phrases,
    values: refill,
    keepsKeys: kind !== 'conflict' && kind !== 'declined',
  }
  const retryAfterSeconds = error.retryAfterSeconds
  return data(
    { problem },
    {
      status: errorKinds[error.kind].status,
      ...(retryAfterSeconds === undefined ? {} : { headers: { 'Retry-After': String(retryAfterSeconds) } }),
    },
  )
}
