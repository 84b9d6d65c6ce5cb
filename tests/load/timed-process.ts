import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Timed {
  seconds: number
  /** Processor time of the process itself, user and system. */
  cpuSeconds: number
  /** Peak resident memory in megabytes; null where /usr/bin/time is missing. */
  peakMb: number | null
}

export function hasTool(command: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${command}`]).status === 0
}

interface Options {
  env?: NodeJS.ProcessEnv
  /** Text or a file for its stdin. */
  input?: string | { file: string }
  /** A file for its stdout, which is otherwise discarded. */
  output?: string
  /** Exit codes accepted besides 0: an import with rejected rows exits 3. */
  acceptedExitCodes?: number[]
}

const hasTime = existsSync('/usr/bin/time')

/** Runs a program to its end and measures the whole run, start-up included. */
export async function timed(command: string, args: string[], options: Options = {}): Promise<Timed> {
  const folder = mkdtempSync(join(tmpdir(), 'masthead-timed-'))
  const timeFile = join(folder, 'time')
  const [program, ...rest] = hasTime
    ? ['/usr/bin/time', '-o', timeFile, '-f', '%M %U %S', command, ...args]
    : [command, ...args]
  const { input } = options
  const started = performance.now()
  const child = spawn(program ?? command, rest, {
    env: { ...process.env, ...options.env },
    stdio: [
      typeof input === 'object' ? openSync(input.file, 'r') : 'pipe',
      options.output ? openSync(options.output, 'w') : 'ignore',
      'pipe',
    ],
  })
  if (typeof input === 'string') child.stdin?.end(input)
  let errors = ''
  child.stderr?.on('data', (chunk) => {
    errors = (errors + chunk).slice(-2000)
  })
  const code = await new Promise<number>((resolve) => child.on('close', (exit) => resolve(exit ?? 1)))
  const seconds = (performance.now() - started) / 1000
  if (code !== 0 && !options.acceptedExitCodes?.includes(code))
    throw new Error(`${command} ${args[0]} ended with ${code}: ${errors}`)
  const [peak = '', user = '0', system = '0'] = hasTime
    ? (readFileSync(timeFile, 'utf8').trim().split('\n').at(-1) ?? '').split(' ')
    : []
  rmSync(folder, { recursive: true, force: true })
  return {
    seconds,
    cpuSeconds: Number(user) + Number(system),
    peakMb: hasTime ? Math.round(Number(peak) / 1024) : null,
  }
}
