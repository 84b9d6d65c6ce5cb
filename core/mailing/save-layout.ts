import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { isUniqueViolation } from '../database.ts'
import { invalid } from '../kernel/errors.ts'
import { CheckboxInput } from '../kernel/form-fields.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { hasPublicationRef, publicationOf, publicationRef } from '../publications/publication-ref.input.ts'
import { useCase } from '../use-case.ts'
import { LayoutInput, LayoutName } from './layout.input.ts'
import { layoutNamed, type StoredLayout } from './layout-row.ts'
import { MailingLayouts } from './mailing-layouts.rows.ts'

/**
 * Creates a layout, or changes the layout that is named `was`, including its name. A shared one serves every publication of the publisher; names
 * must differ by more than case.
 */
export const saveLayout = useCase({
  permission: 'mailing-layout:write',
  input: z
    .object({
      ...publicationRef,
      /** Its current name; left out for a new layout. */
      was: z.string().nullish(),
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
      const currentId = current?.id ?? null
      if (currentId === null) return MailingLayouts.insert(ctx, { publisherId: publication.publisherId, ...values })
      await MailingLayouts.update(ctx, { id: currentId }, values)
      return currentId
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
