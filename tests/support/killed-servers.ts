import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { freePort } from '#tests/load/served.ts'
import { atFileEnd } from './file-end.ts'
import { bundled, processEnv } from './killed-process.ts'
import type { TestServices } from './test-services.ts'

/**
 * The built product as installed, web and worker in one process, except that its clock begins at a given moment, and that it
 * pauses at each of its kill points: after a statement that writes counted rows, and before and after calling the plans' provider or
 * the mail server. There it reports the point and can be killed.
 */
const program = `
  import { writeSync } from 'node:fs'
  import { readEnv } from '#core/platform/env.ts'
  import { makeServices } from '#core/platform/make-services.ts'
  import { startWeb } from '#web/server.ts'
  import { startWorker } from '#worker/main.ts'
  const begun = Date.now()
  const now = () => new Date(Number(process.env.SERVER_CLOCK) + Date.now() - begun)
  const env = readEnv(process.env)
  const services = await makeServices(env, { now, log: { info() {}, warn() {}, error() {} } })
  const { db, planBilling, mail } = services
  let left = 0
  process.stdin.on('data', (told) => {
    left = Number(told.toString().trim().split('\\n').at(-1))
  })
  const moment = () => {
    if (--left !== 0) return
    writeSync(1, 'now\\n')
    // The thread blocks, so that nothing runs before the kill.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  }
  const between = (port, name) => {
    const work = port[name].bind(port)
    port[name] = async (...given) => {
      moment()
      const answer = await work(...given)
      moment()
      return answer
    }
  }
  between(mail, 'send')
  for (const name of ['startSubscription', 'lookUpPayment', 'endSubscription']) between(planBilling, name)
  between(planBilling.life, 'lookUp')
  const counted = new RegExp(process.env.COUNTED)
  for (const name of ['run', 'query']) {
    const ask = db[name].bind(db)
    db[name] = async (sql, ...given) => {
      const answer = await ask(sql, ...given)
      if (counted.test(sql)) moment()
      return answer
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
  /** Makes a request, and retries it for as long as the response fails because the server was killed. */
  ask(path: string, init?: RequestInit): Promise<Page>
  /** From now on kills it with -9 at these points: the first one of this life, the others one in each following life. */
  killAfter(moments: readonly number[]): void
  /** How often it was killed so far. */
  kills(): number
  /** Keeps it running on this world's clock, restarting it after each kill, until a condition holds. */
  liveUntil<Done>(work: Promise<Done>): Promise<Done>
}

interface Options {
  env: Record<string, string>
  /** The statements that count as kill points. */
  counted: RegExp
  beforeEachLife(): Promise<unknown>
}

/** A server in its own process that is killed and restarted, always at the same address. */
export async function killedServer(
  services: TestServices,
  { env, counted, beforeEachLife }: Options,
): Promise<KilledServer> {
  const file = await bundled(program)
  atFileEnd(() => rmSync(file))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let child: ReturnType<typeof start> | undefined
  atFileEnd(() => child?.kill('SIGKILL'))
  let up = notYet()
  let coming: readonly number[] = []
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

  /** Tells it how many kill points it has left; undefined: it is not killed. */
  function arm(): void {
    child?.stdin.write(`${coming[0] ?? 0}\n`)
  }

  function end(): void {
    if (up.isSo()) up = notYet()
    child?.kill('SIGKILL')
  }

  async function live(): Promise<void> {
    const living = start()
    child = living
    // It was killed before it read the message.
    living.stdin.on('error', () => {})
    arm()
    createInterface({ input: living.stdout }).on('line', (line) => {
      if (line === 'up') return up.resolve()
      coming = coming.slice(1)
      kills++
      end()
    })
    const [code, signal] = await once(living, 'exit')
    if (signal !== 'SIGKILL') throw new Error(`The server ended by itself (${code ?? signal})`)
  }

  return {
    url,
    kills: () => kills,
    async ask(path, init = {}) {
      for (;;) {
        await up.promise
        try {
          const response = await fetch(url + path, { redirect: 'manual', ...init })
          const { status, headers } = response
          const text = await response.text()
          return { status, location: headers.get('location'), cookies: headers.getSetCookie(), text }
        } catch {
          // It was killed: waits for the next one.
        }
      }
    },
    killAfter(moments) {
      coming = moments
      arm()
    },
    async liveUntil(work) {
      let isDone = false
      const done = work.finally(() => {
        isDone = true
        end()
      })
      const lives = async () => {
        while (!isDone) {
          await beforeEachLife()
          if (!isDone) await live()
        }
      }
      return (await Promise.all([done, lives()]))[0]
    },
  }
}

/** A condition that is polled until it holds. */
function notYet() {
  let isSo = false
  let done = () => {}
  const promise = new Promise<void>((resolve) => {
    done = resolve
  })
  return {
    promise,
    isSo: () => isSo,
    resolve() {
      isSo = true
      done()
    },
  }
}
