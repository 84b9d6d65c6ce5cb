import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { type CheckOptions, faultsOf, takeScreenshot } from './browser.ts'

/**
 * Checks the state of a screen that a journey has reached, on a phone as well, and saves its picture under `name`. In the journey that
 * passes it, not in a visit of its own: opening a screen again costs as much as checking it.
 */
export async function expectNoFaults(
  page: Page,
  name: string,
  options: CheckOptions = { alsoAt: [360] },
): Promise<void> {
  expect([name, await faultsOf(page, options)]).toEqual([name, []])
  await takeScreenshot(page, name)
}
