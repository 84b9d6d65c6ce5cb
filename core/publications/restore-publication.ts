import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { notFound } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { tenantOf } from './own-publication.ts'
import { Publications } from './publications.rows.ts'
import { takeTitle } from './title-quota.ts'

/** Brings a removed publication back as it was, if the number of titles allows it. */
export const restorePublication = useCase({
  permission: 'publication:write',
  input: z.object({ id: z.coerce.number('Required').int() }),
  async run(ctx, { id }): Promise<{ id: number; publicationName: string; urlKey: string }> {
    const publication = await Publications.find(ctx, { id, ...tenantOf(ctx) })
    if (!publication) throw notFound('The publication')
    if (publication.removedAt !== null) {
      // A paused one comes back paused, and does not count towards the plan.
      if (publication.pausedAt === null) await takeTitle(ctx, publication.publisherId)
      await Publications.update(ctx, { id }, { removedAt: null })
      await recordAudit(ctx, 'restore-publication', { type: 'publication', id, publisherId: publication.publisherId })
    }
    return { id, publicationName: publication.publicationName, urlKey: publication.urlKey }
  },
})
