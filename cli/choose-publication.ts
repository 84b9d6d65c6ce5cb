import { AppError } from '#core/kernel/errors.ts'
import { nearest } from '#core/kernel/text-format.ts'
import { listHandles } from '#core/publications/list-handles.query.ts'
import { CliError, usageError } from './cli-error.ts'
import type { CliOutput } from './cli-output.ts'
import { pick } from './prompt.ts'
import type { Session } from './session.ts'

/** The handle of the publication to work on: given by handle or number, or picked from a list on a terminal. */
export async function choosePublication(
  cliOutput: CliOutput,
  { ctx }: Session,
  handle: string | undefined,
  options: { withRemoved?: true } = {},
): Promise<string> {
  if (handle === undefined && !cliOutput.canPrompt()) throw missingHandle()
  const publications = await listHandles(ctx, options)
  if (handle !== undefined) {
    const named = handle.trim().toLowerCase()
    const publication =
      publications.find(({ urlKey }) => urlKey.toLowerCase() === named) ??
      publications.find(({ id }) => String(id) === named)
    if (publication) return publication.urlKey
    const near = nearest(
      handle,
      publications.map(({ urlKey }) => urlKey),
    )
    throw new AppError('notFound', `The publication "${handle}" was not found`, {
      hint: near
        ? `did you mean "${near}"? All handles: subscriptions publications list`
        : 'see the handles: subscriptions publications list',
    })
  }
  if (publications.length === 0) {
    throw new CliError(
      'notFound',
      'missing',
      'There are no publications yet',
      'add one in the back office, or create the demo data: subscriptions seed',
    )
  }
  return pick(
    cliOutput,
    'Which publication?',
    publications.map(({ urlKey, publicationName, isRemoved }) => ({
      name: `${publicationName} (${urlKey}${isRemoved ? ', removed' : ''})`,
      value: urlKey,
    })),
  )
}

/** Throws, before the database is opened, if no handle is given and the user cannot be asked. */
export function requireHandle(cliOutput: CliOutput, handle: string | undefined): void {
  if (handle === undefined && !cliOutput.canPrompt()) throw missingHandle()
}

function missingHandle(): AppError {
  return usageError(
    'no publication given',
    'specify it with --publication <handle>; to list the handles: subscriptions publications list',
  )
}
