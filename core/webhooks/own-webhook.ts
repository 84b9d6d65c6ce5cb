import { actingPublisherId } from '../access/actor.ts'
import type { AppContext } from '../context.ts'
import { denied, notFound } from '../kernel/errors.ts'
import { type WebhookEndpointRow, WebhookEndpoints } from './webhook-endpoints.rows.ts'

/** The owner of the webhooks: the acting publisher. */
export function webhookOwner({ actor }: Pick<AppContext, 'actor'>): number {
  const publisherId = actingPublisherId(actor)
  if (!publisherId) throw denied()
  return publisherId
}

/** The authorisation guard of webhooks: one of the acting publisher; another publisher's, a removed and an unknown one are not found. */
export async function ownWebhook(
  ctx: AppContext,
  id: number,
  options: { isLocked?: boolean } = {},
): Promise<WebhookEndpointRow> {
  const webhook = await WebhookEndpoints.find(ctx, { id, publisherId: webhookOwner(ctx), removedAt: null }, options)
  if (!webhook) throw notFound('The webhook')
  return webhook
}
