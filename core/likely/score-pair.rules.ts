import { likelyWeights } from './likely-weights.rules.ts'
import { isSameHome, type PairEvidence } from './pair-evidence.rules.ts'
import { eachFeature } from './pair-features.rules.ts'

/** The probability that a pair is one reader, 0 to 1. */
export type ScorePair = (evidence: PairEvidence) => number

/**
 * Returns a function that scores pairs: it adds up the weights of everything that agrees or disagrees, as log odds (the method of Fellegi and Sunter,
 * with the weights of dependent features fitted together). `moves` are the differences from the default weights. How the weights were fitted:
 * docs/likely-duplicates.md.
 */
export function pairScorer(moves: Readonly<Record<string, number>> = {}): ScorePair {
  // The weights by what was compared, then by the result, so that a look-up need not concatenate names.
  const weights = new Map<string, Map<string, number>>()
  for (const [feature, shipped] of Object.entries(likelyWeights)) {
    const weight = shipped + (moves[feature] ?? 0)
    const dot = feature.lastIndexOf('.')
    // A feature with only one result may also have a dot in its name, so each is stored in both ways.
    for (const [name, level] of [
      [feature, ''],
      [feature.slice(0, dot), feature.slice(dot + 1)],
    ] as const) {
      // biome-ignore format: a list
      weights.set(name, (weights.get(name) ?? new Map<string, number>()).set(level, weight))
    }
  }
  const start = likelyWeights.start + (moves.start ?? 0)
  let sum = 0
  const take = (name: string, level: string) => {
    sum += weights.get(name)?.get(level) ?? 0
  }
  return (evidence) => {
    sum = start + surpriseWeight(evidence.surprise)
    eachFeature(evidence, take)
    const confidence = 1 / (1 + Math.exp(-sum))
    return isVague(evidence) ? Math.min(confidence, vagueMax) : confidence
  }
}

/** Agreement that is likely by chance among so many readers counts more against a pair than unlikely agreement counts for it. */
export const commonness = (surprise: number) => Math.max(0, 5 - surprise)
export const surpriseWeight = (surprise: number) =>
  likelyWeights.surprise * surprise + likelyWeights.commonness * commonness(surprise)

/** Scores pairs by the default weights. */
export const scorePair = pairScorer()

/** The highest confidence of a vague pair: too low to be merged without a review. */
const vagueMax = 0.95

/**
 * Whether a person must review a pair. With an initial, a missing first name or another surname, it may be another member of the household: the
 * address alone does not decide. Similar names and emails whose digits differ, without the same telephone or home, are mostly namesakes in a long
 * list. A reader without a name always needs a review.
 */
function isVague(evidence: PairEvidence): boolean {
  const { first, last, email, phone, isOrganisation, isMixed } = evidence
  if (isOrganisation) return false
  if (isMixed || (first === 'missing' && last === 'missing')) return true
  if (evidence.hasOtherDigits && phone !== 'same' && !isSameHome(evidence)) return true
  const isContact = email === 'same' || email === 'near' || phone === 'same'
  return !isContact && (first === 'initial' || first === 'missing' || last === 'other' || last === 'missing')
}
