import { expect, it } from 'vitest'
import { lruBySize } from './page-cache.ts'

const page = (bytes: number) => ({ bytes })

it('evicts the least recently used page when there are too many', () => {
  const pages = lruBySize({ count: 2, bytes: 100 })
  pages.set('a', page(1))
  pages.set('b', page(1))
  pages.get('a')
  pages.set('c', page(1))
  expect(['a', 'b', 'c'].map((key) => pages.has(key))).toEqual([true, false, true])
})

it('never exceeds its size limit, however often a page is replaced', () => {
  const pages = lruBySize({ count: 10, bytes: 100 })
  for (let round = 0; round < 20; round++) pages.set('a', page(60))
  pages.set('b', page(40))
  expect([pages.get('a'), pages.get('b')]).toEqual([page(60), page(40)])
  pages.set('c', page(41))
  expect([pages.get('a'), pages.get('b'), pages.get('c')]).toEqual([undefined, page(40), page(41)])
  pages.set('d', page(101))
  expect(pages.get('d')).toBeUndefined()
  pages.delete('b')
  pages.delete('b')
  pages.set('e', page(59))
  expect([pages.get('c'), pages.get('e')]).toEqual([page(41), page(59)])
})
