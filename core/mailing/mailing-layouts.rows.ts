import type { AppContext } from '../context.ts'
import { defineTable, id, instant, json, nullable, type RowOf, ref, text } from '../table.ts'
import type { MailingLayout } from './layout.rules.ts'

export const MailingLayouts = defineTable('mailing_layouts', {
  id: id(),
  publisherId: ref(),
  /** Null: for every publication of the publisher. */
  publicationId: nullable(ref()),
  name: text(),
  /** Lower case: unique within a publisher. */
  nameKey: text(),
  layout: json<MailingLayout>(),
  createdAt: instant(),
  updatedAt: instant(),
})

type LayoutValues = Pick<RowOf<typeof MailingLayouts>, 'publicationId' | 'name' | 'nameKey' | 'layout'>

/** Adds a layout of a publisher; returns its id. */
export function addLayout(ctx: AppContext, publisherId: number, values: LayoutValues): Promise<number> {
  return MailingLayouts.insert(ctx, { publisherId, ...values })
}

/** Changes a layout; with `updatedAt` only if it was last changed then (compare-and-set). Returns whether it was changed. */
export async function changeLayout(
  ctx: AppContext,
  key: { id: number; updatedAt?: Date },
  values: LayoutValues,
): Promise<boolean> {
  return (await MailingLayouts.update(ctx, key, values)) > 0
}

export async function deleteLayout(ctx: AppContext, id: number): Promise<void> {
  await MailingLayouts.remove(ctx, { id })
}
