import type { AppContext } from '../context.ts'
import { defineTable, id, instant, integer, json, ref } from '../table.ts'
import { defaultRenewalSettings, type RenewalSettings } from './dunning.rules.ts'

/** When publications retry declined renewals, and how long they wait for a payment; a publication without a row has set nothing. */
export const RenewalSettingsRows = defineTable('renewal_settings', {
  id: id(),
  publicationId: ref(),
  graceDays: integer(),
  retryDays: json<number[]>(),
  createdAt: instant(),
  updatedAt: instant(),
})

/** What a publication has set, or the product's defaults; `isSet` tells which. */
export async function renewalSettingsOf(
  ctx: Pick<AppContext, 'db'>,
  publicationId: number,
): Promise<RenewalSettings & { isSet: boolean }> {
  const found = await RenewalSettingsRows.find(ctx, { publicationId })
  if (!found) return { ...defaultRenewalSettings, isSet: false }
  return { graceDays: found.graceDays, retryDays: found.retryDays, isSet: true }
}

/** Stores all settings of a publication. Call it in a transaction. */
export async function storeRenewalSettings(
  ctx: AppContext,
  publicationId: number,
  { graceDays, retryDays }: RenewalSettings,
): Promise<void> {
  const settings = { graceDays, retryDays: [...retryDays] }
  if (await RenewalSettingsRows.insertNew(ctx, { publicationId, ...settings })) return
  await RenewalSettingsRows.update(ctx, { publicationId }, settings)
}

/** Resets a publication to the product's defaults; false where it had set nothing. */
export async function deleteRenewalSettings(ctx: AppContext, publicationId: number): Promise<boolean> {
  return (await RenewalSettingsRows.remove(ctx, { publicationId })) > 0
}
