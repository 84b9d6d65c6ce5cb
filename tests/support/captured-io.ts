import { devNull } from 'node:os'
import { PassThrough, Readable } from 'node:stream'
import type { In, Io, Out } from '#cli/io.ts'
import { run } from '#cli/run.ts'
import type { TestServices } from './test-services.ts'

interface Terminal {
  /** Which streams are a terminal; none by default. */
  terminal?: ('stdin' | 'stdout' | 'stderr')[]
  columns?: number
  env?: Record<string, string>
  stdin?: string
  cwd?: string
  signal?: AbortSignal
  /** Called with each piece of stderr as it is written. */
  onStderr?: (text: string) => void
}

interface Captured {
  exit: number
  stdout: string
  stderr: string
}

/** Runs one command line in this process on a fake terminal, and returns its output. */
export async function runCli(
  argv: readonly string[],
  { terminal = [], columns = 80, ...options }: Terminal = {},
): Promise<Captured> {
  const capture = (name: 'stdout' | 'stderr') => {
    const written: Buffer[] = []
    const stream: Out = new PassThrough()
    stream.on('data', (chunk: Buffer) => {
      written.push(chunk)
      if (name === 'stderr') options.onStderr?.(chunk.toString('utf8'))
    })
    stream.isTTY = terminal.includes(name)
    stream.columns = columns
    return { stream, text: () => Buffer.concat(written).toString('utf8') }
  }
  const stdout = capture('stdout')
  const stderr = capture('stderr')
  const stdin: In = Readable.from(options.stdin === undefined ? [] : [options.stdin])
  stdin.isTTY = terminal.includes('stdin')
  const io: Io = {
    stdin,
    stdout: stdout.stream,
    stderr: stderr.stream,
    env: { NODE_ENV: 'test', TERM: 'xterm-256color', SETTINGS_FILE: devNull, ...options.env },
    cwd: options.cwd ?? process.cwd(),
    signal: options.signal ?? new AbortController().signal,
  }
  const exit = await run(argv, io)
  return { exit, stdout: stdout.text(), stderr: stderr.text() }
}

/** The settings with which a command works on this test's own database and data folder. */
export function envOf({ dataDir, databaseUrl }: Pick<TestServices, 'dataDir' | 'databaseUrl'>): Record<string, string> {
  return { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, APP_SECRET: 'test-secret-test-secret-test-secret' }
}
