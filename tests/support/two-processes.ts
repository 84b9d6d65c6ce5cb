import type { Log } from '#core/context.ts'
import { readEnv } from '#core/platform/env.ts'
import { makeServices, type Running } from '#core/platform/make-services.ts'
import { startWeb } from '#web/server.ts'
import './build-sources.ts'
import { atFileEnd } from './file-end.ts'
import { openTestServices, type TestServices } from './test-services.ts'

interface Page {
  status: number
  headers: Headers
  html: string
  /** The page came from the cache, according to the log. */
  isCached: boolean
}

interface WebProcess {
  get(path: string, headers?: Record<string, string>): Promise<Page>
  post(path: string, form: URLSearchParams): Promise<Page>
}

export interface TwoProcesses {
  /** The services of `here`, with a shared clock. */
  services: TestServices
  here: WebProcess
  there: WebProcess
}

/** Two web servers with one database, data folder and clock that share no state in memory, like two processes behind one proxy. */
export async function startTwoProcesses(): Promise<TwoProcesses> {
  const services = await openTestServices()
  const env = readEnv({
    DATA_DIR: services.dataDir,
    DATABASE_URL: services.databaseUrl,
    APP_SECRET: 'test-secret-test-secret-test-secret',
  })
  const otherServices = await makeServices(env, { now: services.now })
  const here = await startProcess(services)
  const there = await startProcess(otherServices)
  atFileEnd(async () => {
    await here.stop()
    await there.stop()
    await otherServices.db.close()
  })
  return { services, here, there }

  async function startProcess(running: Running): Promise<WebProcess & { stop(): Promise<void> }> {
    const lines = new Map<string, { cached?: boolean }>()
    const log: Log = {
      info: (fields) => lines.set((fields as { requestId: string }).requestId, fields),
      warn: () => {},
      error: () => {},
    }
    const web = await startWeb({ ...running, log }, { ...env, port: 0 })
    async function request(path: string, init: RequestInit): Promise<Page> {
      const response = await fetch(web.url + path, { redirect: 'manual', ...init })
      const html = await response.text()
      const id = response.headers.get('x-request-id') ?? ''
      // The line is written after the response is sent.
      while (!lines.has(id)) await new Promise((resolve) => setImmediate(resolve))
      return { status: response.status, headers: response.headers, html, isCached: lines.get(id)?.cached === true }
    }
    return {
      get: (path, headers = {}) => request(path, { headers: { 'Accept-Encoding': 'gzip', ...headers } }),
      post: (path, form) => request(path, { method: 'POST', body: form, headers: { Origin: web.url } }),
      stop: web.stop,
    }
  }
}
