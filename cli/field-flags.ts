import { AppError, isAppError } from '#core/kernel/errors.ts'

/** Runs a use case and names the fields it refuses by their flags, with a hint to the help. A value that is taken is a conflict. */
export async function withFlagErrors<Done>(
  flags: Readonly<Record<string, string>>,
  command: string,
  work: () => Promise<Done>,
): Promise<Done> {
  try {
    return await work()
  } catch (error) {
    if (!isAppError(error) || !error.fields || !['invalid', 'conflict'].includes(error.kind)) throw error
    const { countryCodeMessage, unknownCountryMessage } = await import('#core/kernel/countries.ts')
    const fields = Object.entries(error.fields).map(([field, problem]) => [
      flags[field] ?? field,
      problem === unknownCountryMessage ? countryCodeMessage : problem,
    ])
    throw new AppError(
      (await areUniquenessProblems(Object.values(error.fields))) ? 'conflict' : error.kind,
      error.message,
      {
        fields: Object.fromEntries(fields),
        hint: error.hint ?? `correct it and run the command again; every flag: ${command} --help`,
      },
    )
  }
}

/** Whether every problem is a value that is already taken: a handle, an email, a code. */
async function areUniquenessProblems(problems: readonly string[]): Promise<boolean> {
  const [{ takenFields }, { takenCode }, { takenReference }, { handleMessages }] = await Promise.all([
    import('#core/users/taken-email.ts'),
    import('#core/promos/promo-problems.ts'),
    import('#core/readers/reader-problems.ts'),
    import('#core/publications/handle.rules.ts'),
  ])
  const uniquenessMessages: readonly string[] = [
    ...[takenFields, takenCode, takenReference].flatMap((fields) => Object.values<string>(fields)),
    handleMessages.taken,
  ]
  return problems.every((problem) => uniquenessMessages.includes(problem))
}
