import type { AppContext } from '../context.ts'

export interface AlertableUser {
  id: number
  name: string
  email: string
}

/** The people of a publisher who may change its transfers, and so may be notified of failures: the publisher first. */
export async function alertableUsers(ctx: Pick<AppContext, 'db'>, publisherId: number): Promise<AlertableUser[]> {
  const rows = await ctx.db.query<{ id: number; name: string; email: string }>(
    `SELECT u.id, u.email, TRIM(u.first_name || ' ' || u.last_name) AS name FROM users u
     WHERE u.is_active = :isActive AND (u.id = :publisherId OR (u.parent_publisher_id = :publisherId AND u.user_type = 'pubadmin'))
     ORDER BY CASE WHEN u.id = :publisherId THEN 0 ELSE 1 END, u.first_name, u.last_name, u.id`,
    { publisherId, isActive: true },
  )
  return rows.map((row) => ({ ...row, id: Number(row.id) }))
}
