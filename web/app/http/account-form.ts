import { payees } from '#core/accounts/payee-keys.rules.ts'
import { AppError, isAppError } from '#core/kernel/errors.ts'

const secretFields = new Set(
  Object.entries(payees).flatMap(([provider, { fields }]) =>
    fields.filter(({ isSecret }) => isSecret).map(({ name }) => `${provider}.${name}`),
  ),
)

/** What a refused form may show again: everything but keys that are secret. Passwords are left out of every form. */
export function withoutSecrets(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !secretFields.has(name)))
}

/** The fields of a form as the account's own shape: `stripeDets.secretKey` becomes `{ stripeDets: { secretKey } }`. */
export function accountInput(values: Record<string, string>): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    const [group = '', field] = name.split('.')
    if (field === undefined) input[group] = value
    else input[group] = { ...(input[group] as object | undefined), [field]: value }
  }
  return input
}

/** Runs work whose field goes by another name in the form, because the page has more than one of its kind. */
export async function withFieldNamed<Done>(own: string, inForm: string, work: () => Promise<Done>): Promise<Done> {
  try {
    return await work()
  } catch (error) {
    const message = isAppError(error) ? error.fields?.[own] : undefined
    if (!isAppError(error) || message === undefined) throw error
    const { [own]: _, ...rest } = error.fields ?? {}
    throw new AppError(error.kind, error.message, { fields: { ...rest, [inForm]: message }, hint: error.hint })
  }
}
