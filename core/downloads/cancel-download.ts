import { z } from 'zod'
import { useCase } from '../use-case.ts'
import { downloadToken } from './download-file.ts'
import { markCancelled } from './downloads.rows.ts'

/**
 * Cancels one of the actor's own downloads: the process that sends it finds out when it next saves its progress and aborts, so that the browser keeps
 * nothing. A download that has not begun yet will not begin. The part sent until then is in the activity log, as for every download.
 */
export const cancelDownload = useCase({
  permission: 'account:read',
  input: z.object({ token: z.string().regex(downloadToken, 'There is no such download') }),
  async run(ctx, { token }): Promise<void> {
    if (ctx.actor.kind !== 'staff') return
    await markCancelled(ctx, { token, userId: ctx.actor.userId })
  },
})
