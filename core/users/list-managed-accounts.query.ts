import { z } from 'zod'
import { useCase } from '../use-case.ts'
import { visibleUsers } from './own-user.ts'

/** A publisher or reseller that a new user can be assigned to. */
export interface ManagedAccount {
  id: number
  name: string
}

/** The active publishers or resellers the actor manages, sorted by company, for a choice in a form. */
export const listManagedAccounts = useCase({
  permission: 'publisher:list',
  input: z.object({ userType: z.enum(['publisher', 'reseller']) }),
  transaction: 'none',
  async run(ctx, { userType }): Promise<ManagedAccount[]> {
    const visible = visibleUsers(ctx)
    const rows = await ctx.db.query<{ id: number; company_name: string | null; first_name: string; last_name: string }>(
      `SELECT u.id, a.company_name, u.first_name, u.last_name FROM users u LEFT JOIN accounts a ON a.user_id = u.id
       WHERE u.user_type = :userType AND u.is_active = :yes AND ${visible.sql}
       ORDER BY LOWER(COALESCE(a.company_name, '')), u.id`,
      { ...visible.values, userType, yes: true },
    )
    return rows.map((row) => ({ id: row.id, name: row.company_name || `${row.first_name} ${row.last_name}`.trim() }))
  },
})
