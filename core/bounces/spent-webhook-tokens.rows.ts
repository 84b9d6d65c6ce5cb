import type { AppContext } from '../context.ts'
import { defineTable, id, instant, text } from '../table.ts'

/** One-time tokens of incoming webhooks, each with the message that it was used for. */
export const SpentWebhookTokens = defineTable('spent_webhook_tokens', {
  id: id(),
  token: text(),
  eventKey: text(),
  spentAt: instant(),
})

/** Marks a token as used; false if it was used for another message. A repeated message is not a replay: its sender did not receive our response. */
export async function spendToken(
  ctx: AppContext,
  { token, about }: { token: string; about: string },
): Promise<boolean> {
  const inserted = await SpentWebhookTokens.insertNew(ctx, { token, eventKey: about, spentAt: ctx.now() })
  return inserted !== null || (await SpentWebhookTokens.find(ctx, { token }))?.eventKey === about
}

/** Deletes tokens that are too old to be accepted. */
export function clearWebhookTokens({ db }: Pick<AppContext, 'db'>, before: Date): Promise<number> {
  return db.run(`DELETE FROM spent_webhook_tokens WHERE spent_at < :before`, { before })
}
