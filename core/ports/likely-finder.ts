/** A group of readers found by a search that are probably the same person. */
export interface FoundGroup {
  /** The score by the weights that were learned from the publication's readers. */
  confidence: number
  /** The score by the default weights. */
  shipped: number
  /** `version`: the version of the reader that was compared. */
  members: { readerId: number; version: number; fit: number; reasons: string[] }[]
}

export interface LikelyPlan {
  publicationId: number
  /** Pairs of reader ids that a person has marked as different readers. */
  differentPairs: readonly (readonly [number, number])[]
}

/** The weights that a search learned from the publication's readers. */
export interface LearnedWeights {
  /** The number of pairs it learned from, and how many of them are likely to be one reader. */
  pairs: number
  matches: number
  /** How far weights differ from the default ones, in log odds, by name; those not named are unchanged. */
  moves: Record<string, number>
  readers: number
  /** The numbers of readers whose email or telephone is shared by too many to be evidence. */
  commonEmails: number
  commonPhones: number
}

/** The progress of a search. */
export interface LikelyProgress {
  phase: 'reading' | 'searching' | 'comparing' | 'grouping'
  /** 0 to 1 within the phase. */
  part: number
  /** Reported once, when it is known. */
  learned?: LearnedWeights
}

export interface LikelyWatcher {
  progress(at: LikelyProgress & { readers: number }): void
  signal?: AbortSignal | undefined
}

/** Searches a publication's active readers for likely duplicates, in a separate thread if there is a build. */
export interface LikelyFinder {
  /** The groups in batches, most confident first. An abort ends the search with the signal's reason. */
  find(plan: LikelyPlan, watcher: LikelyWatcher): AsyncIterable<FoundGroup[]>
}
