import { z } from 'zod'
import { actingPublisherId } from '../access/actor.ts'
import { denied } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { type TitleQuota, titleQuota } from './title-quota.ts'

interface TitleQuotaView extends TitleQuota {
  isMet: boolean
  /** Who can allow more titles: the reseller that manages the publisher; null: the product's own support. */
  contact: { name: string; email: string } | null
}

/** How many titles the acting publisher has, how many are allowed, and who can allow more. */
export const getTitleQuota = useCase({
  permission: 'publication:read',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<TitleQuotaView> {
    const publisherId = actingPublisherId(ctx.actor)
    if (publisherId === null) throw denied()
    const [quota, [reseller]] = await Promise.all([
      titleQuota(ctx, publisherId),
      ctx.db.query<{ first_name: string; last_name: string; email: string; company_name: string | null }>(
        `SELECT r.first_name, r.last_name, r.email, a.company_name
         FROM users u JOIN users r ON r.id = u.reseller_id LEFT JOIN accounts a ON a.user_id = r.id
         WHERE u.id = :publisherId AND r.is_active = :yes`,
        { publisherId, yes: true },
      ),
    ])
    const contact = reseller && {
      name: reseller.company_name || `${reseller.first_name} ${reseller.last_name}`.trim(),
      email: reseller.email,
    }
    return { ...quota, isMet: quota.used >= quota.allowed, contact: contact ?? null }
  },
})
