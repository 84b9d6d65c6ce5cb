import { firstOf, type SearchName, secondOf } from '#core/likely/candidate-pairs.rules.ts'
import type { LikelyIndex } from '#core/likely/likely-index.rules.ts'
import { type LikelySource, likelyRecord } from '#core/likely/likely-record.rules.ts'
import { NameCounts } from '#core/likely/name-counts.rules.ts'
import { pairEvidence } from '#core/likely/pair-evidence.rules.ts'
import { sketchLength } from '#core/likely/pair-sketch.rules.ts'
import { scorePair } from '#core/likely/score-pair.rules.ts'
import { sketchedReaders } from '#core/likely/sketched-readers.rules.ts'

type Pair = readonly [a: number, b: number]

/** All pairs that score 0.5 or more with the default weights. Every reader is compared with every other, so use it only for small files. */
export function likelyPairs(sources: readonly LikelySource[]): Pair[] {
  const records = sources.map(likelyRecord)
  const counts = new NameCounts()
  const { sketches } = sketchedReaders(records)
  for (let offset = 0; offset < sketches.length; offset += sketchLength) counts.add(sketches, offset)
  return records.flatMap((first, a) =>
    records.slice(a + 1).flatMap((second, offset): Pair[] => {
      return scorePair(pairEvidence(first, second, counts)) >= 0.5 ? [[a, a + 1 + offset]] : []
    }),
  )
}

/** The share of some pairs that the keys and the sketch of a search select. */
export function shareCompared(index: LikelyIndex, pairs: readonly Pair[], search: SearchName): number {
  const compared = new Set(Array.from(index.candidates({ search }), (pair) => `${firstOf(pair)} ${secondOf(pair)}`))
  return pairs.filter(([a, b]) => compared.has(`${a} ${b}`)).length / pairs.length
}
