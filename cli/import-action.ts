import { AppError, isAppError, notFound } from '#core/kernel/errors.ts'
import { usageError } from './cli-error.ts'
import { action, type Cli } from './command.ts'

const uploadNotFound = notFound('The upload').message

/** The action of a command that takes the number of an import. The core calls it an upload; errors here call it an import. */
export function importAction<Flags extends object>(
  cli: Cli,
  work: (flags: Flags & { as?: string }, uploadId: number) => Promise<number | undefined>,
): ReturnType<typeof action> {
  return action<Flags>(cli, async (flags, [argument]) => {
    const uploadId = importNumber(argument)
    try {
      return await work(flags, uploadId)
    } catch (error) {
      if (!isAppError(error) || error.kind !== 'notFound' || error.message !== uploadNotFound) throw error
      throw new AppError('notFound', `There is no import ${uploadId}`, { hint: listHint })
    }
  })
}

const listHint = 'see: subscriptions imports list --publication <handle>'

function importNumber(argument: string | undefined): number {
  if (argument === undefined) throw usageError('no import given', `specify its number; ${listHint}`)
  if (!/^#?\d{1,15}$/.test(argument)) throw usageError(`"${argument}" is not the number of an import`, listHint)
  return Number(argument.replace('#', ''))
}
