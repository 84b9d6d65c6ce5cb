import type { UserRow } from './users.rows.ts'

/** A user as the subject of an audit row, filed under the publisher it belongs to. */
export function userSubject(user: Pick<UserRow, 'id' | 'parentPublisherId'>): {
  type: 'user'
  id: number
  publisherId: number
} {
  return { type: 'user', id: user.id, publisherId: user.parentPublisherId ?? user.id }
}
