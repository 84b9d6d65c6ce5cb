import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { freePort } from '#tests/load/served.ts'
import { deferred } from './deferred.ts'
import { atFileEnd } from './file-end.ts'
import { bundled, processEnv } from './killed-process.ts'
import type { TestServices } from './test-services.ts'

/**
 * The product as built and installed, web and worker in one process, except that its clock starts at a given time, and that it blocks at the chosen
 * kill point and reports it, so that it can be killed there. Kill points are each statement that writes to counted tables (after it) and each call of
 * the plans' payment provider or the mail server (before and after it).
 */
const program = `
  import { writeSync } from 'node:fs'
  import { readEnv } from '#core/platform/env.ts'
  import { makeServices } from '#core/platform/make-services.ts'
  import { startWeb } from '#web/server.ts'
  import { startWorker } from '#worker/main.ts'
  const startedAt = Date.now()
  const now = () => new Date(Number(process.env.SERVER_CLOCK) + Date.now() - startedAt)
  const env = readEnv(process.env)
  const services = await makeServices(env, { now, log: { info() {}, warn() {}, error() {} } })
  const { db, planBilling, mail } = services
  let remaining = 0
  process.stdin.on('data', (input) => {
    remaining = Number(input.toString().trim().split('\\n').at(-1))
  })
  const killPoint = () => {
    if (--remaining !== 0) return
    writeSync(1, 'kill\\n')
    // The thread blocks, so that nothing runs before the kill.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  }
  const wrapCall = (port, name) => {
    const call = port[name].bind(port)
    port[name] = async (...args) => {
      killPoint()
      const result = await call(...args)
      killPoint()
      return result
    }
  }
  wrapCall(mail, 'send')
  for (const name of ['startSubscription', 'lookUpPayment', 'endSubscription']) wrapCall(planBilling, name)
  wrapCall(planBilling.lifecycle, 'lookUp')
  const counted = new RegExp(process.env.COUNTED)
  for (const name of ['run', 'query']) {
    const execute = db[name].bind(db)
    db[name] = async (sql, ...args) => {
      const result = await execute(sql, ...args)
      if (counted.test(sql)) killPoint()
      return result
    }
  }
  await startWorker(services, env)
  await startWeb(services, env)
  writeSync(1, 'up\\n')`

interface Page {
  status: number
  location: string | null
  cookies: string[]
  text: string
}

export interface KilledServer {
  url: string
  /** Makes a request, and retries it until the server, which may be killed meanwhile, responds. */
  request(path: string, init?: RequestInit): Promise<Page>
  /** Kills it with -9 at these kill points, counted from now for the first, and from each restart for the others. */
  killAfter(points: readonly number[]): void
  /** How often it has been killed so far. */
  kills(): number
  /** Runs it on the clock of the test's services, restarting it after each kill, until a promise is settled. */
  runUntil<Result>(work: Promise<Result>): Promise<Result>
}

interface Options {
  env: Record<string, string>
  /** The statements that count as kill points. */
  counted: RegExp
  beforeEachStart(): Promise<unknown>
}

/** A server in its own process that is killed and restarted, always at the same address. */
export async function killedServer(
  services: TestServices,
  { env, counted, beforeEachStart }: Options,
): Promise<KilledServer> {
  const file = await bundled(program)
  atFileEnd(() => rmSync(file))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let child: ReturnType<typeof start> | undefined
  atFileEnd(() => child?.kill('SIGKILL'))
  let up = deferred()
  let isUp = false
  let killPoints: readonly number[] = []
  let kills = 0

  const start = () =>
    spawn(process.execPath, [file], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: {
        ...processEnv(services),
        HOST: '127.0.0.1',
        PORT: String(port),
        SERVER_CLOCK: String(services.clock.now.getTime()),
        COUNTED: counted.source,
        ...env,
      },
    })

  /** Sends the process the number of kill points until it is killed; 0: it is not killed. */
  function arm(): void {
    child?.stdin.write(`${killPoints[0] ?? 0}\n`)
  }

  function end(): void {
    if (isUp) up = deferred()
    isUp = false
    child?.kill('SIGKILL')
  }

  async function runOnce(): Promise<void> {
    const running = start()
    child = running
    // It may be killed before it reads the message.
    running.stdin.on('error', () => {})
    arm()
    createInterface({ input: running.stdout }).on('line', (line) => {
      if (line === 'up') {
        isUp = true
        return up.resolve()
      }
      killPoints = killPoints.slice(1)
      kills++
      end()
    })
    const [code, signal] = await once(running, 'exit')
    if (signal !== 'SIGKILL') throw new Error(`The server exited by itself (${code ?? signal})`)
  }

  return {
    url,
    kills: () => kills,
    async request(path, init = {}) {
      for (;;) {
        await up.promise
        try {
          const response = await fetch(url + path, { redirect: 'manual', ...init })
          const { status, headers } = response
          const text = await response.text()
          return { status, location: headers.get('location'), cookies: headers.getSetCookie(), text }
        } catch {
          // It was killed: wait for the restart.
        }
      }
    },
    killAfter(points) {
      killPoints = points
      arm()
    },
    async runUntil(work) {
      let isDone = false
      const settled = work.finally(() => {
        isDone = true
        end()
      })
      const restarts = async () => {
        while (!isDone) {
          await beforeEachStart()
          if (!isDone) await runOnce()
        }
      }
      return (await Promise.all([settled, restarts()]))[0]
    },
  }
}
