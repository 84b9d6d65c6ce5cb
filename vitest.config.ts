import { availableParallelism, devNull } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'

// The settings file of an installation on this machine must not affect the tests.
process.env.SETTINGS_FILE = devNull

const useCaseTests = ['core/**/*.test.ts', 'worker/**/*.test.ts']
const ruleTests = ['{core,web,cli}/**/*.rules.test.ts', 'web/**/*.unit.test.ts', 'core/**/*.unit.test.ts']

const inAll = {
  // The files of a worker share the modules they load, never a database: loading all again for each file was a sixth of the run.
  isolate: false,
  setupFiles: ['tests/support/each-file.ts'],
  // Bounds for a hung test: no test passes or fails by its duration.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 30_000 } },
  // In CI one race does not fail the whole run: the test is retried once, and the reporter names it.
  retry: process.env.CI ? 1 : 0,
}

/** Tests of faults that only a database server can cause, such as a lost connection. */
const postgresOnly = '**/*.postgres.test.ts'

function onDatabase(name: string, dialect: 'sqlite' | 'postgres', include: string[], leaveOut: string[] = []) {
  const exclude = [...(dialect === 'postgres' ? ruleTests : [postgresOnly]), ...leaveOut]
  return { test: { ...inAll, name, include, exclude, env: { TEST_DIALECT: dialect } } }
}

/** Suffixes of the names of projects that scripts/test.mjs leaves out: this machine lacks what they need. */
const unavailable = (process.env.TEST_WITHOUT ?? '').split(',').filter((end) => end !== '')

/**
 * Processes killed with -9, each of which costs two seconds of a processor to start. `npm test` kills those that move money on PostgreSQL and
 * long work on SQLite; `npm run test:faults` runs these files alone, with more kills, on both.
 */
const killedWithMoney = ['core/payments/killed-{checkout,refund}.test.ts', 'core/charging/killed-renewals.test.ts']
const killedAtWork = [
  'core/charging/killed-series-year.test.ts',
  'core/imports/import-killed.test.ts',
  'core/series/killed-efforts.test.ts',
  'core/signup/killed-signup.test.ts',
  'core/tasks/tasks-killed.test.ts',
]
const killed = ['tests/faults/**/*.test.ts', 'tests/http/killed-server.test.ts', ...killedWithMoney, ...killedAtWork]
const faults = [onDatabase('faults-sqlite', 'sqlite', killed), onDatabase('faults-postgres', 'postgres', killed)]

/**
 * Few, since each loads all modules again in each of its workers: tests that need no second database run once, with the use cases on SQLite. Only
 * `e2e` needs a browser.
 */
const projects = [
  onDatabase(
    'sqlite',
    'sqlite',
    [...useCaseTests, ...ruleTests, 'tests/{contract,http}/**/*.test.ts', 'cli/**/*.test.ts'],
    killedWithMoney,
  ),
  // Includes the commands whose code differs by database: bulk work, locks, exports, the installation itself. The use cases that the others
  // call have their own tests on both databases.
  onDatabase(
    'postgres',
    'postgres',
    [
      ...useCaseTests,
      'cli/commands/{data-quality,dedupe,imports,installation,mailing-files,postcodes,reader-files,readers}.test.ts',
      'cli/commands/*.postgres.test.ts',
    ],
    killedAtWork,
  ),
  {
    test: {
      ...inAll,
      name: 'e2e',
      include: ['tests/e2e/**/*.test.ts'],
      globalSetup: ['tests/support/demo-template.ts'],
      environment: './tests/support/worker-end.ts',
      // React chooses its production or development build when it is first loaded: the built product runs as in production.
      env: { NODE_ENV: 'production' as const },
      // Each keeps two thirds of a core busy with its browser and server. A different number of workers requires a separate group.
      maxWorkers: availableParallelism() + 1,
      sequence: { groupOrder: 1 },
    },
  },
]

export default defineConfig({
  test: {
    globalSetup: ['tests/support/global-setup.ts'],
    // Otherwise each project would transform the shared modules again: a third of the cost of loading.
    experimental: { fsModuleCache: true },
    // Files that no import leads to: with `--changed`, a change of one of them runs all tests.
    forceRerunTriggers: [
      ...configDefaults.forceRerunTriggers,
      '**/templates/**',
      '**/web/public/**',
      '**/web/**/*.css',
    ],
    // Two files more than there are cores at a time: each waits for its database, its server or a process half of the time.
    maxWorkers: availableParallelism() + 2,
    reporters: ['default', './tests/support/plain-reporter.ts'],
    projects: (process.env.TEST_FAULTS ? faults : projects).filter(
      ({ test: { name } }) => !unavailable.some((end) => name.endsWith(end)),
    ),
  },
})
