import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { notFound } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { checkHandle } from './check-handle.query.ts'
import { Publications } from './publications.rows.ts'

/**
 * Gives a publication another handle. Links to the old one break, so publishers cannot; the operator may, if the old
 * one has become an address of the product.
 */
export const renamePublication = useCase({
  permission: 'machine:operate',
  input: z.object({ urlKey: z.string('Required').trim().min(1, 'Required'), newUrlKey: z.string('Required').trim() }),
  async run(ctx, { urlKey, newUrlKey }): Promise<{ id: number; urlKey: string; was: string }> {
    const publication = await Publications.find(ctx, { urlKeyLower: urlKey.toLowerCase() })
    if (!publication) throw notFound(`The publication ${urlKey}`)
    await checkHandle(ctx, { urlKey: newUrlKey })
    const { id, publisherId } = publication
    await Publications.update(ctx, { id }, { urlKey: newUrlKey, urlKeyLower: newUrlKey.toLowerCase() })
    await recordAudit(ctx, 'rename-publication', { type: 'publication', id, publisherId }, { was: publication.urlKey })
    return { id, urlKey: newUrlKey, was: publication.urlKey }
  },
})
