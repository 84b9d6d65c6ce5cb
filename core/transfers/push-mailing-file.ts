import { recordAudit } from '../audit/record-audit.ts'
import { AppError } from '../kernel/errors.ts'
import { type MailingFile, makeMailingFile } from '../mailing/make-mailing-file.ts'
import type { RemoteFolder } from '../ports/remote-files.ts'
import type { TaskHandler } from '../tasks/task.ts'
import { recordRunEnd, runOfTask } from './run-of-task.ts'
import { TransferFiles } from './transfer-runs.rows.ts'
import { sftpAccess } from './transfer-secret.ts'

/**
 * Creates the mailing file of the day on which the run was due, and uploads it by SFTP. Each of its files is written under a temporary name; they get
 * their final names once all are complete, so that no partial set is fetched. A retried run makes and sends all files again, replacing existing ones.
 */
export const pushMailingFileHandler: TaskHandler = {
  transactions: 'own',
  async open(ctx, run) {
    const { runId, dueOn, transfer } = await runOfTask(ctx, run.task)
    const { id: transferId, publicationId, publisherId, layout } = transfer
    const folder = await ctx.remoteFiles.openFolder(sftpAccess(ctx, transfer), transfer.folder, run.signal)
    return {
      async step() {
        // A missing folder is reported before a file is made.
        await folder.list()
        const mailing = await makeMailingFile(ctx, { publicationId, layout, on: dueOn })
        await send(folder, mailing, run.signal)
        const { files } = mailing.counts()
        const { included } = mailing.summary()
        await ctx.db.transaction(async () => {
          await run.checkpoint({ done: included, total: included })
          for (const { name, bytes, sha256, readers } of files)
            await TransferFiles.insert(ctx, {
              runId,
              transferId,
              name,
              bytes,
              sha256,
              readers,
              version: `${bytes}:`,
              state: 'sent',
              at: ctx.now(),
            })
          await recordAudit(
            ctx,
            'send-mailing-file',
            { type: 'transfer', id: transferId, publisherId },
            { files: files.length, included },
          )
        })
        return { isLast: true }
      },
      close: async () => folder.close(),
    }
  },
  finish: recordRunEnd,
}

async function send(folder: RemoteFolder, { files, fileChunks }: MailingFile, signal: AbortSignal): Promise<void> {
  const iterator = fileChunks[Symbol.asyncIterator]()
  let next = await iterator.next()
  async function* bytesOf(file: number): AsyncGenerator<Uint8Array> {
    while (!next.done && next.value.file === file) {
      signal.throwIfAborted()
      yield next.value.bytes
      next = await iterator.next()
    }
  }
  try {
    const written: number[] = []
    for (const [index, { name }] of files.entries()) written.push(await folder.write(name, bytesOf(index)))
    for (const [index, { name }] of files.entries()) {
      await folder.publish(name)
      if ((await folder.stat(name))?.bytes !== written[index])
        throw new AppError('upstream', `The upload of ${name} is incomplete`)
    }
  } catch (error) {
    for (const { name } of files) await folder.discard(name)
    throw error
  } finally {
    await iterator.return?.()
  }
}
