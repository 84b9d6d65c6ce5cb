import { defineConfig } from 'vitest/config'

const useCaseTests = ['core/**/*.test.ts', 'worker/**/*.test.ts']
const ruleTests = ['{core,web,cli}/**/*.rules.test.ts', 'web/**/*.unit.test.ts', 'core/**/*.unit.test.ts']

/** Bounds for a hung test, not a measure: no test passes or fails by the clock. */
const patience = { testTimeout: 60_000, hookTimeout: 120_000 }

/** One project per world a test runs in: rules run once, use-cases on both databases, queue tests on both queues, doors and journeys against the build. */
export default defineConfig({
  test: {
    globalSetup: ['tests/support/global-setup.ts'],
    reporters: ['default', './tests/support/plain-reporter.ts'],
    projects: [
      { test: { ...patience, name: 'rules', include: ruleTests } },
      {
        test: {
          ...patience,
          name: 'sqlite',
          include: useCaseTests,
          exclude: ruleTests,
          env: { TEST_DIALECT: 'sqlite' },
        },
      },
      {
        test: {
          ...patience,
          name: 'postgres',
          include: useCaseTests,
          exclude: ruleTests,
          env: { TEST_DIALECT: 'postgres' },
        },
      },
      { test: { ...patience, name: 'contract', include: ['tests/contract/**/*.test.ts'] } },
      { test: { ...patience, name: 'cli', include: ['cli/**/*.test.ts'], exclude: ruleTests } },
      { test: { ...patience, name: 'e2e', include: ['tests/e2e/**/*.test.ts'], fileParallelism: false } },
    ],
  },
})
