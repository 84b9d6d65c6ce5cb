import type { AppContext } from '#core/context.ts'
import { usageError } from './cli-error.ts'
import type { Cli } from './command.ts'

/** The flags that name the publisher whose data a command shows or changes. */
export interface PublisherFlags {
  as?: string
  publisher?: string
}

/** The user that a command runs as, from --as or --publisher. Both at once are refused. */
export function publisherOf({ as, publisher }: PublisherFlags): string | undefined {
  if (as !== undefined && publisher !== undefined)
    throw usageError('--as and --publisher cannot be combined', 'with --as it is that user’s publisher: leave one out')
  return as ?? publisher
}

/** Runs `work` as the publisher that --publisher or --as names: the operator has no such data. `what` names that data in the error if neither is given. */
export async function asPublisher<Result>(
  { cliOutput }: Cli,
  { as, publisher }: PublisherFlags,
  what: string,
  work: (ctx: AppContext) => Promise<Result>,
): Promise<Result> {
  const who = publisherOf({ as, publisher })
  if (who === undefined)
    throw usageError(`no publisher given for the ${what}`, 'specify the publisher: --publisher <email>')
  const { withSession } = await import('./session.ts')
  return withSession(cliOutput, { as: who }, ({ ctx }) => work(ctx))
}
