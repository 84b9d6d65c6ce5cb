import type { AppContext } from '../context.ts'
import { notFound } from '../kernel/errors.ts'
import { type UserRow, Users } from './users.rows.ts'

/**
 * SQL: the condition for the users `u` that the actor manages, with its parameter. Superusers and the machine manage all users; a reseller manages
 * itself, its publishers and their staff; a publisher and its administrators manage the publisher and its staff; everybody else manages none.
 */
export function visibleUsers({ actor }: Pick<AppContext, 'actor'>): { sql: string; values: { viewerId: number } } {
  const noUser = { sql: '1 = 0', values: { viewerId: 0 } }
  if (actor.kind === 'operator' || actor.kind === 'system') return { sql: '1 = 1', values: { viewerId: 0 } }
  if (actor.kind !== 'staff') return noUser
  switch (actor.userType) {
    case 'superuser':
      return { sql: '1 = 1', values: { viewerId: 0 } }
    case 'reseller':
      return {
        sql: `(u.id = :viewerId OR u.reseller_id = :viewerId
               OR u.parent_publisher_id IN (SELECT p.id FROM users p WHERE p.reseller_id = :viewerId))`,
        values: { viewerId: actor.userId },
      }
    case 'publisher':
    case 'pubadmin':
      return {
        sql: '(u.id = :viewerId OR u.parent_publisher_id = :viewerId)',
        values: { viewerId: actor.publisherId ?? 0 },
      }
    default:
      return noUser
  }
}

/** The authorisation guard of users: returns a user the actor manages; any other user, like an unknown id, is `notFound`. */
export async function ownUser(ctx: AppContext, id: number): Promise<UserRow> {
  const { sql, values } = visibleUsers(ctx)
  const [visibleUser] = await ctx.db.query<{ id: number }>(`SELECT u.id FROM users u WHERE u.id = :id AND ${sql}`, {
    ...values,
    id,
  })
  const user = visibleUser && (await Users.find(ctx, { id: visibleUser.id }))
  if (!user) throw notFound('The user')
  return user
}

/** A publisher the actor manages; any other user is `notFound`. */
export async function ownPublisher(ctx: AppContext, id: number): Promise<UserRow> {
  const user = await ownUser(ctx, id)
  if (user.userType !== 'publisher') throw notFound('The user')
  return user
}
