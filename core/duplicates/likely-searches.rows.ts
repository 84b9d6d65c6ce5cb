import type { LearnedWeights } from '../ports/likely-finder.ts'
import { defaulted, defineTable, id, integer, json, nullable, real, ref } from '../table.ts'

/** The results of searches for likely duplicates; the task of a search holds its progress. */
export const LikelySearches = defineTable('likely_searches', {
  id: id(),
  publicationId: ref(),
  readers: defaulted(integer()),
  groupsFound: defaulted(integer()),
  /** The last reader at the time: later ones have not been compared. */
  lastReaderId: defaulted(ref()),
  /** How long it took. */
  seconds: defaulted(real()),
  /** What it learned about its readers; null until it is done, and for searches before learning was added. */
  learned: nullable(json<LearnedWeights>()),
})
