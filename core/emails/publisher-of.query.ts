import type { AppContext } from '../context.ts'

/** The recipient of an email to a publisher; all empty where the publisher no longer exists. */
export async function publisherOf(
  ctx: AppContext,
  publisherId: number,
): Promise<Record<'email' | 'name' | 'company', string>> {
  const [row] = await ctx.db.query<{ email: string; first_name: string; last_name: string; company: string | null }>(
    `SELECT u.email, u.first_name, u.last_name, a.company_name AS company FROM users u LEFT JOIN accounts a ON a.user_id = u.id
     WHERE u.id = :publisherId`,
    { publisherId },
  )
  const name = `${row?.first_name ?? ''} ${row?.last_name ?? ''}`.trim()
  return { email: row?.email ?? '', name, company: row?.company || name }
}
