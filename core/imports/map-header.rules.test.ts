import { describe, expect, it } from 'vitest'
import { mapHeader, renamedHeader } from './map-header.rules.ts'

describe('headers', () => {
  it('match without regard to case, spaces and underscores', () => {
    expect(mapHeader(['unique reference', 'POST_CODE', 'Rejected Line', ''])).toEqual({
      columns: [1, 15, -1, -1],
      problems: [],
    })
  })

  it('report unknown, missing and repeated columns at once', () => {
    const { problems } = mapHeader(['Citty', 'City', 'city', 'Shoe size'])
    expect(problems).toEqual([
      'unknown columns "Citty" (did you mean City?), "Shoe size"',
      'the column City occurs twice',
      'missing columns: it needs at least one of UniqueReference, FirstName, LastName, FullName and Email',
    ])
  })

  it('of a file that is combined may have BuyerId alone, and the refusal says so', () => {
    expect(mapHeader(['BuyerId', 'City'], 'combine').problems).toEqual([])
    expect(mapHeader(['City'], 'combine').problems).toEqual([
      'missing columns: it needs at least one of BuyerId, UniqueReference, FirstName, LastName, FullName and Email',
    ])
  })
})

describe('a column map', () => {
  const map = { 'Customer No': 'UniqueReference', '@mail': 'Email', "'quoted": 'City' }

  it('names the columns it contains, and leaves the others', () => {
    expect(renamedHeader(['Customer No', 'Town', "'quoted"], map)).toEqual(['UniqueReference', 'Town', 'City'])
    expect(renamedHeader(['a', 'b'], ['Email'])).toEqual(['Email', ''])
  })

  it('also fits the file of rejected rows, whose column names have formula guards', () => {
    expect(renamedHeader(['Customer No', "'@mail"], map)).toEqual(['UniqueReference', 'Email'])
  })
})
