import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { conflict } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { startTask, type TaskRequest } from '../tasks/start-task.ts'
import { useCase } from '../use-case.ts'
import { type LikelySearchView, likelySearch } from './likely-search-row.ts'
import { LikelySearches } from './likely-searches.rows.ts'

/** Requests a search of a publication's readers for likely duplicates; the worker runs it. One at a time per publication. */
export const findLikelyDuplicates = useCase({
  permission: 'reader:import',
  input: z.object({ publicationId: z.coerce.number('Required').int() }),
  async run(ctx, { publicationId }): Promise<LikelySearchView> {
    const publication = await ownPublication(ctx, { id: publicationId })
    const { subjectId } = await beginSearch(ctx, publication, (taskRequest) =>
      startTask(ctx, 'find-likely', taskRequest),
    )
    return likelySearch(ctx, Number(subjectId))
  },
})

/** Adds the row of a search and its task, in the running transaction; refused while another search waits or runs. */
export async function beginSearch<Started>(
  ctx: AppContext,
  publication: { id: number; publisherId: number },
  start: (taskRequest: TaskRequest) => Promise<Started>,
): Promise<Started> {
  const subjectId = await LikelySearches.insert(ctx, { publicationId: publication.id })
  const started = await start({
    publication,
    subjectId,
    lockKey: `likely:${publication.id}`,
    busy: () =>
      conflict('A search for likely duplicates of this publication is running', {
        hint: 'Wait until it has finished, or stop it.',
      }),
  })
  const subject = { type: 'publication', id: publication.id, publisherId: publication.publisherId }
  await recordAudit(ctx, 'find-likely', subject)
  return started
}
