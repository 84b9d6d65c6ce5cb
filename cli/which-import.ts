import { wrongUse } from './cli-error.ts'

/** The number of an import as somebody typed it. */
export function importNumber(argument: string | undefined): number {
  const list = 'the numbers: subscriptions imports list --publication <handle>'
  if (argument === undefined) throw wrongUse('which import?', `name its number; ${list}`)
  if (!/^#?\d{1,15}$/.test(argument)) throw wrongUse(`"${argument}" is no number of an import`, list)
  return Number(argument.replace('#', ''))
}
