import { isDeepStrictEqual } from 'node:util'
import { expect, it } from 'vitest'
import { compareNames } from './compare-names.rules.ts'
import { nameParts } from './name-parts.rules.ts'

const nameOf = (firstName: string, lastName: string) => nameParts({ title: '', firstName, lastName, fullName: '' })

it('a name in the wrong field is recognised, whichever of the two records is incomplete', () => {
  // Mason is known as a first name and Reggie is not: the two words are taken for a surname that comes first.
  const whole = nameOf('Reggie', 'Mason')
  const part = nameOf('Reggie', '')
  expect(compareNames(whole, part)).toEqual(compareNames(part, whole))
  expect(compareNames(whole, part)).toMatchObject({ last: 'same' })
})

it('two letters that can be a suffix are initials if they are the whole first name', () => {
  expect(nameOf('JR', 'Hartley')).toMatchObject({ first: 'j', middle: 'r', generation: '' })
  expect(nameOf('KC', 'Hartley')).toMatchObject({ first: 'k', middle: 'c' })
  expect(nameOf('John', 'Hartley JR')).toMatchObject({ first: 'john', last: 'hartley', generation: 'jr' })
})

it('comparing two names gives the same result in either order', () => {
  const words = ['', 'J', 'Reggie', 'Mason', 'Eliza', 'Ezia', 'Leo', 'oeL', 'Taylor', 'Tailor', 'Bob', 'Robert']
  words.push('van Dyk', 'Ann-Marie', 'Li')
  const names = words.flatMap((first) => words.map((last) => nameOf(first, last)))
  const asymmetric = names.flatMap((name) =>
    names.filter((other) => !isDeepStrictEqual(compareNames(name, other), compareNames(other, name))),
  )
  expect(names).toHaveLength(225)
  expect(asymmetric).toEqual([])
})
