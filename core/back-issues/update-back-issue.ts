import { z } from 'zod'
import { recordAudit } from '../access/audit.ts'
import { checkPictures } from '../images/own-image.ts'
import { useCase } from '../use-case.ts'
import { backIssueFields } from './back-issue.input.ts'
import { ownBackIssue } from './own-back-issue.ts'

/** Changes a back issue of the acting publisher. It stays with its publication; orders keep the price they were placed at. */
export const updateBackIssue = useCase({
  permission: 'back-issue:write',
  input: z.object({ id: z.coerce.number('Required').int(), ...backIssueFields }),
  async run(ctx, { id, ...fields }): Promise<{ id: number }> {
    const { issue, publisherId } = await ownBackIssue(ctx, id)
    await checkPictures(ctx, publisherId, fields, issue)
    issue.set(fields)
    const changed = issue.changed() || []
    await issue.save()
    await recordAudit(ctx, 'update-back-issue', { type: 'back-issue', id, publisherId }, { fields: changed })
    return { id }
  },
})
