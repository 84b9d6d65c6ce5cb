import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { checkImages } from '../images/check-images.ts'
import { invalid } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { backIssueFields } from './back-issue.input.ts'
import { BackIssues } from './back-issues.rows.ts'

/** Adds a back issue to one of the acting publisher's publications that sell them. */
export const createBackIssue = useCase({
  permission: 'back-issue:write',
  input: z.object({
    publicationId: z.coerce.number('Required').int('Required').min(1, 'Required'),
    ...backIssueFields,
  }),
  async run(ctx, { publicationId, ...fields }): Promise<{ id: number }> {
    const publication = await ownPublication(ctx, { id: publicationId })
    if (!publication.sellsBackIssues) {
      throw invalid({
        publicationId: 'This publication does not sell back issues. Switch them on under Edit Details first.',
      })
    }
    await checkImages(ctx, publication.publisherId, fields)
    const id = await BackIssues.insert(ctx, { publicationId, ...fields })
    await recordAudit(
      ctx,
      'add-back-issue',
      { type: 'back-issue', id, publisherId: publication.publisherId },
      { publicationId },
    )
    return { id }
  },
})
