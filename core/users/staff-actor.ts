import type { Actor } from '../access/actor.ts'
import type { UserRow } from './users.rows.ts'

/** The actor of a staff user: a publisher acts on its own data, its staff on the publisher's. */
export function staffActor(user: Pick<UserRow, 'id' | 'userType' | 'email' | 'parentPublisherId'>): Actor {
  const publisherId =
    user.userType === 'publisher'
      ? user.id
      : ['pubadmin', 'admin', 'mailer'].includes(user.userType)
        ? user.parentPublisherId
        : null
  return { kind: 'staff', userId: user.id, userType: user.userType, publisherId, email: user.email }
}
