import fc from 'fast-check'
import { expect, it } from 'vitest'
import { allocateTitles, titlesToRest } from './plan-titles.rules.ts'

const titles = (...resting: boolean[]) => resting.map((isResting, index) => ({ id: index + 1, isResting }))

it.each([
  [titles(false, false, false), 3, [], { rest: [], wake: [] }],
  [titles(false, false, false), 1, [1, 2], { rest: [1, 2], wake: [] }],
  [titles(false, false, false), 2, [2], { rest: [2], wake: [] }],
  // Not chosen, or too few: the newest.
  [titles(false, false, false), 1, [], { rest: [3, 2], wake: [] }],
  [titles(false, false, false), 1, [3], { rest: [3, 2], wake: [] }],
  // Another publisher's title, or a paused one, cannot be chosen.
  [titles(false, false, true), 1, [9, 3], { rest: [2], wake: [] }],
  [titles(false, true, true), 2, [], { rest: [], wake: [2] }],
  [titles(false, true, true), 9, [], { rest: [], wake: [2, 3] }],
  [titles(true), 0, [], { rest: [], wake: [] }],
])('%j with room for %i, chosen %j: %j', (given, allowed, chosen, shared) => {
  expect(allocateTitles(given, allowed, chosen)).toEqual(shared)
})

it('never leaves more on sale than allowed, nor fewer than possible', () => {
  const any = fc.array(fc.boolean(), { maxLength: 12 })
  fc.assert(
    fc.property(
      any,
      fc.integer({ min: 0, max: 12 }),
      fc.array(fc.integer({ min: 1, max: 12 })),
      (of, allowed, chosen) => {
        const given = titles(...of)
        const needed = titlesToRest(given, allowed)
        const choice = [...new Set(chosen)].slice(0, needed)
        const { rest, wake } = allocateTitles(given, allowed, choice)
        const live = given.filter(({ id, isResting }) => (isResting ? wake.includes(id) : !rest.includes(id)))
        expect(live).toHaveLength(Math.min(given.length, allowed))
      },
    ),
  )
})
