/** A pair that is likely to be one reader. */
export interface ScoredPair {
  a: number
  b: number
  confidence: number
}

export interface ReaderGroup {
  members: number[]
  /** The mean confidence of each member's pairs with the others, in the order of `members`. */
  fits: number[]
  /** The lowest fit: a group is only as certain as its weakest member. */
  confidence: number
}

const maxMembers = 60

/** From this confidence on, a pair is likely to be one reader. */
export const likelyFrom = 0.5
/** Less certain pairs can be listed too, from this confidence on. */
export const listableFrom = 0.2

/**
 * Merges pairs into groups, the most certain pairs first. Two groups are merged if their members match on average; one matching pair is not enough,
 * since a chain of half-likely pairs would link strangers. Pairs without a score are scored when they are needed.
 */
export function groupPairs(
  pairs: readonly ScoredPair[],
  score: (a: number, b: number) => number,
  min = likelyFrom,
): ReaderGroup[] {
  const confidences = new Map<number, number>()
  const key = (a: number, b: number) => (a < b ? a * 2 ** 26 + b : b * 2 ** 26 + a)
  for (const { a, b, confidence } of pairs) confidences.set(key(a, b), confidence)
  const likely = (a: number, b: number) => {
    const name = key(a, b)
    const confidence = confidences.get(name) ?? score(a, b)
    confidences.set(name, confidence)
    return confidence
  }
  const groupOf = new Map<number, number[]>()
  const groupContaining = (member: number) => groupOf.get(member) ?? [member]
  for (const { a, b } of byConfidence(pairs.filter(({ confidence }) => confidence >= min))) {
    const groupA = groupContaining(a)
    const groupB = groupContaining(b)
    if (groupA === groupB || groupA.length + groupB.length > maxMembers) continue
    if (groupA.length + groupB.length > 2 && !holdsTogether(groupA, groupB, likely, min)) continue
    const joined = [...groupA, ...groupB]
    for (const member of joined) groupOf.set(member, joined)
  }
  return [...new Set(groupOf.values())].map((members) => withFits(members, likely))
}

/** The most certain of the remaining pairs, for a person to review: each reader is in one pair only, and not in a group. */
export function doubtfulGroups(
  pairs: readonly ScoredPair[],
  groups: readonly ReaderGroup[],
  max: number,
): ReaderGroup[] {
  const grouped = new Set(groups.flatMap(({ members }) => members))
  const pairGroups: ReaderGroup[] = []
  for (const { a, b, confidence } of byConfidence(pairs)) {
    if (pairGroups.length === max) break
    if (grouped.has(a) || grouped.has(b)) continue
    grouped.add(a).add(b)
    pairGroups.push({ members: [a, b], fits: [confidence, confidence], confidence })
  }
  return pairGroups
}

export const byConfidence = (pairs: readonly ScoredPair[]) =>
  [...pairs].sort((first, second) => second.confidence - first.confidence || first.a - second.a || first.b - second.b)

function holdsTogether(
  groupA: number[],
  groupB: number[],
  likely: (a: number, b: number) => number,
  min: number,
): boolean {
  let sum = 0
  for (const a of groupA) {
    for (const b of groupB) {
      const confidence = likely(a, b)
      // Two readers who are certainly different (father and son) are never in one group.
      if (confidence < 0.02) return false
      sum += confidence
    }
  }
  return sum / (groupA.length * groupB.length) >= min
}

/** A group of these members, with the fit of each. */
export function withFits(members: number[], likely: (a: number, b: number) => number): ReaderGroup {
  const fits = members.map((a) => {
    let sum = 0
    for (const b of members) if (a !== b) sum += likely(a, b)
    return sum / (members.length - 1)
  })
  return { members, fits, confidence: Math.min(...fits) }
}
