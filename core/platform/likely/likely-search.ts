import { explainPair } from '#core/likely/explain-pair.rules.ts'
import type { ReaderGroup } from '#core/likely/group-pairs.rules.ts'
import { LikelyIndex } from '#core/likely/likely-index.rules.ts'
import { likelyRecord, likelySource } from '#core/likely/likely-record.rules.ts'
import type { FoundGroup, LikelyProgress } from '#core/ports/likely-finder.ts'
import { openRecordFile } from './record-file.ts'

export interface SearchPlan {
  differentPairs: readonly (readonly [number, number])[]
  /** Where the records are stored during the search. */
  folder: string
  /** The approximate number of readers. */
  expected: number
}

/** One search: takes the readers in chunks, then returns the groups in batches. Runs in the caller's thread, mostly a worker thread. */
export interface LikelySearch {
  take(cells: string): number
  groups(onProgress: (at: LikelyProgress) => void): Generator<FoundGroup[]>
  close(): void
}

const batchSize = 500
/** How many pairs a search stores that are possible but not likely duplicates. */
const maxDoubtful = 5_000

export function openLikelySearch({ differentPairs, folder, expected }: SearchPlan): LikelySearch {
  const records = openRecordFile(folder)
  const index = new LikelyIndex(records, expected)
  /** The version of each reader, in the order they were taken. */
  const versions: number[] = []
  const differentKeys = new Set(differentPairs.map(([a, b]) => (a < b ? `${a} ${b}` : `${b} ${a}`)))
  const options =
    differentKeys.size === 0
      ? {}
      : { distinct: (a: number, b: number) => differentKeys.has(a < b ? `${a} ${b}` : `${b} ${a}`) }
  return {
    take(cells) {
      for (const row of cells.split('\x1e')) {
        const source = row.split('\x1f')
        index.add(likelyRecord(likelySource(source)))
        versions.push(Number(source.at(-1)))
      }
      return index.length
    },
    *groups(onProgress) {
      const groups = index.groups({ ...options, maxDoubtful, onProgress })
      for (let from = 0; from < groups.length; from += batchSize) {
        yield groups.slice(from, from + batchSize).map((group) => describe(index, versions, group))
      }
    },
    close: () => records.close(),
  }
}

/** Each member with the reasons why it matches the best-fitting one. */
function describe(
  index: LikelyIndex,
  versions: readonly number[],
  { members, fits, confidence }: ReaderGroup,
): FoundGroup {
  const centre = members[fits.indexOf(Math.max(...fits))] as number
  const other = members.find((member) => member !== centre) as number
  return {
    confidence,
    shipped: index.defaultConfidence(members),
    members: members.map((member, at) => {
      const to = member === centre ? other : centre
      const reasons = explainPair(index.record(to), index.record(member), index.evidence(to, member))
      return {
        readerId: index.record(member).id,
        version: versions[member] as number,
        fit: fits[at] as number,
        reasons: member === centre ? [] : reasons,
      }
    }),
  }
}
