import { firstOf, secondOf } from '#core/likely/candidate-pairs.rules.ts'
import { LikelyIndex } from '#core/likely/likely-index.rules.ts'
import { type LikelySource, likelyRecord } from '#core/likely/likely-record.rules.ts'
import { sketchedReaders, textEnd } from '#core/likely/sketched-readers.rules.ts'
import type { Labelled } from './reader-duplicates.ts'

/** An index of these readers, with their texts in memory. */
export function likelyIndexOf(sources: Iterable<LikelySource>): LikelyIndex {
  let texts: string[] = []
  const index = new LikelyIndex({
    add(added) {
      texts = new TextDecoder().decode(added).split(String.fromCharCode(textEnd))
    },
    get: (at) => texts[at] as string,
  })
  index.add(sketchedReaders(Array.from(sources, likelyRecord)))
  return index
}

/** Bins with fewer pairs say too little about the confidence. */
const minPairsInBin = 200

/** The compared pairs of files whose duplicates are known, by tenths of the confidence that the learned weights give them. */
export class Calibration {
  readonly #bins = Array.from({ length: 10 }, () => ({ pairs: 0, truePairs: 0, sum: 0 }))

  /** How many true pairs were compared. */
  get truePairs(): number {
    return this.#bins.reduce((sum, bin) => sum + bin.truePairs, 0)
  }

  add(readers: readonly Labelled[]): void {
    const index = likelyIndexOf(readers.map(({ source }) => source))
    const pairs = index.candidates()
    index.learn(pairs)
    for (const pair of pairs) {
      const a = firstOf(pair)
      const b = secondOf(pair)
      const confidence = index.score(a, b)
      const bin = this.#bins[Math.min(9, Math.floor(confidence * 10))] as {
        pairs: number
        truePairs: number
        sum: number
      }
      bin.pairs++
      bin.sum += confidence
      if (readers[a]?.person === readers[b]?.person) bin.truePairs++
    }
  }

  /** How far the mean confidence is from the share of true pairs, for each bin with enough pairs. */
  errors(): number[] {
    return this.#bins
      .filter(({ pairs }) => pairs >= minPairsInBin)
      .map(({ pairs, truePairs, sum }) => Math.abs(sum - truePairs) / pairs)
  }
}
