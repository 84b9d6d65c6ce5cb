import { usageError } from './cli-error.ts'

/** The number of an import as somebody typed it. */
export function importNumber(argument: string | undefined): number {
  const list = 'the numbers: subscriptions imports list --publication <handle>'
  if (argument === undefined) throw usageError('which import?', `name its number; ${list}`)
  if (!/^#?\d{1,15}$/.test(argument)) throw usageError(`"${argument}" is no number of an import`, list)
  return Number(argument.replace('#', ''))
}
