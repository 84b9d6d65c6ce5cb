import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Log } from '#core/context.ts'
import { migrate } from '#core/platform/database/migrate.ts'
import { readEnv } from '#core/platform/env.ts'
import { makeServices, type Running } from '#core/platform/make-services.ts'
import { seedDemo } from '#core/seed/seed-demo.ts'
import { startWeb } from '#web/server.ts'

export interface TestServer {
  url: string
  services: Running
  stop(): Promise<void>
}

const silent: Log = { info: () => {}, warn: () => {}, error: () => {} }

/** The built product on a free port with a database of its own, holding the demo unless told otherwise. */
export async function startTestServer({
  seed = true,
  env: settings = {},
}: {
  seed?: boolean
  env?: Record<string, string>
} = {}): Promise<TestServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'masthead-e2e-'))
  const env = {
    ...readEnv({ DATA_DIR: dataDir, APP_SECRET: 'test-secret-test-secret-test-secret', ...settings }),
    port: 0,
  }
  const services = await makeServices(env, { log: silent })
  await migrate(services.db)
  if (seed) await seedDemo(services)
  const web = await startWeb(services, env)
  return {
    url: web.url,
    services,
    async stop() {
      await web.stop()
      await services.db.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
