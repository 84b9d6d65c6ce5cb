import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { Actor } from '#core/access/actor.ts'
import { type AppContext, contextFor, type Log } from '#core/context.ts'
import { type Env, readEnv } from '#core/platform/env.ts'
import { makeServices, type Running } from '#core/platform/make-services.ts'
import { startWeb } from '#web/server.ts'
import { startWorker } from '#worker/main.ts'
import './build-sources.ts'

export interface TestServerOptions {
  /** Holds the demo publisher with three magazines unless false. */
  seed?: boolean
  /** Runs jobs as soon as they are queued, emails among them. */
  worker?: boolean
  /** Settings of the installation. */
  env?: Record<string, string>
}

export interface TestServer {
  url: string
  services: Running
  /** The context of a use case that the actor calls. */
  as(actor: Actor): AppContext
  /** Resolves once the worker has nothing left to do. */
  jobsDone(): Promise<void>
  stop(): Promise<void>
}

/**
 * The port that this worker's files use one after the other, so that the browser's cache and its compiled scripts are reused. It is
 * below the ports that the system assigns.
 */
let workerPort = 20_000 + (process.pid % 10_000)
let isPortInUse = false

const silent: Log = { info: () => {}, warn: () => {}, error: () => {} }

/** The built product on a free port, with its own database: a copy of the demo, or of an empty one. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { seed = true, worker = false, env: settings = {} } = options
  const dataDir = mkdtempSync(join(tmpdir(), 'masthead-e2e-'))
  const file = join(dataDir, 'test.db')
  copyFileSync(inject(seed ? 'demoTemplate' : 'sqliteTemplate'), file)
  const env = {
    ...readEnv({
      DATA_DIR: dataDir,
      DATABASE_URL: `sqlite:${file}`,
      APP_SECRET: 'test-secret-test-secret-test-secret',
      ...settings,
    }),
    port: 0,
  }
  const services = await makeServices(env, { log: silent })
  const web = await startOnPort(services, env)
  const loop = worker ? await startWorker(services, env) : undefined
  return {
    url: web.url,
    services,
    as: (actor) => contextFor(services, actor, { entryPoint: 'test' }),
    async jobsDone() {
      if (!loop) throw new Error('This server was started without a worker')
      await loop.idle()
    },
    async stop() {
      await web.stop()
      await loop?.stop()
      await services.db.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Listens on the worker's port, or on another where a server of this file uses that one already. */
async function startOnPort(services: Running, env: Env): ReturnType<typeof startWeb> {
  if (isPortInUse) return startWeb(services, env)
  for (;;) {
    try {
      const web = await startWeb(services, { ...env, port: workerPort })
      isPortInUse = true
      return {
        url: web.url,
        async stop() {
          await web.stop()
          isPortInUse = false
        },
      }
    } catch (error) {
      if (!isPortTaken(error)) throw error
      workerPort++
    }
  }
}

function isPortTaken(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string } }
  return cause?.code === 'EADDRINUSE'
}
