import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

const maxListed = 30

/** The summary of a run: its slowest tests and files, the tests that passed only on a retry, and the closing line `N passed, N failed`. */
export default class PlainReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[] = []): void {
    const counts = { passed: 0, failed: 0, skipped: 0 }
    const tests: Timed[] = []
    const flaky: string[] = []
    const files: Timed[] = []
    for (const module of modules) {
      const fileName = `${module.project.name} ${module.relativeModuleId}`
      const { duration, setupDuration, collectDuration, environmentSetupDuration, prepareDuration } =
        module.diagnostic()
      const loading = setupDuration + collectDuration + environmentSetupDuration + prepareDuration
      files.push({ ms: duration + loading, name: fileName })
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed' || state === 'failed' || state === 'skipped') counts[state]++
        const name = `${fileName} > ${test.fullName}`
        tests.push({ ms: test.diagnostic()?.duration ?? 0, name })
        if (test.diagnostic()?.flaky) flaky.push(`  ${name}\n${firstError(test)}`)
      }
      if (module.state() === 'failed' && module.errors().length > 0) counts.failed++
    }
    counts.failed += errors.length
    printSlowest('files', files)
    printSlowest('tests', tests)
    if (flaky.length > 0) process.stdout.write(`Passed only on the second try:\n${flaky.join('')}\n`)
    const unavailable = process.env.TESTS_SKIPPED
    if (unavailable) process.stdout.write(`Skipped: tests that need ${unavailable}, which this machine does not have\n`)
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
    process.stdout.write(`${counts.passed} passed, ${counts.failed} failed${skipped}\n`)
  }
}

/** Why the first attempt failed, what differed, and at which line of the tests. */
function firstError(test: TestCase): string {
  const [error] = test.result().errors ?? []
  if (!error) return ''
  const stack = error.stacks?.find(({ file }) => file.includes('/tests/'))
  const location = stack ? `at ${relative('', stack.file)}:${stack.line}:${stack.column}\n` : ''
  const text = stripVTControlCharacters(`${error.message.trim()}\n${error.diff ? `${error.diff}\n` : ''}${location}`)
  return text.replaceAll(/^(?=.)/gm, '      ')
}

interface Timed {
  ms: number
  name: string
}

/** Prints the slowest, longest first; nothing if they are so few that Vitest's own output shows them all. */
function printSlowest(kind: string, all: readonly Timed[]): void {
  if (all.length <= maxListed) return
  const lines = [...all]
    .sort((a, b) => b.ms - a.ms)
    .slice(0, maxListed)
    .map(({ ms, name }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${name}\n`)
  process.stdout.write(`The ${maxListed} slowest ${kind}:\n${lines.join('')}\n`)
}
