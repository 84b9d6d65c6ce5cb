import type { Day } from '../kernel/dates.ts'
import type { Money } from '../kernel/money.ts'
import type { MergeRecord } from './merge-records.rules.ts'

/** A reader of a group, with its whole record: people choose between them. */
export interface MemberView extends MergeRecord {
  version: number
  /** Paid and refunded ones. */
  orders: number
  /** What is charged next automatically, and when; null where it does not renew automatically. */
  renewal: { on: Day; price: Money } | null
}

/** The same in a group of likely duplicates. */
export interface LikelyMemberView extends MemberView {
  /** How well it fits the others, 0 to 1. */
  fit: number
  /** Why it is thought to be the same reader as the group's best fitting one; empty for that one. */
  reasons: string[]
}

export interface LikelyGroupView {
  id: number
  confidence: number
  /** One of them was changed or removed since the search. */
  isChanged: boolean
  members: LikelyMemberView[]
}

/** From this confidence on groups are merged together unless somebody decides otherwise: hardly one in a hundred of such pairs is wrong. */
export const certainConfidence = 0.97
