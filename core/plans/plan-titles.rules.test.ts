import fc from 'fast-check'
import { expect, it } from 'vitest'
import { allocateTitles, titlesToPause } from './plan-titles.rules.ts'

const titles = (...paused: boolean[]) => paused.map((isPaused, index) => ({ id: index + 1, isPaused }))

it.each([
  [titles(false, false, false), 3, [], { pause: [], resume: [] }],
  [titles(false, false, false), 1, [1, 2], { pause: [1, 2], resume: [] }],
  [titles(false, false, false), 2, [2], { pause: [2], resume: [] }],
  // If none or too few are chosen, the newest are paused.
  [titles(false, false, false), 1, [], { pause: [3, 2], resume: [] }],
  [titles(false, false, false), 1, [3], { pause: [3, 2], resume: [] }],
  // Another publisher's title, or a paused one, cannot be chosen.
  [titles(false, false, true), 1, [9, 3], { pause: [2], resume: [] }],
  [titles(false, true, true), 2, [], { pause: [], resume: [2] }],
  [titles(false, true, true), 9, [], { pause: [], resume: [2, 3] }],
  [titles(true), 0, [], { pause: [], resume: [] }],
])('%j with room for %i, chosen %j: %j', (given, allowed, chosen, allocation) => {
  expect(allocateTitles(given, allowed, chosen)).toEqual(allocation)
})

it('never leaves more on sale than allowed, nor fewer than possible', () => {
  const pausedStates = fc.array(fc.boolean(), { maxLength: 12 })
  fc.assert(
    fc.property(
      pausedStates,
      fc.integer({ min: 0, max: 12 }),
      fc.array(fc.integer({ min: 1, max: 12 })),
      (paused, allowed, chosen) => {
        const given = titles(...paused)
        const needed = titlesToPause(given, allowed)
        const choice = [...new Set(chosen)].slice(0, needed)
        const { pause, resume } = allocateTitles(given, allowed, choice)
        const onSale = given.filter(({ id, isPaused }) => (isPaused ? resume.includes(id) : !pause.includes(id)))
        expect(onSale).toHaveLength(Math.min(given.length, allowed))
      },
    ),
  )
})
