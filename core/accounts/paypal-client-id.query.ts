import { z } from 'zod'
import { actingPublisherId } from '../access/actor.ts'
import { useCase } from '../use-case.ts'

/** The acting publisher's PayPal client id, which is public; empty if there is none. */
export const paypalClientId = useCase({
  permission: 'payee:read',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<string> {
    const [account] = await ctx.db.query<{ paypal_client_id: string | null }>(
      `SELECT paypal_client_id FROM accounts WHERE user_id = :publisherId`,
      { publisherId: actingPublisherId(ctx.actor) },
    )
    return account?.paypal_client_id ?? ''
  },
})
