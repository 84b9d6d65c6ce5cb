import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { invalid } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { hasPublicationRef, publicationOf, publicationRef } from '../publications/publication-ref.input.ts'
import { useCase } from '../use-case.ts'
import { layoutNamed } from './layout-row.ts'
import { MailingLayouts } from './mailing-layouts.rows.ts'

/** Removes a layout. The records of past mailing files keep its name. */
export const removeLayout = useCase({
  permission: 'mailing-layout:write',
  input: z.object({ ...publicationRef, name: z.string().default('') }).refine(...hasPublicationRef),
  async run(ctx, input): Promise<{ name: string }> {
    const publication = await ownPublication(ctx, publicationOf(input))
    const { id, name } = await layoutNamed(ctx, publication, input.name)
    if (id === null) throw invalid({ name: 'The built-in layout cannot be removed' })
    await MailingLayouts.remove(ctx, { id })
    await recordAudit(
      ctx,
      'remove-mailing-layout',
      { type: 'mailing-layout', id, publisherId: publication.publisherId },
      { publicationId: publication.id },
    )
    return { name }
  },
})
