import type { LearnedWeights } from '../ports/likely-finder.ts'
import { defaulted, defineTable, id, integer, json, nullable, real, ref } from '../table.ts'

/** What a search for likely duplicates came to; where it is on its way says its task. */
export const LikelySearches = defineTable('likely_searches', {
  id: id(),
  publicationId: ref(),
  readers: defaulted(integer()),
  groupsFound: defaulted(integer()),
  /** The last reader there was: later ones have not been looked at. */
  lastReaderId: defaulted(ref()),
  /** How long it took. */
  seconds: defaulted(real()),
  /** What it learned of its readers; null until it is done, and of searches before there was any learning. */
  learned: nullable(json<LearnedWeights>()),
})
