import { expect, it } from 'vitest'
import { issuesName } from './issue-offer.rules.ts'

it('the name of an order of many issues is cut between characters, never inside one', () => {
  // Each character of this title is two code units: with one more letter before it the cut falls in the middle of one.
  for (const title of ['📚'.repeat(150), `x${'📚'.repeat(150)}`]) {
    const name = issuesName([title])
    expect(name.isWellFormed()).toBe(true)
    expect(name.endsWith('📚…')).toBe(true)
    expect(name.length).toBeLessThanOrEqual(200)
  }
})
