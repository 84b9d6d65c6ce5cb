import type { Day } from '../kernel/dates.ts'
import type { Money } from '../kernel/money.ts'
import type { MergeRecord } from './merge-records.rules.ts'

/** A reader of a group, with its whole record: people choose between them. */
export interface MemberView extends MergeRecord {
  version: number
  /** The number of paid and refunded orders. */
  orders: number
  /** The next automatic charge and its day; null if the reader does not renew automatically. */
  renewal: { on: Day; price: Money } | null
}

/** A reader in a group of likely duplicates. */
export interface LikelyMemberView extends MemberView {
  /** How well it fits the others, 0 to 1. */
  fit: number
  /** Why it is thought to be the same reader as the best-fitting member of the group; empty for that member. */
  reasons: string[]
}

export interface LikelyGroupView {
  id: number
  confidence: number
  /** One of the readers was changed or removed since the search. */
  isChanged: boolean
  members: LikelyMemberView[]
}

/** The lowest confidence of a bulk merge by default: of such pairs, fewer than about one in a hundred is wrong. */
export const certainConfidence = 0.97
