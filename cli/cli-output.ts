import { type Io, isPipeClosed, isTerminal, write } from './io.ts'
import { printable, type Style, styleOf } from './style.ts'

/** The flags that every command takes. */
export interface SharedFlags {
  json: boolean
  quiet: boolean
  dryRun: boolean
  verbose: boolean
  debug: boolean
  color: boolean
  input: boolean
  /** A settings file; overrides the environment. */
  settings: string | undefined
}

/** The output of a command: its result on stdout, everything else on stderr. */
export interface CliOutput {
  io: Io
  flags: SharedFlags
  out: Style
  err: Style
  /** Whether the user can be asked: on a terminal, without --no-input and --json. */
  canPrompt(): boolean
  /** Prints the result. */
  print(text: string): Promise<void>
  /** The confirmation of a change. Silent under --quiet, except in a dry run, where it is the result. */
  confirm(text: string): Promise<void>
  /** A confirmation on stderr, for commands that write files to stdout. */
  summary(text: string): void
  /** Prints the result as JSON. */
  json(value: unknown): Promise<void>
  /** Prints a long list as JSON, a part at a time. */
  jsonList(parts: AsyncIterable<readonly unknown[]>): Promise<void>
  /** Whether JSON was printed: a later failure is then reported on stderr, because stdout has one JSON value. */
  hasPrintedJson(): boolean
  /** Whether the program that reads stdout has closed the pipe. Node's stdout does not report this itself. */
  isClosed(): boolean
  /** Progress and next steps: silent under --quiet. */
  say(text: string): void
  /** A warning, also under --quiet. */
  warn(text: string): void
  /** A single step, under --verbose. */
  step(text: string): void
}

export function makeCliOutput(io: Io, flags: SharedFlags): CliOutput {
  const out = styleOf(io, io.stdout, flags.color)
  const err = styleOf(io, io.stderr, flags.color)
  const isSilent = flags.quiet && !flags.dryRun
  let hasPrintedJson = false
  let isClosed = false
  // If the reading program has ended (`ledger verify | head -3`), the command still exits with the code of its result.
  const writeResult = (text: string) =>
    write(io.stdout, text).catch((error: unknown) => {
      if (!isPipeClosed(error, io.stdout)) throw error
      isClosed = true
    })
  const writeLine = (text: string) => void write(io.stderr, `${text}\n`).catch(() => {})
  return {
    io,
    flags,
    out,
    err,
    canPrompt: () => flags.input && !flags.json && isTerminal(io.stdin) && isTerminal(io.stderr),
    print: (text) => writeResult(`${text}\n`),
    confirm: (text) => (isSilent ? Promise.resolve() : writeResult(`${text}\n`)),
    summary: (text) => {
      if (!isSilent) writeLine(text)
    },
    json: (value) => {
      hasPrintedJson = true
      return writeResult(`${JSON.stringify(value, null, 2)}\n`)
    },
    async jsonList(parts) {
      let isFirst = true
      for await (const part of parts) {
        const items = part.map((item) => `  ${JSON.stringify(item, null, 2).replaceAll('\n', '\n  ')}`)
        if (items.length === 0) continue
        hasPrintedJson = true
        await writeResult(`${isFirst ? '[' : ','}\n${items.join(',\n')}`)
        isFirst = false
      }
      hasPrintedJson = true
      await writeResult(isFirst ? '[]\n' : '\n]\n')
    },
    hasPrintedJson: () => hasPrintedJson,
    isClosed: () => isClosed,
    say: (text) => {
      if (!flags.quiet) writeLine(text)
    },
    warn: (text) => writeLine(`${err.warning} ${text}`),
    step: (text) => {
      if (flags.verbose && !flags.quiet) writeLine(err.dim(text))
    },
  }
}

/** Reads the shared flags from argv itself, so that an error in the command line is also reported in the requested format. */
export function sharedFlags(argv: readonly string[]): SharedFlags {
  const end = argv.indexOf('--')
  const args = end === -1 ? argv : argv.slice(0, end)
  const has = (flag: string) => args.includes(flag)
  return {
    json: has('--json'),
    quiet: has('--quiet'),
    dryRun: has('--dry-run') || has('-n'),
    verbose: has('--verbose') || has('--debug'),
    debug: has('--debug'),
    color: !has('--no-color'),
    input: !has('--no-input'),
    settings: flagValue(args, '--settings'),
  }
}

function flagValue(args: readonly string[], flag: string): string | undefined {
  const index = args.findIndex((word) => word === flag || word.startsWith(`${flag}=`))
  return args[index] === flag ? args[index + 1] : args[index]?.slice(flag.length + 1)
}

/** Labels and values in two columns. A label without a value is left out. */
export function labelled(rows: readonly (readonly [string, string | number | null | undefined])[]): string {
  const nonEmptyRows = rows.filter(([, value]) => value !== null && value !== undefined && value !== '')
  const width = Math.max(0, ...nonEmptyRows.map(([label]) => label.length))
  return nonEmptyRows.map(([label, value]) => `  ${label.padEnd(width)}  ${printable(String(value))}`).join('\n')
}
