import type { Readable, Writable } from 'node:stream'

export type In = Readable & { isTTY?: boolean }
export type Out = Writable & { isTTY?: boolean; columns?: number }

/** The terminal and the environment, passed in so that a test can replace them. */
export interface Io {
  stdin: In
  stdout: Out
  stderr: Out
  env: NodeJS.ProcessEnv
  readonly cwd: string
  /** Aborted by Ctrl-C or SIGTERM. A command that reads it ends by itself; any other is ended at once. */
  readonly signal: AbortSignal
}

/** The real terminal. A closed pipe (`export | head -1`) rejects the awaited write and never crashes the process. */
export function processIo(signal: () => AbortSignal): Io {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  return {
    // Opened lazily: an open stdin that is not read keeps a process alive.
    get stdin() {
      return process.stdin
    },
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    // Read lazily: in a directory that was removed meanwhile only a command that needs it fails.
    get cwd() {
      return process.cwd()
    },
    // Read lazily: a command that reads the signal must end by itself when it is aborted.
    get signal() {
      return signal()
    },
  }
}

export function isTerminal(stream: In | Out): boolean {
  return stream.isTTY === true
}

/** Writes and waits, so that a full disk or a closed pipe fails the command instead of crashing the process. */
export function write(stream: Out, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()))
  })
}

/** Whether a write failed because the reading program has closed the pipe (`export | head`). */
export function isPipeClosed(error: unknown, stream: Out): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return (
    code === 'EPIPE' || (stream.destroyed && (code === 'ERR_STREAM_DESTROYED' || code === 'ERR_STREAM_PREMATURE_CLOSE'))
  )
}
