import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { conflict } from '../kernel/errors.ts'
import { isLeaseLost } from '../tasks/lease.ts'
import { useCase } from '../use-case.ts'
import { getUpload } from './get-upload.query.ts'
import { ownUpload } from './upload-row.ts'
import type { UploadView } from './upload-view.ts'

const pauseMs = 500

/**
 * Waits until an import has ended or was interrupted, and returns how it ended. Throws `conflict` for an upload that waits for a user: it would
 * never end on its own. An abort of the signal ends only the waiting.
 */
export const waitForImport = useCase({
  permission: 'reader:import',
  input: z.object({
    uploadId: z.coerce.number().int(),
    onProgress: z.custom<(progress: UploadView['progress']) => void>((value) => typeof value === 'function').optional(),
    signal: z.custom<AbortSignal>((value) => value instanceof AbortSignal).optional(),
  }),
  transaction: 'none',
  async run(ctx, { uploadId, onProgress, signal }): Promise<UploadView> {
    for (;;) {
      const view = await getUpload(ctx, { uploadId })
      if (view.state === 'stored' || view.state === 'checked')
        throw conflict(`Import ${uploadId} is waiting to be confirmed`, {
          hint: `Confirm it in the browser, or end it: subscriptions imports cancel ${uploadId}`,
        })
      const isUnderWay = view.state === 'checking' || view.state === 'waiting' || view.state === 'running'
      if (!isUnderWay) return view
      // No worker takes over a task of a command line whose process is gone: its end would never be recorded.
      const { import: task } = await ownUpload(ctx, uploadId)
      if (task?.onLost === 'interrupt' && isLeaseLost(ctx, task)) return { ...view, state: 'interrupted' }
      onProgress?.(view.progress)
      await setTimeout(pauseMs, undefined, { signal })
    }
  },
})
