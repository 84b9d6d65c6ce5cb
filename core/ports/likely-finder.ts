/** A group of readers that are likely to be one, as a search found it. */
export interface FoundGroup {
  confidence: number
  members: { readerId: number; fit: number; reasons: string[] }[]
}

export interface LikelyPlan {
  publicationId: number
  /** Pairs of reader ids that somebody has said to be two readers. */
  apart: readonly (readonly [number, number])[]
}

/** How far a search is. */
export interface LikelyProgress {
  phase: 'reading' | 'searching' | 'comparing' | 'grouping'
  /** 0 to 1 within the phase. */
  part: number
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
