import type { Reporter, TestModule } from 'vitest/node'

/** The plain closing line: `N passed, N failed`. */
export default class PlainReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[] = []): void {
    const counts = { passed: 0, failed: 0, skipped: 0 }
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed' || state === 'failed' || state === 'skipped') counts[state]++
      }
      if (module.state() === 'failed' && module.errors().length > 0) counts.failed++
    }
    counts.failed += errors.length
    const leftOut = process.env.TESTS_LEFT_OUT
    if (leftOut) process.stdout.write(`Left out, for want of ${leftOut} on this machine: the tests that need it\n`)
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
    process.stdout.write(`${counts.passed} passed, ${counts.failed} failed${skipped}\n`)
  }
}
