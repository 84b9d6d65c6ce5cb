import { day, defineTable, id, instant, integer, nullable, ref } from '../table.ts'

/** Each take-over of a title's opening balances; an undone one keeps its row, without its terms. */
export const OpeningBalances = defineTable('opening_balances', {
  id: id(),
  publisherId: ref(),
  publicationId: ref(),
  /** What is not yet delivered at the end of this day is owed. */
  takenOn: day(),
  readers: integer(),
  takenAt: instant(),
  /** The user; null: the system. */
  takenBy: nullable(ref()),
  /** Null: in force. At most one per title is in force. */
  undoneAt: nullable(instant()),
  undoneBy: nullable(ref()),
})
