import { UniqueConstraintError } from 'sequelize'
import { z } from 'zod'
import { recordAudit } from '../access/audit.ts'
import { invalid } from '../kernel/errors.ts'
import { Tick } from '../kernel/form-fields.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { namesPublication, publicationOf, whichPublication } from '../reader-files/which-publication.input.ts'
import { useCase } from '../use-case.ts'
import { LayoutInput, LayoutName } from './layout.input.ts'
import { layoutNamed, type StoredLayout } from './layout-row.ts'

/**
 * Makes a layout, or changes the one called `was` and perhaps its name. A shared one serves every publication of the publisher; names differ
 * by more than case.
 */
export const saveLayout = useCase({
  permission: 'mailing-layout:write',
  input: z
    .object({
      ...whichPublication,
      /** The name it has; a new layout without. */
      was: z.string().nullish(),
      name: LayoutName,
      isShared: Tick,
      layout: LayoutInput,
    })
    .refine(namesPublication, 'Name the publication'),
  async run(ctx, input): Promise<StoredLayout> {
    const publication = await ownPublication(ctx, publicationOf(input))
    const found = input.was ? await layoutNamed(ctx, publication, input.was) : null
    if (found && found.id === null)
      throw invalid({ name: 'The built-in layout cannot be changed: save it by another name' })
    const values = {
      publisherId: publication.publisherId,
      publicationId: input.isShared ? null : publication.id,
      name: input.name,
      key: input.name.toLowerCase(),
      layout: JSON.stringify(input.layout),
      now: ctx.now(),
    }
    const [row] = await ctx.db
      .query<{ id: number }>(
        found
          ? `UPDATE mailing_layouts SET publication_id = :publicationId, name = :name, name_key = :key, layout = :layout, updated_at = :now
             WHERE id = :id RETURNING id`
          : `INSERT INTO mailing_layouts (publisher_id, publication_id, name, name_key, layout, created_at, updated_at)
             VALUES (:publisherId, :publicationId, :name, :key, :layout, :now, :now) RETURNING id`,
        { ...values, id: found?.id ?? 0 },
      )
      .catch((error: unknown) => {
        if (error instanceof UniqueConstraintError) throw invalid({ name: 'There is a layout of this name already' })
        throw error
      })
    const id = Number(row?.id)
    await recordAudit(
      ctx,
      'save-mailing-layout',
      { type: 'mailing-layout', id, publisherId: publication.publisherId },
      { publicationId: publication.id, isNew: found === null, columns: input.layout.columns.length },
    )
    return { id, name: input.name, isShared: input.isShared, layout: input.layout, updatedAt: values.now }
  },
})
