import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { isUniqueViolation } from '../database.ts'
import { conflict, invalid } from '../kernel/errors.ts'
import { CheckboxInput } from '../kernel/form-fields.ts'
import { recordVersion } from '../kernel/record-version.ts'
import { LayoutInput, LayoutName } from '../mailing/layout.input.ts'
import { layoutNamed, type StoredLayout } from '../mailing/layout-row.ts'
import { addLayout, changeLayout } from '../mailing/mailing-layouts.rows.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { hasPublicationRef, publicationOf, publicationRef } from '../publications/publication-ref.input.ts'
import { useCase } from '../use-case.ts'
import { Transfers } from './transfers.rows.ts'
import { refuseInUse, transfersUsing } from './transfers-using.ts'

/**
 * Creates a layout, or changes the layout that is named `was`, including its name. A shared one serves every publication of the publisher; names
 * must differ by more than case. Transfers follow a new name. With `version`, the version of the layout that was edited (`recordVersion`), it is
 * refused if another user has changed the layout since (compare-and-set).
 */
export const saveLayout = useCase({
  permission: 'mailing-layout:write',
  input: z
    .object({
      ...publicationRef,
      /** Its current name; left out for a new layout. */
      was: z.string().nullish(),
      version: z.string().optional(),
      name: LayoutName,
      isShared: CheckboxInput,
      layout: LayoutInput,
    })
    .refine(...hasPublicationRef),
  async run(ctx, input): Promise<StoredLayout> {
    const publication = await ownPublication(ctx, publicationOf(input))
    const current = input.was ? await layoutNamed(ctx, publication, input.was) : null
    if (current && current.id === null)
      throw invalid({ name: 'The built-in layout cannot be changed: save it under another name' })
    const values = {
      publicationId: input.isShared ? null : publication.id,
      name: input.name,
      nameKey: input.name.toLowerCase(),
      layout: input.layout,
    }
    const save = async (): Promise<number> => {
      if (!current || current.id === null) return addLayout(ctx, publication.publisherId, values)
      const { id, updatedAt } = current
      const seen = input.version && updatedAt ? { updatedAt } : {}
      if (isStale(current, input) || !(await changeLayout(ctx, { id, ...seen }, values)))
        throw conflict('Somebody has changed this layout since you opened it', {
          hint: 'Save again to replace their version with yours, or open the layout again to see theirs.',
        })
      await updateTransfers(ctx, publication, current.name, input)
      return id
    }
    const id = await save().catch((error: unknown) => {
      if (isUniqueViolation(error)) throw invalid({ name: 'There is already a layout with this name' })
      throw error
    })
    await recordAudit(
      ctx,
      'save-mailing-layout',
      { type: 'mailing-layout', id, publisherId: publication.publisherId },
      { publicationId: publication.id, isNew: current === null, columns: input.layout.columns.length },
    )
    return { id, name: input.name, isShared: input.isShared, layout: input.layout, updatedAt: ctx.now() }
  },
})

/** The transfers that use the layout follow its new name; a layout that they need is not taken from their publication. */
async function updateTransfers(
  ctx: AppContext,
  { id: publicationId, publisherId }: { id: number; publisherId: number },
  layout: string,
  { name, isShared }: Pick<StoredLayout, 'name' | 'isShared'>,
): Promise<void> {
  const transfers = await transfersUsing(ctx, { publisherId, layout })
  const elsewhere = transfers.filter((transfer) => transfer.publicationId !== publicationId)
  if (!isShared) refuseInUse(elsewhere, 'Keep it for all your publications, or choose another layout there first.')
  for (const { id } of transfers) await Transfers.update(ctx, { id }, { layout: name })
}

/** Whether the stored layout is neither the one that was edited nor the one to be saved. */
function isStale(
  current: StoredLayout,
  { version, name, isShared, layout }: Pick<StoredLayout, 'name' | 'isShared' | 'layout'> & { version?: string },
): boolean {
  if (!version || version === recordVersion(current)) return false
  const stored = { name: current.name, isShared: current.isShared, layout: current.layout }
  return !isDeepStrictEqual(stored, { name, isShared, layout })
}
