import type { AppContext } from '../context.ts'
import { type BasedOn, refuseOutdated } from '../kernel/based-on.ts'
import { day, defaulted, defineTable, flag, id, instant, integer, nullable, type RowOf, ref, text } from '../table.ts'
import type { QuarterMonth } from './vat-quarters.rules.ts'

/** A publisher's VAT settings; no row: nothing set yet. */
export const VatSettings = defineTable('vat_settings', {
  id: id(),
  publisherId: ref(),
  isRegistered: flag(),
  registeredFrom: nullable(day()),
  vatNumber: defaulted(text()),
  usesOss: defaulted(flag()),
  ossNumber: defaulted(text()),
  /** The print part of a bundle's price in basis points. */
  bundlePrint: nullable(integer()),
  quarterMonth: defaulted(integer<QuarterMonth>()),
  createdAt: instant(),
  updatedAt: instant(),
})

export type VatSettingsValues = Omit<RowOf<typeof VatSettings>, 'id' | 'publisherId' | 'createdAt' | 'updatedAt'>

/** Sets all values, unless the stored ones are no longer those that they are based on. Call it in a transaction. */
export async function storeVatSettings(
  ctx: AppContext,
  publisherId: number,
  values: VatSettingsValues,
  basedOn?: BasedOn,
): Promise<void> {
  const stored = await VatSettings.find(ctx, { publisherId }, { isLocked: true })
  refuseOutdated(basedOn, stored ?? {}, values)
  if (stored) await VatSettings.update(ctx, { publisherId }, values)
  // Another process may have inserted them since they were not found.
  else if (!(await VatSettings.insertNew(ctx, { publisherId, ...values })))
    await storeVatSettings(ctx, publisherId, values, basedOn)
}
