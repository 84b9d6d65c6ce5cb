import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { freePort } from '#tests/load/served.ts'
import { atFileEnd } from './file-end.ts'
import { bundled, processEnv } from './killed-process.ts'
import type { TestServices } from './test-services.ts'

/**
 * The built product as it is installed, web and worker in one process, but that its clock begins at a moment it is told, and that it
 * stands still at one of its moments: after a statement that writes what is counted, and before and after it asks the plans' provider or
 * the mail server. There it says so, and is killed.
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
    // The thread stands still, so that nothing of it can go on before it is killed.
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
  /** Asks as somebody who tries again for as long as the answer does not come because the server was killed. */
  ask(path: string, init?: RequestInit): Promise<Page>
  /** Has it killed with -9 at these moments from now on: the first one of this life, the others one of each life that follows. */
  killAfter(moments: readonly number[]): void
  /** How often it was killed so far. */
  kills(): number
  /** Lets it live, at this world's clock and started again whenever it was killed, until something is done. */
  liveUntil<Done>(work: Promise<Done>): Promise<Done>
}

interface Options {
  env: Record<string, string>
  /** The statements that count as moments. */
  counted: RegExp
  beforeEachLife(): Promise<unknown>
}

/** A server in a process of its own that is killed and started again, always at the same address. */
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

  /** Tells it how many moments are left to it; none: it is not killed. */
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
    // It was killed before it read what it was told.
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
          // It was killed: the next one is waited for.
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

/** Something that is waited for until it is so. */
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
