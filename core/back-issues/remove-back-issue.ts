import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { useCase } from '../use-case.ts'
import { BackIssues } from './back-issues.rows.ts'
import { ownBackIssue } from './own-back-issue.ts'

/** Takes a back issue off sale and out of its list. Orders that contain it do not change. */
export const removeBackIssue = useCase({
  permission: 'back-issue:write',
  input: z.object({ id: z.coerce.number('Required').int() }),
  async run(ctx, { id }): Promise<{ id: number; volume: string }> {
    const { issue, publisherId } = await ownBackIssue(ctx, id)
    await BackIssues.update(ctx, { id }, { removedAt: ctx.now() })
    await recordAudit(ctx, 'remove-back-issue', { type: 'back-issue', id, publisherId })
    return { id, volume: issue.volume }
  },
})
