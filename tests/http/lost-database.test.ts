import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { readEnv } from '#core/platform/env.ts'
import { makeServices, type Running } from '#core/platform/make-services.ts'
import { startPostgresProxy } from '#tests/support/postgres-proxy.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { startWeb } from '#web/server.ts'
import '#tests/support/build-sources.ts'

describe.skipIf(!inject('postgresServer'))('a web process that loses its connections to PostgreSQL', () => {
  let proxy: Awaited<ReturnType<typeof startPostgresProxy>>
  let web: Awaited<ReturnType<typeof startWeb>>
  let services: Running
  /** The errors that were logged since the last request. */
  let logged: unknown[] = []
  beforeAll(async () => {
    const directServices = await openTestServices({}, 'postgres')
    proxy = await startPostgresProxy(directServices.databaseUrl)
    const env = readEnv({
      DATA_DIR: directServices.dataDir,
      DATABASE_URL: proxy.url,
      APP_SECRET: 'test-secret-test-secret-test-secret',
    })
    const log = {
      ...directServices.log,
      error: (fields: { error?: unknown }) => void logged.push(fields.error ?? fields),
    }
    services = await makeServices(env, { log })
    web = await startWeb(services, { ...env, port: 0 })
  })
  afterAll(async () => {
    await web?.stop()
    await services?.db.close()
    await proxy?.stop()
  })

  const requests = {
    'a page': ['/no-such-title', {}],
    'a page of staff': ['/dashboard', { headers: { cookie: 'masthead-session=abc' } }],
    'a form': [
      '/login',
      { method: 'POST', body: new URLSearchParams({ email: 'a@example.com', password: 'masthead' }) },
    ],
    'the API': ['/api/publication/getpublicationbyurl/no-such-title', {}],
    'a file': ['/sitemap.xml', {}],
  } satisfies Record<string, [string, RequestInit]>

  for (const mode of ['cut', 'terminate', 'terminate while opening'] as const) {
    it(`answers 503 with Retry-After, and recovers once they are back (${mode})`, async () => {
      for (const [name, [path, init]] of Object.entries(requests)) {
        logged = []
        proxy.mode = mode
        if (mode === 'terminate while opening') await closeConnections()
        const response = await fetch(web.url + path, { redirect: 'manual', ...init })
        const text = await response.text()
        const isLost = response.status === 503 && response.headers.get('retry-after') === '5'
        if (!isLost) throw new Error(`${name} answers ${response.status}`, { cause: logged.at(-1) })
        expect(text).not.toMatch(/Sequelize|57P01|ECONN|127\.0\.0\.1:|terminating/)
        proxy.mode = 'up'
        const retry = await fetch(web.url + path, { redirect: 'manual', ...init })
        await retry.arrayBuffer()
        expect([name, retry.status < 500]).toEqual([name, true])
      }
    })
  }

  /** Closes the open connections, so that the next request has to open one. */
  async function closeConnections(): Promise<void> {
    proxy.mode = 'terminate'
    const openConnections = () =>
      (services.db.sequelize as unknown as { connectionManager: { pool: { size: number } } }).connectionManager.pool
        .size
    // One query for each: a failed connection leaves the pool when its end is reported.
    await Promise.all(Array.from({ length: openConnections() }, () => services.db.query('SELECT 1').catch(() => {})))
    await expect.poll(openConnections).toBe(0)
    proxy.mode = 'terminate while opening'
  }
})
