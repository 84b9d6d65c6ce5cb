import pc from 'picocolors'
import { type Io, isTerminal, type Out } from './io.ts'

/** The style of one stream: colours only on a terminal that supports them, ASCII marks on a dumb one. */
export interface Style {
  isPlain: boolean
  bold(text: string): string
  dim(text: string): string
  alarm(text: string): string
  done: string
  warning: string
  failed: string
  /** The end of a text that was cut. */
  ellipsis: string
}

export function styleOf(io: Pick<Io, 'env'>, stream: Out, wantsColor: boolean): Style {
  const isDumb = io.env.TERM === 'dumb'
  const isPlain = !wantsColor || !isTerminal(stream) || isDumb || Boolean(io.env.NO_COLOR)
  const { bold, dim, green, yellow, red } = pc.createColors(!isPlain)
  return {
    isPlain,
    bold,
    dim,
    alarm: red,
    done: green(isDumb ? 'ok' : '✓'),
    warning: yellow('!'),
    failed: red(isDumb ? 'x' : '✗'),
    ellipsis: isDumb ? '...' : '…',
  }
}

/** Text from files and records without the control characters that could steer a terminal. */
export function printable(text: string): string {
  return text.replaceAll(/\s*[\n\r\t]\s*/g, ' ').replaceAll(/\p{Cc}/gu, '')
}

/** Quotes a word of a suggested command where the shell needs it. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** The flags of a suggested command, each with a space before it. Those that are undefined or false are left out. */
export function flagText(flags: Readonly<Record<string, string | boolean | undefined>>): string {
  return Object.entries(flags)
    .flatMap(([flag, value]) => {
      if (value === undefined || value === false) return []
      return value === true ? [` --${flag}`] : [` --${flag} ${shellWord(value)}`]
    })
    .join('')
}
