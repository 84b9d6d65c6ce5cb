import { isDeepStrictEqual } from 'node:util'
import { expect, it } from 'vitest'
import { compareNames } from './compare-names.rules.ts'
import { nameParts } from './name-parts.rules.ts'

const nameOf = (firstName: string, lastName: string) => nameParts({ title: '', firstName, lastName, fullName: '' })

it('a word in the wrong field is found whichever record is the incomplete one', () => {
  // Mason is known as a first name and Reggie is not: the two words are taken for a surname that comes first.
  const [whole, part] = [nameOf('Reggie', 'Mason'), nameOf('Reggie', '')]
  expect(compareNames(whole, part)).toEqual(compareNames(part, whole))
  expect(compareNames(whole, part)).toMatchObject({ last: 'same' })
})

it('two initials that are also a suffix are initials where they are the whole first name', () => {
  expect(nameOf('JR', 'Hartley')).toMatchObject({ first: 'j', middle: 'r', generation: '' })
  expect(nameOf('KC', 'Hartley')).toMatchObject({ first: 'k', middle: 'c' })
  expect(nameOf('John', 'Hartley JR')).toMatchObject({ first: 'john', last: 'hartley', generation: 'jr' })
})

it('two names compare alike in either order', () => {
  const words = ['', 'J', 'Reggie', 'Mason', 'Eliza', 'Ezia', 'Leo', 'oeL', 'Taylor', 'Tailor', 'Bob', 'Robert']
  words.push('van Dyk', 'Ann-Marie', 'Li')
  const names = words.flatMap((first) => words.map((last) => nameOf(first, last)))
  const differ = names.flatMap((one) =>
    names.filter((other) => !isDeepStrictEqual(compareNames(one, other), compareNames(other, one))),
  )
  expect(names).toHaveLength(225)
  expect(differ).toEqual([])
})
