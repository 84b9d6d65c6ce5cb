import { z } from 'zod'
import type { Actor } from '../access/actor.ts'
import type { UserType } from '../access/user-types.ts'
import { asBoolean, asNullableInstant } from '../database.ts'
import { denialReason } from './user-rights.rules.ts'

export const userStates = ['active', 'deactivated', 'all'] as const

/** The state that a list of users or publishers is filtered by. */
export const UserState = z.enum(userStates, 'Must be active, deactivated or all')

/** A user as shown in lists and by the API, without secrets. */
export interface UserListItem {
  id: number
  userType: UserType
  firstName: string
  lastName: string
  email: string
  /** The company the user represents; for staff, the publisher's company. */
  companyName: string
  /** The publisher the user belongs to; for a publisher, its own id. */
  publisherId: number | null
  publisherName: string
  resellerId: number | null
  numberOfPublications: number
  isActive: boolean
  /** False for staff whose publisher is deactivated: they cannot log in. */
  isPublisherActive: boolean
  lastLoginAt: Date | null
  invitedAt: Date | null
  hasPassword: boolean
  hasTwoStep: boolean
  avatarFile: string | null
  may: { edit: boolean; deactivate: boolean }
  /** Why the user may not be edited or deactivated, as text for the actor. */
  whyNot: { edit: string | null; deactivate: string | null }
}

export interface UserListRow {
  id: number
  user_type: UserType
  first_name: string
  last_name: string
  email: string
  company_name: string | null
  parent_publisher_id: number | null
  reseller_id: number | null
  number_of_publications: number | null
  is_active: unknown
  publisher_is_active: unknown
  last_login_at: Date | string | null
  invited_at: Date | string | null
  has_password: unknown
  two_step_since: Date | string | null
  avatar_file: string | null
}

/** The columns that a list needs of `userListTables`: users `u`, their publishers `p` and their or their publishers' accounts `a`; no secrets. */
export const userListColumns = `u.id, u.user_type, u.first_name, u.last_name, u.email, u.parent_publisher_id, u.reseller_id, u.is_active, u.last_login_at,
  u.invited_at, u.two_step_since, u.avatar_file, CASE WHEN u.password_hash IS NULL THEN 0 ELSE 1 END AS has_password,
  a.company_name, a.number_of_publications, COALESCE(p.is_active, u.is_active) AS publisher_is_active`

export const userListTables = `users u
  LEFT JOIN users p ON p.id = u.parent_publisher_id
  LEFT JOIN accounts a ON a.user_id = COALESCE(u.parent_publisher_id, u.id)`

export function userListItem(actor: Actor, row: UserListRow): UserListItem {
  const target = {
    id: row.id,
    userType: row.user_type,
    parentPublisherId: row.parent_publisher_id,
    resellerId: row.reseller_id,
  }
  const reasons = { edit: denialReason(actor, 'edit', target), deactivate: denialReason(actor, 'deactivate', target) }
  const publisherId = row.user_type === 'publisher' ? row.id : row.parent_publisher_id
  return {
    id: row.id,
    userType: row.user_type,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    companyName: row.company_name ?? '',
    publisherId,
    publisherName: publisherId === null ? '' : (row.company_name ?? ''),
    resellerId: row.reseller_id,
    numberOfPublications: row.user_type === 'publisher' ? (row.number_of_publications ?? 0) : 0,
    isActive: asBoolean(row.is_active),
    isPublisherActive: asBoolean(row.publisher_is_active),
    lastLoginAt: asNullableInstant(row.last_login_at),
    invitedAt: asNullableInstant(row.invited_at),
    hasPassword: asBoolean(row.has_password),
    hasTwoStep: row.two_step_since !== null,
    avatarFile: row.avatar_file,
    may: { edit: reasons.edit === null, deactivate: reasons.deactivate === null },
    whyNot: reasons,
  }
}
