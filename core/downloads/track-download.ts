import type { AppContext } from '../context.ts'
import { AppError, problemPhrase, toAppError } from '../kernel/errors.ts'
import { english } from '../kernel/phrases.ts'
import type { RowOf } from '../table.ts'
import { type DownloadFile, downloadToken } from './download-file.ts'
import { Downloads, downloadLease, startDownload } from './downloads.rows.ts'

/** How often the progress is saved, in milliseconds. */
export const saveIntervalMs = 500
/** How often its lease is renewed, in milliseconds: a slow browser may take no chunk for minutes. */
const heartbeatMs = 2_000
/** How long a download's progress is kept, in milliseconds: no page asks about older ones. */
const retentionMs = 24 * 60 * 60 * 1000

/**
 * Saves the progress of a download, which its page polls. It is stored in the database, not in this process, because the next poll may reach
 * another web process. Saving it also finds out that the page has cancelled the download, which ends the file.
 */
export async function trackDownload(
  ctx: AppContext,
  token: string,
  make: () => Promise<DownloadFile>,
): Promise<DownloadFile> {
  const userId = ctx.actor.kind === 'staff' ? ctx.actor.userId : null
  if (userId === null || !downloadToken.test(token)) return make()
  const tracker = trackerOf(ctx, { token, userId })
  await tracker.begin()
  let file: DownloadFile
  try {
    file = await make()
  } catch (error) {
    await tracker.fail(error)
    throw error
  }
  return { ...file, chunks: tracked(ctx, file, tracker) }
}

async function* tracked(
  { now }: Pick<AppContext, 'now'>,
  file: DownloadFile,
  tracker: Tracker,
): AsyncGenerator<Buffer | string> {
  let bytes = 0
  let isSettled = false
  let savedAt = now().getTime()
  const progress = () => ({ bytes, ...(file.rows?.() ?? { sent: 0, total: null }), fileName: file.fileName })
  const save = async () => {
    savedAt = now().getTime()
    if (await tracker.progress(progress())) return
    throw new AppError('gone', 'The download was cancelled', { hint: 'Start it again from the page.' })
  }
  try {
    await save()
    for await (const chunk of file.chunks) {
      if (now().getTime() - savedAt >= saveIntervalMs) await save()
      bytes += Buffer.byteLength(chunk)
      yield chunk
    }
    await tracker.progress(progress())
    await tracker.end('done', null)
    isSettled = true
  } catch (error) {
    isSettled = true
    await tracker.fail(error)
    throw error
  } finally {
    if (!isSettled) await tracker.end('failed', 'The browser or the connection interrupted the download.')
  }
}

type Tracker = ReturnType<typeof trackerOf>

function trackerOf(ctx: AppContext, key: { token: string; userId: number }) {
  /** Changes a running download only, so that a cancelled one stays cancelled. False when it is no longer running. */
  const update = async (changes: Partial<RowOf<typeof Downloads>>) =>
    (await Downloads.update(ctx, { ...key, state: 'running' }, { leaseUntil: downloadLease(ctx), ...changes })) > 0
  /** A failure to save the progress is logged and does not end the download. */
  const logFailure = (work: Promise<boolean>) =>
    work.catch((error: unknown) => {
      ctx.log.warn({ error }, 'the progress of a download could not be saved')
      return true
    })
  let heartbeat: NodeJS.Timeout | undefined
  let lastHeartbeat: Promise<unknown> = Promise.resolve()
  const end = async (state: 'done' | 'failed', problem: string | null) => {
    clearInterval(heartbeat)
    // So that no query goes to a database that is being closed.
    await lastHeartbeat
    return logFailure(update({ state, problem: problem?.slice(0, 500) ?? null }))
  }
  return {
    async begin(): Promise<void> {
      const now = ctx.now()
      await logFailure(
        ctx.db.transaction(async () => {
          await startDownload(ctx, key, new Date(now.getTime() - retentionMs))
          return true
        }),
      )
      heartbeat = setInterval(() => {
        lastHeartbeat = logFailure(update({}))
      }, heartbeatMs)
      heartbeat.unref()
    },
    progress: (progress: { bytes: number; sent: number; total: number | null; fileName: string }) =>
      logFailure(
        update({
          fileName: progress.fileName.slice(0, 255),
          bytes: progress.bytes,
          rowsSent: progress.sent,
          rowsTotal: progress.total,
        }),
      ),
    end,
    fail(error: unknown) {
      const failure = toAppError(error)
      const message = english(problemPhrase(failure))
      return end('failed', failure.hint ? `${message}. ${failure.hint}` : message)
    },
  }
}
