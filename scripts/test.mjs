// npm test: installs when needed, builds, finds or starts PostgreSQL, Redis and Chromium, runs every test.

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
const leftOut = []
if (!services.databaseUrl) leftOut.push(['PostgreSQL', '!*postgres'])
if (!services.redisUrl) leftOut.push(['Redis', ''])
if (!services.chromium) leftOut.push(['Chromium', '!e2e'])
if (leftOut.length > 0 && process.env.CI) {
  say(`error: ${leftOut.map(([name]) => name).join(' and ')} could not be found or started; in CI nothing is left out`)
  await services.stop()
  process.exit(1)
}

const filters = leftOut.filter(([, project]) => project).flatMap(([, project]) => ['--project', project])
const code = await run(
  process.execPath,
  [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...filters, ...process.argv.slice(2)],
  {
    env: {
      ...process.env,
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      ...(services.databaseUrl && { TEST_DATABASE_URL: services.databaseUrl }),
      TEST_REDIS_URL: services.redisUrl ?? '',
      // The reporter says it again above its last line.
      TESTS_LEFT_OUT: leftOut.map(([name]) => name).join(', '),
      ...(services.chromium && { CHROMIUM_PATH: services.chromium }),
    },
  },
)
await services.stop()
process.exit(code)
