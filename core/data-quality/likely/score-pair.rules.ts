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
  const confidence = 1 / (1 + Math.exp(-sum))
  return isVague(evidence) ? Math.min(confidence, vagueMost) : confidence
}

/** Below what is merged without anybody looking. */
const vagueMost = 0.95

/** An initial, a missing first name or another surname may be somebody else of the household: at one address alone nobody can be sure. */
function isVague({ first, last, email, phone, isOrganisation, isMixed }: PairEvidence): boolean {
  if (isOrganisation) return false
  if (isMixed) return true
  const isContact = email === 'same' || email === 'near' || phone === 'same'
  return !isContact && (first === 'initial' || first === 'missing' || last === 'other' || last === 'missing')
}
