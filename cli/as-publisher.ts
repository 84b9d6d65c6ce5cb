import type { AppContext } from '#core/context.ts'
import { usageError } from './cli-error.ts'
import type { Cli } from './command.ts'

/** The flags that name a publisher whose things a command shows or changes. */
export interface Whose {
  as?: string
  publisher?: string
}

/** Works with the rights of the publisher that --publisher or --as names: the operator has no such things. `what` is asked for where neither does. */
export async function asPublisher<Result>(
  { cliOutput }: Cli,
  { as, publisher }: Whose,
  what: string,
  work: (ctx: AppContext) => Promise<Result>,
): Promise<Result> {
  const who = as ?? publisher
  if (who === undefined) throw usageError(`whose ${what}?`, 'name the publisher: --publisher <email>')
  const { withSession } = await import('./session.ts')
  return withSession(cliOutput, { as: who }, ({ ctx }) => work(ctx))
}
