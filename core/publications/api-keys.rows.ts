import { defineTable, id, instant, nullable, ref, text } from '../table.ts'

/** The keys by which third parties check a publication's subscribers. */
export const ApiKeys = defineTable('api_keys', {
  id: id(),
  publicationId: ref(),
  /** What a key is compared by. */
  keyHash: text(),
  /** Encrypted, for showing it to its publisher again. */
  keySealed: text(),
  lastFour: text(),
  madeBy: nullable(ref()),
  lastUsedAt: nullable(instant()),
  revokedAt: nullable(instant()),
  createdAt: instant(),
})
