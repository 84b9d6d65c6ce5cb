import { day, defineTable, id, instant, integer, nullable, ref } from '../table.ts'

/** Each take-over of a title's opening balances; one that was undone is kept, without its terms. */
export const OpeningBalances = defineTable('opening_balances', {
  id: id(),
  publisherId: ref(),
  publicationId: ref(),
  /** What is not served at the end of this day is owed. */
  takenOn: day(),
  readers: integer(),
  takenAt: instant(),
  /** The user; null: the system. */
  takenBy: nullable(ref()),
  /** Null: it is in force. At most one per title is. */
  undoneAt: nullable(instant()),
  undoneBy: nullable(ref()),
})
