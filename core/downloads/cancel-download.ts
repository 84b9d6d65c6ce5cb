import { z } from 'zod'
import { useCase } from '../use-case.ts'
import { downloadToken } from './download-file.ts'
import { markCancelled } from './downloads.rows.ts'

/**
 * Cancels one of the actor's own downloads: whichever process sends it finds that out at its next note and breaks off, so that the browser
 * keeps nothing. One that has not begun yet will not. What was sent until then is in the activity log, as of every download.
 */
export const cancelDownload = useCase({
  permission: 'account:read',
  input: z.object({ token: z.string().regex(downloadToken, 'There is no such download') }),
  async run(ctx, { token }): Promise<void> {
    if (ctx.actor.kind !== 'staff') return
    await markCancelled(ctx, { token, userId: ctx.actor.userId })
  },
})
