import type { Readable, Writable } from 'node:stream'

export type In = Readable & { isTTY?: boolean }
export type Out = Writable & { isTTY?: boolean; columns?: number }

/** Everything the command line touches outside itself, handed in so that a test can stand in for the terminal. */
export interface Io {
  stdin: In
  stdout: Out
  stderr: Out
  env: NodeJS.ProcessEnv
  cwd: string
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
}

/** The real terminal. A reader that went away (`export | head -1`) is noticed where the write is awaited, never as a crash. */
export function processIo(signal: AbortSignal): Io {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  return {
    // Opened when it is wanted: an open stdin that nobody reads keeps a process alive.
    get stdin() {
      return process.stdin
    },
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    signal,
  }
}

export function isTerminal(stream: In | Out): boolean {
  return stream.isTTY === true
}

/** Writes and waits, so that a full disk or a closed pipe is an error of the command and not of the process. */
export function write(stream: Out, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()))
  })
}
