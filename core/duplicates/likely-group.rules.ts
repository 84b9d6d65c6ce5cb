import type { Day } from '../kernel/dates.ts'
import type { Money } from '../kernel/money.ts'
import type { MergeRecord } from './merge-records.rules.ts'

/** A reader of a group, with its whole record: who looks at it chooses between them. */
export interface MemberView extends MergeRecord {
  version: number
  /** Paid or refunded ones. */
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
  /** Somebody has changed or removed one of them since the search. */
  isChanged: boolean
  members: LikelyMemberView[]
}

/** From here on groups are merged together unless somebody says otherwise: hardly one in a hundred of such pairs is wrong. */
export const surelyOne = 0.97
