import { payees } from '#core/accounts/payee-keys.rules.ts'
import { AppError, isAppError } from '#core/kernel/errors.ts'

const secretFields = new Set(
  Object.entries(payees).flatMap(([provider, { fields }]) =>
    fields.filter(({ isSecret }) => isSecret).map(({ name }) => `${provider}.${name}`),
  ),
)

/** The values that a refused form shows again: everything but secret keys. Passwords are removed from every form. */
export function withoutSecrets(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !secretFields.has(name)))
}

/** The fields of a form as nested input: `stripeDets.secretKey` becomes `{ stripeDets: { secretKey } }`. */
export function accountInput(values: Record<string, string>): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    const [group = '', field] = name.split('.')
    if (field === undefined) input[group] = value
    else input[group] = { ...(input[group] as object | undefined), [field]: value }
  }
  return input
}

/** Runs an action and renames the field of its errors, where the page has the same field in several forms. */
export async function withFieldNamed<Done>(field: string, formField: string, work: () => Promise<Done>): Promise<Done> {
  try {
    return await work()
  } catch (error) {
    const message = isAppError(error) ? error.fields?.[field] : undefined
    if (!isAppError(error) || message === undefined) throw error
    const { [field]: _, ...otherFields } = error.fields ?? {}
    throw new AppError(error.kind, error.message, {
      fields: { ...otherFields, [formField]: message },
      hint: error.hint,
    })
  }
}
