import type { AppContext } from '../context.ts'
import { defineTable, id, instant, integer, json, ref } from '../table.ts'
import { type RenewalSettings, shippedRenewalSettings } from './dunning.rules.ts'

/** How publications try again and how long they wait; one without a row has said nothing. */
export const RenewalSettingsRows = defineTable('renewal_settings', {
  id: id(),
  publicationId: ref(),
  graceDays: integer(),
  retryDays: json<number[]>(),
  createdAt: instant(),
  updatedAt: instant(),
})

/** What a publication has set, or what the product is shipped with. */
export async function renewalSettingsOf(ctx: Pick<AppContext, 'db'>, publicationId: number): Promise<RenewalSettings> {
  const found = await RenewalSettingsRows.find(ctx, { publicationId })
  return found ? { graceDays: found.graceDays, retryDays: found.retryDays } : shippedRenewalSettings
}
