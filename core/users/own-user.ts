import type { AppContext } from '../context.ts'
import { notFound } from '../kernel/errors.ts'
import { type UserRow, Users } from './users.rows.ts'

/**
 * The condition on `users` that limits to the users that the actor manages: a superuser and the machine all; a reseller itself, its
 * publishers and their staff; a publisher and its administrators that publisher and its staff; anyone else none. As SQL on the alias
 * `u`, with its value.
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

/** The authorisation guard of users: a user the actor manages. One that it does not manage and an unknown one are both `notFound`. */
export async function ownUser(ctx: AppContext, id: number): Promise<UserRow> {
  const { sql, values } = visibleUsers(ctx)
  const [seen] = await ctx.db.query<{ id: number }>(`SELECT u.id FROM users u WHERE u.id = :id AND ${sql}`, {
    ...values,
    id,
  })
  const user = seen && (await Users.find(ctx, { id: seen.id }))
  if (!user) throw notFound('The user')
  return user
}

/** A publisher the actor manages; any other user is `notFound` here. */
export async function ownPublisher(ctx: AppContext, id: number): Promise<UserRow> {
  const user = await ownUser(ctx, id)
  if (user.userType !== 'publisher') throw notFound('The user')
  return user
}
