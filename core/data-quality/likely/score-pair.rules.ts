import { likelyWeights } from './likely-weights.rules.ts'
import type { PairEvidence } from './pair-evidence.rules.ts'
import { pairFeatures } from './pair-features.rules.ts'

const weights: Record<string, number> = likelyWeights

/**
 * How sure it is that a pair is one reader, 0 to 1: the weights of all that agrees and disagrees, added up as log odds (Fellegi and
 * Sunter's way, with the weights of dependent signs fitted together). How they were found: docs/likely-duplicates.md.
 */
export function scorePair(evidence: PairEvidence): number {
  let sum = likelyWeights.start + likelyWeights.surprise * evidence.surprise
  for (const name of pairFeatures(evidence)) sum += weights[name] ?? 0
  return 1 / (1 + Math.exp(-sum))
}
