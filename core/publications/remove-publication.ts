import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { useCase } from '../use-case.ts'
import { ownPublication, refuseExample } from './own-publication.ts'
import { Publications } from './publications.rows.ts'

/** Removes a publication: its storefront closes and it leaves every list. Readers, orders and its handle stay, so it can come back. */
export const removePublication = useCase({
  permission: 'publication:write',
  input: z.object({ id: z.coerce.number('Required').int() }),
  async run(ctx, { id }): Promise<{ id: number; publicationName: string; urlKey: string }> {
    const publication = await ownPublication(ctx, { id })
    refuseExample(publication, 'is removed as a whole: use Remove example on its card under Publications')
    await Publications.update(ctx, { id }, { removedAt: ctx.now() })
    await recordAudit(ctx, 'remove-publication', { type: 'publication', id, publisherId: publication.publisherId })
    return { id, publicationName: publication.publicationName, urlKey: publication.urlKey }
  },
})
