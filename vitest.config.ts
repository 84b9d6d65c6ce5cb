import { availableParallelism, devNull } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'

// What whoever runs the tests has set for an installation is not for theirs.
process.env.SETTINGS_FILE = devNull

const useCaseTests = ['core/**/*.test.ts', 'worker/**/*.test.ts']
const ruleTests = ['{core,web,cli}/**/*.rules.test.ts', 'web/**/*.unit.test.ts', 'core/**/*.unit.test.ts']

const inAll = {
  // The files of a worker share the modules they load, never a database: loading all again for each file was a sixth of the run.
  isolate: false,
  setupFiles: ['tests/support/each-file.ts'],
  // Bounds for a hung test, not a measure: no test passes or fails by the clock.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  // In CI one race does not cost the run of everything else: the test is tried once more, and the reporter names it.
  retry: process.env.CI ? 1 : 0,
}

/** What only a database server can do to a program, a lost connection say, has files of its own. */
const postgresOnly = '**/*.postgres.test.ts'

function onDatabase(name: string, dialect: 'sqlite' | 'postgres', include: string[], leaveOut: string[] = []) {
  const exclude = [...(dialect === 'postgres' ? ruleTests : [postgresOnly]), ...leaveOut]
  return { test: { ...inAll, name, include, exclude, env: { TEST_DIALECT: dialect } } }
}

/** Ends of the names of projects that scripts/test.mjs leaves out: this machine lacks what they need. */
const leftOut = (process.env.TEST_WITHOUT ?? '').split(',').filter((end) => end !== '')

/**
 * Processes killed with -9, each of which costs two seconds of a processor to start. `npm test` kills those that move money on PostgreSQL and
 * long work on SQLite; `npm run test:faults` runs these files alone, with more kills, on both.
 */
const killedWithMoney = ['core/payments/killed-{checkout,refund}.test.ts', 'core/charging/killed-renewals.test.ts']
const killedAtWork = [
  'core/charging/killed-series-year.test.ts',
  'core/imports/import-killed.test.ts',
  'core/series/killed-efforts.test.ts',
  'core/signup/killed-sign-up.test.ts',
  'core/tasks/tasks-killed.test.ts',
]
const killed = ['tests/faults/**/*.test.ts', 'tests/http/killed-server.test.ts', ...killedWithMoney, ...killedAtWork]
const faults = [onDatabase('faults-sqlite', 'sqlite', killed), onDatabase('faults-postgres', 'postgres', killed)]

/**
 * Few, since each loads everything again in each of its workers: what needs no second database runs once, with the use cases on SQLite. Only
 * `e2e` needs a browser.
 */
const projects = [
  onDatabase(
    'sqlite',
    'sqlite',
    [...useCaseTests, ...ruleTests, 'tests/{contract,http}/**/*.test.ts', 'cli/**/*.test.ts'],
    killedWithMoney,
  ),
  // With the commands whose way goes through what differs by database: bulk work, locks, exports, the installation itself. What the others
  // call is tested on both databases where it lives.
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
      // React picks its fast or its debugging half when it is first loaded: the built product is served as it will be.
      env: { NODE_ENV: 'production' as const },
      // A browser keeps a core busy by itself. Another number of workers has to be a group of its own.
      maxWorkers: Math.max(2, availableParallelism() - 1),
      sequence: { groupOrder: 1 },
      // As long as a page itself is waited for.
      expect: { poll: { timeout: 30_000 } },
    },
  },
]

export default defineConfig({
  test: {
    globalSetup: ['tests/support/global-setup.ts'],
    // Each project would transform the modules that all of them load: a third of what loading costs.
    experimental: { fsModuleCache: true },
    // What no import leads to: a change of it runs everything, under `--changed`.
    forceRerunTriggers: [
      ...configDefaults.forceRerunTriggers,
      '**/templates/**',
      '**/web/public/**',
      '**/web/**/*.css',
    ],
    // One file more than there are cores at a time: each waits for its database, its server or a process half of the time.
    maxWorkers: availableParallelism() + 1,
    reporters: ['default', './tests/support/plain-reporter.ts'],
    projects: (process.env.TEST_FAULTS ? faults : projects).filter(
      ({ test: { name } }) => !leftOut.some((end) => name.endsWith(end)),
    ),
  },
})
