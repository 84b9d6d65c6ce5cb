import { expect, it } from 'vitest'
import { likelyIndexOf } from '#tests/support/likely-index.ts'
import { labelledReaders } from '#tests/support/reader-duplicates.ts'
import { candidatePairs, mergedPairs, noKeysTaken } from './candidate-pairs.rules.ts'

it.each(['medium', 'quick'] as const)('finds the same pairs in two threads, each by other keys (%s)', (search) => {
  const readers = likelyIndexOf(labelledReaders('mixed', 400, 12).map(({ source }) => source)).searchable()
  const taken = noKeysTaken()
  let byOtherKeys = new Float64Array()
  const byFirstKeys = candidatePairs(readers, search, {
    taken,
    onKeyTaken() {
      // As if another thread took all remaining keys at this moment.
      if (Atomics.load(taken, 0) === 4) byOtherKeys = candidatePairs(readers, search, { taken })
    },
  })
  const all = candidatePairs(readers, search)
  expect(byFirstKeys.length).toBeLessThan(all.length)
  expect(byOtherKeys.length).toBeLessThan(all.length)
  expect(mergedPairs(byFirstKeys, byOtherKeys)).toEqual(all)
})
