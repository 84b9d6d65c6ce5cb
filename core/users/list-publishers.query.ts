import { z } from 'zod'
import { asInstant } from '../database.ts'
import { denied } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'

export interface PublisherListItem {
  id: number
  companyName: string
  name: string
  titles: number
  titlesAllowed: number
  readers: number
  lastLoginAt: Date | null
  isActive: boolean
}

/** The publishers a superuser (all) or a reseller (its own) looks after, by company, with how much each holds. */
export const listPublishers = useCase({
  permission: 'publisher:list',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<PublisherListItem[]> {
    const { actor } = ctx
    if (actor.kind === 'buyer' || actor.kind === 'visitor') throw denied()
    const resellerId = actor.kind === 'staff' && actor.userType === 'reseller' ? actor.userId : null
    const rows = await ctx.db.query<{
      id: number
      company_name: string
      first_name: string
      last_name: string
      titles: number
      titles_allowed: number
      readers: number
      last_login_at: Date | string | null
      is_active: unknown
    }>(
      `SELECT u.id, COALESCE(a.company_name, '') AS company_name, u.first_name, u.last_name, u.last_login_at, u.is_active,
              COALESCE(a.number_of_publications, 0) AS titles_allowed,
              (SELECT COUNT(*) FROM publications p WHERE p.publisher_id = u.id AND p.removed_at IS NULL) AS titles,
              (SELECT COUNT(*) FROM publications p JOIN readers r ON r.publication_id = p.id
               WHERE p.publisher_id = u.id AND p.removed_at IS NULL) AS readers
       FROM users u LEFT JOIN accounts a ON a.user_id = u.id
       WHERE u.user_type = 'publisher' ${resellerId === null ? '' : 'AND u.reseller_id = :resellerId'}
       ORDER BY LOWER(COALESCE(a.company_name, '')), u.id`,
      { resellerId },
    )
    return rows.map((row) => ({
      id: row.id,
      companyName: row.company_name,
      name: `${row.first_name} ${row.last_name}`.trim(),
      titles: Number(row.titles),
      titlesAllowed: Number(row.titles_allowed),
      readers: Number(row.readers),
      lastLoginAt: row.last_login_at === null ? null : asInstant(row.last_login_at),
      isActive: row.is_active === true || row.is_active === 1,
    }))
  },
})
