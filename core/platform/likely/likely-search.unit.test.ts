import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { candidatePairs } from '#core/likely/candidate-pairs.rules.ts'

import type { FoundGroup } from '#core/ports/likely-finder.ts'
import { labelledReaders } from '#tests/support/reader-duplicates.ts'
import { openLikelySearch } from './likely-search.ts'
import { readReaders } from './read-readers.ts'
import type { SearchHelper } from './search-helper.ts'

const folder = mkdtempSync(join(tmpdir(), 'masthead-search-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('finds the same groups with a helper that answers late', async () => {
  const rows = labelledReaders('mixed', 300, 5).map(({ source }, version) =>
    [source.id, source.title, source.firstName, source.lastName, source.fullName, source.email, source.companyName,
      source.addressOne, source.addressTwo, source.addressThree, source.addressFour, source.city, source.postCode,
      source.telephone, version].join('\x1f'),
  ) // biome-ignore format: a row
  const chunks = Array.from({ length: Math.ceil(rows.length / 50) }, (_, index) =>
    rows.slice(index * 50, index * 50 + 50).join('\x1e'),
  )
  let helped = 0
  const helper: SearchHelper = {
    async read(cells) {
      helped++
      await setTimeout(5)
      return readReaders(cells)
    },
    async pairs({ readers, search, taken }) {
      helped++
      return candidatePairs(readers, search, { taken })
    },
    async close() {},
  }
  const alone = await groupsOf(chunks)
  expect(await groupsOf(chunks, helper)).toEqual(alone)
  expect(alone.length).toBeGreaterThan(50)
  expect(helped).toBe(Math.floor(chunks.length / 2) + 1)
})

async function groupsOf(chunks: readonly string[], helper?: SearchHelper): Promise<FoundGroup[]> {
  const search = openLikelySearch({ differentPairs: [], folder, expected: 10 }, helper)
  const taken = chunks.map((cells) => search.take(cells))
  const groups: FoundGroup[] = []
  for await (const batch of search.groups(() => {})) groups.push(...batch)
  await search.close()
  expect(await taken.at(-1)).toBe(chunks.join('\x1e').split('\x1e').length)
  return groups
}
