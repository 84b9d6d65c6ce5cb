import type { AppContext } from '../context.ts'
import { type BasedOn, refuseOutdated } from '../kernel/based-on.ts'
import { defineTable, id, instant, integer, json, ref } from '../table.ts'
import { defaultRenewalSettings, type RenewalSettings } from './dunning.rules.ts'

/** When publications retry declined renewals, and how long they wait for a payment. A publication without a row has the defaults. */
export const RenewalSettingsRows = defineTable('renewal_settings', {
  id: id(),
  publicationId: ref(),
  graceDays: integer(),
  retryDays: json<number[]>(),
  createdAt: instant(),
  updatedAt: instant(),
})

/** The settings of a publication, or the defaults if it has none (`isSet` is false). */
export async function renewalSettingsOf(
  ctx: Pick<AppContext, 'db'>,
  publicationId: number,
): Promise<RenewalSettings & { isSet: boolean }> {
  const settings = await RenewalSettingsRows.find(ctx, { publicationId })
  if (!settings) return { ...defaultRenewalSettings, isSet: false }
  return { graceDays: settings.graceDays, retryDays: settings.retryDays, isSet: true }
}

/** Stores all settings of a publication, unless they are no longer those that the new ones are based on. Call it in a transaction. */
export async function storeRenewalSettings(
  ctx: AppContext,
  publicationId: number,
  { graceDays, retryDays }: RenewalSettings,
  basedOn?: BasedOn,
): Promise<void> {
  const settings = { graceDays, retryDays: [...retryDays] }
  const stored = await RenewalSettingsRows.find(ctx, { publicationId }, { isLocked: true })
  refuseOutdated(basedOn, stored ?? defaultRenewalSettings, settings)
  if (stored) await RenewalSettingsRows.update(ctx, { publicationId }, settings)
  // Another process may have inserted them since they were not found.
  else if (!(await RenewalSettingsRows.insertNew(ctx, { publicationId, ...settings })))
    await storeRenewalSettings(ctx, publicationId, settings, basedOn)
}

/** Resets a publication to the defaults; false if it had no settings of its own. */
export async function deleteRenewalSettings(ctx: AppContext, publicationId: number): Promise<boolean> {
  return (await RenewalSettingsRows.remove(ctx, { publicationId })) > 0
}
