// npm test: installs when needed, builds, finds or starts PostgreSQL, Redis and Chromium, and runs every test except those in tests/faults.

import { join } from 'node:path'
import { checkNode, ensureBuilt, ensureInstalled, root, run, say } from './project.mjs'

checkNode()
await ensureInstalled()
await ensureBuilt().catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})

const { findServices } = await import('./test-services.mjs')
const services = await findServices()
const unavailable = []
if (!services.databaseUrl) unavailable.push(['PostgreSQL', 'postgres'])
if (!services.redisUrl) unavailable.push(['Redis', ''])
if (!services.chromium) unavailable.push(['Chromium', 'e2e'])
if (unavailable.length > 0 && process.env.CI) {
  say(
    `error: ${unavailable.map(([name]) => name).join(' and ')} could not be found or started; in CI nothing may be skipped`,
  )
  await services.stop()
  process.exit(1)
}

// `npm run test:faults`: only tests/faults and the tests that kill processes, with more kills (vitest.config.ts).
const isFaults = process.argv.includes('--faults')
const args = process.argv.slice(2).filter((word) => word !== '--faults')
const code = await run(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...args], {
  env: {
    ...process.env,
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    ...(services.databaseUrl && { TEST_DATABASE_URL: services.databaseUrl }),
    TEST_REDIS_URL: services.redisUrl ?? '',
    ...(isFaults && { TEST_FAULTS: 'true' }),
    // Suffixes of the names of projects that this machine cannot run.
    TEST_WITHOUT: unavailable.map(([, project]) => project).join(','),
    // The reporter repeats this above its last line.
    TESTS_SKIPPED: unavailable.map(([name]) => name).join(', '),
    ...(services.chromium && { CHROMIUM_PATH: services.chromium }),
  },
})
await services.stop()
process.exit(code)
