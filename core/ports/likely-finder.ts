/** A group of readers that are likely to be one, as a search found it. */
export interface FoundGroup {
  /** The score by the weights that were learned from the file. */
  confidence: number
  /** The score by the shipped weights. */
  shipped: number
  members: { readerId: number; fit: number; reasons: string[] }[]
}

export interface LikelyPlan {
  publicationId: number
  /** Pairs of reader ids that a person has marked as two readers. */
  differentPairs: readonly (readonly [number, number])[]
}

/** What a search learned of its file. */
export interface LearnedWeights {
  /** Pairs that were learned from, and how many of them are likely to be one reader. */
  pairs: number
  matches: number
  /** How far weights are from the shipped ones, in log odds, by name; those not named are unchanged. */
  moves: Record<string, number>
  readers: number
  /** How many readers have an email or a telephone that is shared by so many that it is no evidence. */
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

/** Searches a publication's active readers for likely duplicates, in a thread of its own. */
export interface LikelyFinder {
  /** The groups in batches, the surest first. An abort ends it with the signal's reason. */
  find(plan: LikelyPlan, watcher: LikelyWatcher): AsyncIterable<FoundGroup[]>
}
