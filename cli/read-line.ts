import { StringDecoder } from 'node:string_decoder'
import { interrupted } from './cli-error.ts'
import type { In, Io } from './io.ts'

const enter = new Set(['\r', '\n'])
const erase = new Set(['\u007f', '\b'])
const ctrlC = '\u0003'
const ctrlD = '\u0004'

interface Reading {
  decoder: StringDecoder
  /** Read from the stream but not returned yet. */
  buffered: string
}

const readings = new WeakMap<In, Reading>()

function readingOf(stdin: In): Reading {
  const reading = readings.get(stdin) ?? { decoder: new StringDecoder('utf8'), buffered: '' }
  readings.set(stdin, reading)
  return reading
}

/**
 * The next line of stdin without its line break; undefined at its end or after Ctrl-C. What was read beyond that line
 * stays buffered for the next call.
 */
export async function readLine({ stdin, signal }: Io): Promise<string | undefined> {
  const reading = readingOf(stdin)
  while (true) {
    const end = reading.buffered.indexOf('\n')
    if (end !== -1) {
      const line = reading.buffered.slice(0, end).replace(/\r$/, '')
      reading.buffered = reading.buffered.slice(end + 1)
      return line
    }
    const chunk = await nextChunk(stdin, signal)
    if (chunk === undefined) {
      const last = reading.buffered
      reading.buffered = ''
      return last === '' || signal.aborted ? undefined : last
    }
    reading.buffered += reading.decoder.write(chunk)
  }
}

/** A line typed without echo; undefined at the end of stdin. In raw mode Ctrl-C arrives as a character; it interrupts. */
export async function readHiddenLine(io: Io): Promise<string | undefined> {
  const stdin = io.stdin as In & { setRawMode?(isRaw: boolean): void }
  if (!stdin.setRawMode) return readLine(io)
  const reading = readingOf(stdin)
  const typed: string[] = []
  stdin.setRawMode(true)
  try {
    while (true) {
      // Text that was pasted or typed ahead may contain more than one answer.
      const [character] = reading.buffered
      if (character === undefined) {
        const chunk = await nextChunk(stdin, io.signal)
        if (chunk === undefined) return undefined
        reading.buffered += reading.decoder.write(chunk)
        continue
      }
      reading.buffered = reading.buffered.slice(character.length)
      if (enter.has(character)) return typed.join('')
      if (character === ctrlC) throw interrupted()
      if (character === ctrlD && typed.length === 0) return undefined
      if (erase.has(character)) typed.pop()
      else if (character >= ' ') typed.push(character)
    }
  } finally {
    stdin.setRawMode(false)
    io.stderr.write('\n')
  }
}

/** One chunk of the stream, which is paused again afterwards: an unread stdin must not keep the process alive. */
function nextChunk(stdin: In, signal: AbortSignal): Promise<Buffer | undefined> {
  if (signal.aborted || stdin.readableEnded || stdin.destroyed) return Promise.resolve(undefined)
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => {
      stdin.pause()
      stdin.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', onError)
      signal.removeEventListener('abort', onEnd)
      end()
    }
    const onData = (chunk: Buffer | string) => settle(() => resolve(Buffer.from(chunk)))
    const onEnd = () => settle(() => resolve(undefined))
    const onError = (error: Error) => settle(() => reject(error))
    stdin.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', onError)
    signal.addEventListener('abort', onEnd)
    stdin.resume()
  })
}
