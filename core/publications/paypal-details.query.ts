import { z } from 'zod'
import { notFound } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'

/** What a storefront's PayPal button needs: the publisher's public client id, empty if PayPal is not connected. Never the secret. */
export const paypalDetails = useCase({
  permission: 'public',
  input: z.object({ publicationId: z.number().int() }),
  transaction: 'none',
  async run(ctx, { publicationId }): Promise<{ clientId: string }> {
    const [row] = await ctx.db.query<{ paypal_client_id: string | null }>(
      `SELECT a.paypal_client_id FROM publications p JOIN users u ON u.id = p.publisher_id LEFT JOIN accounts a ON a.user_id = u.id
       WHERE p.id = :publicationId AND p.removed_at IS NULL AND NOT p.is_example AND u.is_active`,
      { publicationId },
    )
    if (!row) throw notFound('The publication')
    return { clientId: row.paypal_client_id ?? '' }
  },
})
