import type { AppContext } from '../context.ts'
import { asBoolean } from '../database.ts'

/** Whether a publisher may sell: a deactivated one charges nobody. */
export async function publisherIsActive(ctx: Pick<AppContext, 'db'>, publisherId: number): Promise<boolean> {
  const [row] = await ctx.db.query<{ is_active: unknown }>(`SELECT is_active FROM users WHERE id = :publisherId`, {
    publisherId,
  })
  return asBoolean(row?.is_active ?? false)
}
