import type { AppContext } from '#core/context.ts'

const rolledBack = Symbol('rolled back')

/** Runs the work; in a dry run in a transaction that is rolled back, so that the result is exactly that of the real run. */
export async function withDryRun<Done>({ db }: AppContext, isDry: boolean, work: () => Promise<Done>): Promise<Done> {
  if (!isDry) return work()
  let done: { value: Done } | undefined
  try {
    await db.transaction(async () => {
      done = { value: await work() }
      throw rolledBack
    })
  } catch (error) {
    if (error !== rolledBack) throw error
  }
  return (done as { value: Done }).value
}
