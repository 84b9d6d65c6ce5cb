import type { LikelyProgress } from './likely/likely-index.rules.ts'

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

export interface LikelyWatcher {
  progress(at: LikelyProgress & { readers: number }): void
  signal?: AbortSignal | undefined
}

/** Searches a publication's active readers for likely duplicates, in a thread of its own. */
export interface LikelyFinder {
  /** The groups in batches, the surest first. An abort ends it with the signal's reason. */
  find(plan: LikelyPlan, watcher: LikelyWatcher): AsyncIterable<FoundGroup[]>
}
