import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { invalid } from '../kernel/errors.ts'
import { layoutNamed } from '../mailing/layout-row.ts'
import { deleteLayout } from '../mailing/mailing-layouts.rows.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { hasPublicationRef, publicationOf, publicationRef } from '../publications/publication-ref.input.ts'
import { useCase } from '../use-case.ts'
import { refuseInUse, transfersUsing } from './transfers-using.ts'

/** Removes a layout that no transfer uses. The records of past mailing files keep its name. */
export const removeLayout = useCase({
  permission: 'mailing-layout:write',
  input: z.object({ ...publicationRef, name: z.string().default('') }).refine(...hasPublicationRef),
  async run(ctx, input): Promise<{ name: string }> {
    const publication = await ownPublication(ctx, publicationOf(input))
    const { id, name } = await layoutNamed(ctx, publication, input.name)
    if (id === null) throw invalid({ name: 'The built-in layout cannot be removed' })
    const { publisherId } = publication
    refuseInUse(await transfersUsing(ctx, { publisherId, layout: name }), 'Choose another layout for it first.')
    await deleteLayout(ctx, id)
    await recordAudit(
      ctx,
      'remove-mailing-layout',
      { type: 'mailing-layout', id, publisherId },
      { publicationId: publication.id },
    )
    return { name }
  },
})
