import { candidatePairs, mergedPairs, noKeysTaken, searchFor } from '#core/likely/candidate-pairs.rules.ts'
import { explainPair } from '#core/likely/explain-pair.rules.ts'
import type { ReaderGroup } from '#core/likely/group-pairs.rules.ts'
import { LikelyIndex } from '#core/likely/likely-index.rules.ts'
import type { FoundGroup, LikelyProgress } from '#core/ports/likely-finder.ts'
import { readReaders } from './read-readers.ts'
import { openRecordFile } from './record-file.ts'
import type { SearchHelper } from './search-helper.ts'

export interface SearchPlan {
  differentPairs: readonly (readonly [number, number])[]
  /** Where the records are stored during the search. */
  folder: string
  /** The approximate number of readers. */
  expected: number
}

/** One search: takes the readers in chunks, then returns the groups in batches. Runs in the caller's thread, mostly a worker thread. */
export interface LikelySearch {
  /** Returns how many readers were taken so far. */
  take(cells: string): Promise<number>
  groups(onProgress: (at: LikelyProgress) => void): AsyncGenerator<FoundGroup[]>
  close(): Promise<void>
}

const batchSize = 500
/** How many pairs a search stores that are possible but not likely duplicates. */
const maxDoubtful = 5_000

/** A helper reads every second chunk and searches by about half of the keys; the groups are the same without it. */
export function openLikelySearch(
  { differentPairs, folder, expected }: SearchPlan,
  helper?: SearchHelper,
): LikelySearch {
  const records = openRecordFile(folder, { expected })
  const index = new LikelyIndex(records, expected)
  /** The version of each reader, in the order they were taken. */
  let versions = new Int32Array(Math.max(4096, expected))
  const differentKeys = new Set(differentPairs.map(([a, b]) => (a < b ? `${a} ${b}` : `${b} ${a}`)))
  const options =
    differentKeys.size === 0
      ? {}
      : { distinct: (a: number, b: number) => differentKeys.has(a < b ? `${a} ${b}` : `${b} ${a}`) }
  let chunks = 0
  /** Resolves when all chunks so far are in the index, which adds them in the order of the table. */
  let added = Promise.resolve(0)
  return {
    take(cells) {
      const read = helper && chunks++ % 2 === 1 ? helper.read(cells) : readReaders(cells)
      added = Promise.all([read, added]).then(([chunk]) => {
        const from = index.length
        index.add(chunk.readers)
        if (index.length > versions.length) versions = grown(versions, index.length * 2)
        versions.set(chunk.versions, from)
        return index.length
      })
      return added
    },
    async *groups(onProgress) {
      await added
      const pairs = await findPairs(index, helper, onProgress)
      const groups = index.groups({ ...options, pairs, maxDoubtful, onProgress })
      for (let from = 0; from < groups.length; from += batchSize) {
        yield groups.slice(from, from + batchSize).map((group) => describe(index, versions, group))
      }
    },
    async close() {
      records.close()
      await helper?.close()
    },
  }
}

function grown(numbers: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(length)
  larger.set(numbers)
  return larger
}

async function findPairs(
  index: LikelyIndex,
  helper: SearchHelper | undefined,
  onProgress: (at: LikelyProgress) => void,
): Promise<Float64Array> {
  const shared = { readers: index.searchable(), search: searchFor(index.length), taken: noKeysTaken() }
  const helped = helper?.pairs(shared)
  const pairs = candidatePairs(shared.readers, shared.search, {
    taken: shared.taken,
    onKeyTaken: (part) => onProgress({ phase: 'searching', part }),
  })
  if (!helped) return pairs
  const merged = mergedPairs(pairs, await helped)
  // Its memory is no longer needed.
  await helper?.close()
  return merged
}

/** Each member with the reasons why it matches the best-fitting one. */
function describe(index: LikelyIndex, versions: Int32Array, { members, fits, confidence }: ReaderGroup): FoundGroup {
  const centre = members[fits.indexOf(Math.max(...fits))] as number
  const other = members.find((member) => member !== centre) as number
  return {
    confidence,
    shipped: index.defaultConfidence(members),
    members: members.map((member, memberIndex) => {
      const to = member === centre ? other : centre
      const reasons = explainPair(index.record(to), index.record(member), index.evidence(to, member))
      return {
        readerId: index.record(member).id,
        version: versions[member] as number,
        fit: fits[memberIndex] as number,
        reasons: member === centre ? [] : reasons,
      }
    }),
  }
}
