import { z } from 'zod'
import { actingPublisherId } from '../access/actor.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { conflict, denied } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { firstRun } from './first-run.query.ts'
import { FirstRuns, recordFirstRun } from './first-runs.rows.ts'

/**
 * The user's own input on the first run: `shared` marks that step, `hide` and `show` hide and show the list, `finish` marks its last line as read.
 */
export const changeFirstRun = useCase({
  permission: 'first-run:write',
  input: z.object({ change: z.enum(['shared', 'hide', 'show', 'finish'], 'Choose what to do') }),
  async run(ctx, { change }): Promise<void> {
    const publisherId = actingPublisherId(ctx.actor)
    if (publisherId === null) throw denied()
    const { state, storefront } = await firstRun(ctx, {})
    if (change === 'shared' && !storefront)
      throw conflict('There is no storefront to share yet', { hint: 'Add your title first.' })
    if (change === 'finish' && state !== 'done' && state !== 'over')
      throw conflict('Some first steps are still open', { hint: 'Hide the list instead: it can be shown again.' })
    if (change === 'shared') await recordFirstRun(ctx, publisherId, 'shared_at')
    if (change === 'hide') await recordFirstRun(ctx, publisherId, 'hidden_at')
    if (change === 'finish') await recordFirstRun(ctx, publisherId, 'finished_at')
    if (change === 'show') await FirstRuns.update(ctx, { publisherId }, { hiddenAt: null })
    await recordAudit(ctx, 'change-first-run', { type: 'publisher', id: publisherId, publisherId }, { change })
  },
})

/** Records that the acting publisher has looked at the preview of a title of their own. */
export const recordPreview = useCase({
  permission: 'publication:read',
  input: z.object({ publicationId: z.coerce.number('Required').int() }),
  async run(ctx, { publicationId }): Promise<void> {
    const { publisherId, isExample, createdAt } = await ownPublication(ctx, { id: publicationId })
    if (isExample) return
    const existing = await FirstRuns.find(ctx, { publisherId })
    if (!existing?.previewedAt || existing.previewedAt < createdAt)
      await recordFirstRun(ctx, publisherId, 'previewed_at')
  },
})
