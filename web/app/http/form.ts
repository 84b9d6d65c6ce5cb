import { type AppLoadContext, data } from '@remix-run/node'
import { type AppError, errorKinds, type FieldErrors, isAppError } from '#core/kernel/errors.ts'

/** What a form shows after a refused action: the messages, and everything that was typed but passwords, keys and the like. */
export interface FormProblem {
  message: string
  hint: string | undefined
  fields: FieldErrors
  /** The same for a page in another language. */
  phrases: AppError['phrases']
  values: Record<string, string>
}

/** A form's fields as text by name; of fields that repeat, the last one. Files are left out. */
export async function readForm(request: Request): Promise<Record<string, string>> {
  const values: Record<string, string> = {}
  for (const [name, value] of await request.formData()) {
    if (typeof value === 'string') values[name] = value
  }
  return values
}

/** The kinds of failure that belong on the form itself; all others are an error page. */
const onTheForm = new Set<AppError['kind']>(['invalid', 'conflict', 'declined', 'tooMany', 'upstream', 'unavailable'])

/**
 * Runs the work of an action; a refusal comes back as the form's problem with its HTTP status, so that the page can show it
 * without JavaScript too. Anything else is thrown on. Given the context, `wasRefused` knows of it for the title of the page that is made
 * in the same request.
 */
export async function submit<Done>(
  values: Record<string, string>,
  work: () => Promise<Done>,
  context?: Pick<AppLoadContext, 'memo'>,
): Promise<Done | ReturnType<typeof formProblem>> {
  try {
    return await work()
  } catch (error) {
    if (!isAppError(error) || !onTheForm.has(error.kind)) throw error
    context?.memo.set('refused', true)
    return formProblem(error, values)
  }
}

export function wasRefused({ memo }: Pick<AppLoadContext, 'memo'>): boolean {
  return memo.has('refused')
}

function formProblem(error: AppError, values: Record<string, string>) {
  const kept = Object.fromEntries(
    Object.entries(values).filter(([name]) => !/password|passphrase|privateKey|headerValue/i.test(name)),
  )
  const { message, hint, fields = {}, phrases } = error
  const problem: FormProblem = { message, hint, fields, phrases, values: kept }
  const wait = error.retryAfterSeconds
  return data(
    { problem },
    {
      status: errorKinds[error.kind].status,
      ...(wait === undefined ? {} : { headers: { 'Retry-After': String(wait) } }),
    },
  )
}
