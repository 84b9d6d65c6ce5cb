import fc from 'fast-check'
import { expect, it } from 'vitest'
import { KeySorter } from './key-sorter.rules.ts'

it('sorts keys with their readers, stably within a key, without empty keys', () => {
  const keys = fc.uint32Array({ maxLength: 60 }).map((list) => list.map((key) => (key % 3 === 0 ? key % 5 : key)))
  const sorter = new KeySorter(60)
  fc.assert(
    fc.property(keys, (list) => {
      const used = sorter.sort(list.length, [(reader) => list[reader] as number])
      const expected = [...list]
        .map((key, reader) => ({ key, reader }))
        .filter(({ key }) => key !== 0)
        .sort((a, b) => a.key - b.key)
      expect([...sorter.sorted.subarray(0, used)]).toEqual(expected.map(({ key }) => key))
      expect([...sorter.readers.subarray(0, used)]).toEqual(expected.map(({ reader }) => reader))
    }),
  )
})

it('sorts two keys of each reader together', () => {
  const sorter = new KeySorter(6)
  const firstKeys = [3, 1, 0]
  const secondKeys = [1, 3, 2]
  const used = sorter.sort(3, [(reader) => firstKeys[reader] as number, (reader) => secondKeys[reader] as number])
  expect([...sorter.sorted.subarray(0, used)]).toEqual([1, 1, 2, 3, 3])
  expect([...sorter.readers.subarray(0, used)]).toEqual([1, 0, 2, 0, 1])
})
