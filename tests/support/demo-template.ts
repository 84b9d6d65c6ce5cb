import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrate } from '#core/platform/database/migrate.ts'
import { readEnv } from '#core/platform/env.ts'
import { makeServices } from '#core/platform/make-services.ts'
import { seedDemo } from '#core/seed/seed-demo.ts'

declare module 'vitest' {
  interface ProvidedContext {
    demoTemplate: string
  }
}

/** Creates the demo database once; every file of journeys clones it. */
export default async function setup(project: TestProject): Promise<() => void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'masthead-demo-'))
  const file = join(dataDir, 'demo.db')
  const services = await makeServices(
    readEnv({
      DATA_DIR: dataDir,
      DATABASE_URL: `sqlite:${file}`,
      APP_SECRET: 'test-secret-test-secret-test-secret',
      LOG_LEVEL: 'silent',
    }),
  )
  await migrate(services.db)
  await seedDemo(services)
  await services.db.close()
  project.provide('demoTemplate', file)
  return () => rmSync(dataDir, { recursive: true, force: true })
}
