import type { AppContext } from '#core/context.ts'

const rolledBack = Symbol('rolled back')

/** Runs the work. A dry run does it in a transaction that is rolled back, so its result is the same as that of a real run. */
export async function withDryRun<Done>({ db }: AppContext, isDry: boolean, work: () => Promise<Done>): Promise<Done> {
  if (!isDry) return work()
  let result: { value: Done } | undefined
  try {
    await db.transaction(async () => {
      result = { value: await work() }
      throw rolledBack
    })
  } catch (error) {
    if (error !== rolledBack) throw error
  }
  return (result as { value: Done }).value
}
