import { AppError, isAppError } from '#core/kernel/errors.ts'

/** Runs a use-case; fields it refuses are told by the flags that fill them, with where to read on. */
export async function byFlags<Done>(
  flags: Readonly<Record<string, string>>,
  command: string,
  work: () => Promise<Done>,
): Promise<Done> {
  try {
    return await work()
  } catch (error) {
    if (!isAppError(error) || error.kind !== 'invalid' || !error.fields) throw error
    const fields = Object.entries(error.fields).map(([field, problem]) => [flags[field] ?? field, problem])
    throw new AppError('invalid', error.message, {
      fields: Object.fromEntries(fields),
      hint: error.hint ?? `mend it and run the command again; every flag: ${command} --help`,
    })
  }
}
