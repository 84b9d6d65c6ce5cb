import type { AppContext } from '../context.ts'
import { AppError, toAppError } from '../kernel/errors.ts'
import type { RowOf } from '../table.ts'
import { type DownloadFile, downloadToken } from './download-file.ts'
import { Downloads, startDownload } from './downloads.rows.ts'

/** How often the page is told how far the file is, in milliseconds. */
const noteEvery = 500
/** Downloads of earlier days are of no interest to any page. */
const keepFor = 24 * 60 * 60 * 1000

/**
 * A download whose page wants to know how far it is. The progress stands in the database, not in this process: the page's next question may
 * reach another process of the web. Writing it down is also how a cancel from the page comes back here and ends the file.
 */
export async function trackDownload(
  ctx: AppContext,
  token: string,
  make: () => Promise<DownloadFile>,
): Promise<DownloadFile> {
  const userId = ctx.actor.kind === 'staff' ? ctx.actor.userId : null
  if (userId === null || !downloadToken.test(token)) return make()
  const note = notesOf(ctx, { token, userId })
  await note.begin()
  let file: DownloadFile
  try {
    file = await make()
  } catch (error) {
    await note.fail(error)
    throw error
  }
  return { ...file, chunks: noted(file, note) }
}

async function* noted(file: DownloadFile, note: Notes): AsyncGenerator<Buffer | string> {
  let bytes = 0
  let isSettled = false
  let lastNote = performance.now()
  const howFar = () => ({ bytes, ...(file.rows?.() ?? { sent: 0, total: null }), fileName: file.fileName })
  const tell = async () => {
    lastNote = performance.now()
    if (await note.progress(howFar())) return
    throw new AppError('gone', 'The download was cancelled', { hint: 'Start it again from the page.' })
  }
  try {
    await tell()
    for await (const chunk of file.chunks) {
      if (performance.now() - lastNote > noteEvery) await tell()
      bytes += Buffer.byteLength(chunk)
      yield chunk
    }
    await note.progress(howFar())
    await note.end('done', null)
    isSettled = true
  } catch (error) {
    isSettled = true
    await note.fail(error)
    throw error
  } finally {
    if (!isSettled) await note.end('failed', 'The browser or the connection interrupted the download.')
  }
}

type Notes = ReturnType<typeof notesOf>

function notesOf(ctx: AppContext, which: { token: string; userId: number }) {
  /** Only what is running changes: a cancelled one stays cancelled. False when it is not running any more. */
  const update = async (changes: Partial<RowOf<typeof Downloads>>) =>
    (await Downloads.update(ctx, { ...which, state: 'running' }, changes)) > 0
  /** The file is what matters: a note that cannot be written is logged and breaks nothing off. */
  const calmly = (work: Promise<boolean>) =>
    work.catch((error: unknown) => {
      ctx.log.warn({ error }, 'the progress of a download could not be saved')
      return true
    })
  const end = (state: 'done' | 'failed', problem: string | null) =>
    calmly(update({ state, problem: problem?.slice(0, 500) ?? null }))
  return {
    async begin(): Promise<void> {
      const now = ctx.now()
      await calmly(
        ctx.db.transaction(async () => {
          await startDownload(ctx, which, new Date(now.getTime() - keepFor))
          return true
        }),
      )
    },
    progress: (far: { bytes: number; sent: number; total: number | null; fileName: string }) =>
      calmly(
        update({
          fileName: far.fileName.slice(0, 255),
          bytes: far.bytes,
          rowsSent: far.sent,
          rowsTotal: far.total,
        }),
      ),
    end,
    fail(error: unknown) {
      const { message, hint } = toAppError(error)
      return end('failed', hint ? `${message}. ${hint}` : message)
    },
  }
}
