import type { AppContext } from '../context.ts'
import { AppError } from '../kernel/errors.ts'
import { isUploadHeld } from './claim-upload.ts'
import { ownUpload } from './upload-row.ts'

/**
 * Throws `unavailable` while another process imports or undoes an upload, so that its job looks again later: a job may come twice, the
 * command line may have taken the work up, and a process that was killed holds its lease until it runs out.
 */
export async function refuseWhileHeld(ctx: AppContext, uploadId: number): Promise<void> {
  const upload = await ownUpload(ctx, uploadId)
  if ((upload.state === 'running' || upload.state === 'undoing') && isUploadHeld(ctx, upload))
    throw new AppError('unavailable', 'Another process is working on this upload')
}
