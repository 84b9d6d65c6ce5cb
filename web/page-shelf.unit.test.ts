import { expect, it } from 'vitest'
import { pageShelf } from './page-shelf.ts'

const page = (bytes: number) => ({ bytes })

it('lets go of what was unused the longest when there are too many', () => {
  const shelf = pageShelf({ count: 2, bytes: 100 })
  shelf.put('a', page(1))
  shelf.put('b', page(1))
  shelf.get('a')
  shelf.put('c', page(1))
  expect(['a', 'b', 'c'].map((key) => shelf.get(key) !== undefined)).toEqual([true, false, true])
})

it('never holds more than its bytes, however often a page is put there again', () => {
  const shelf = pageShelf({ count: 10, bytes: 100 })
  for (let round = 0; round < 20; round++) shelf.put('a', page(60))
  shelf.put('b', page(40))
  expect([shelf.get('a'), shelf.get('b')]).toEqual([page(60), page(40)])
  shelf.put('c', page(41))
  expect([shelf.get('a'), shelf.get('b'), shelf.get('c')]).toEqual([undefined, page(40), page(41)])
  shelf.put('d', page(101))
  expect(shelf.get('d')).toBeUndefined()
  shelf.dropEach(({ bytes }) => bytes === 40)
  shelf.dropEach(({ bytes }) => bytes === 40)
  shelf.put('e', page(59))
  expect([shelf.get('c'), shelf.get('e')]).toEqual([page(41), page(59)])
})
