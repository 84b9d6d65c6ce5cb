import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from '#core/platform/project-root.ts'

/** Calls that make a journey or the one after it unreliable, with their replacements. */
const unreliable = [
  [/clock\.install\(/, 'installClock() of the visit: the clock would stay in the window, which is used again'],
  [/\.waitForURL\(/, 'arrived(page, url): the address changes before the page is drawn'],
  [/\.goBack\(/, 'goBack(page): the address changes before the page is drawn'],
  [/\.waitForTimeout\(|\.waitForLoadState\(/, 'a wait for what is checked'],
] as const

it('journeys wait for what they check', () => {
  const folder = join(projectRoot(), 'tests/e2e')
  const found = readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        unreliable.filter(([call]) => call.test(line)).map(([, better]) => `${name}:${index + 1}: use ${better}`),
      ),
  )
  expect(found).toEqual([])
})
