import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { conflict, isAppError } from '../kernel/errors.ts'
import { makeMailingFile } from '../mailing/make-mailing-file.ts'
import { countAttempt } from '../rate-limits/rate-limit.ts'
import { useCase } from '../use-case.ts'
import { ownTransfer } from './own-transfer.ts'
import { sftpAccess } from './transfer-secret.ts'
import { openSource } from './transfer-source.ts'
import { type Transfer, Transfers } from './transfers.rows.ts'

/** The rate limit of server checks, so that they cannot be used to scan the internet. */
const perPublisher = { hits: 60, windowSeconds: 3600 }

export type TransferCheck =
  /** The server presents this host key, which is not confirmed. */
  | { kind: 'host-key'; hostKey: string }
  /** The files that would be fetched. */
  | { kind: 'files'; files: { name: string; bytes: number | null; isGrowing: boolean }[] }
  /** The number of readers in the file that would be uploaded. */
  | { kind: 'mailing-file'; readers: number }

/**
 * Connects to the server of a transfer as a run would, and returns what it would find. Nothing is fetched, uploaded or moved. By SFTP the host key
 * comes first: no log-in is tried until it is confirmed.
 */
export const checkTransfer = useCase({
  permission: 'transfer:write',
  input: z.object({ transferId: z.coerce.number().int() }),
  transaction: 'none',
  async run(ctx, { transferId }): Promise<TransferCheck> {
    const transfer = await ownTransfer(ctx, transferId)
    await countAttempt(ctx, `check-transfer:${transfer.publisherId}`, perPublisher)
    const { id, updatedAt, protocol, host, port, hostKey } = transfer
    if (protocol === 'sftp' && hostKey === null) {
      const seenHostKey = await ctx.remoteFiles.hostKeyOf({ host, port })
      if ((await Transfers.update(ctx, { id, updatedAt }, { seenHostKey, updatedAt })) === 0)
        throw conflict('Somebody has changed this transfer during the check', { hint: 'Check the connection again.' })
      return { kind: 'host-key', hostKey: seenHostKey }
    }
    try {
      return await inspectFolder(ctx, transfer)
    } catch (error) {
      const { hostKey: seenHostKey } = ((isAppError(error) && error.detail) ?? {}) as { hostKey?: string }
      if (seenHostKey) await Transfers.update(ctx, { id, updatedAt }, { seenHostKey, updatedAt })
      // The server's folder is missing, not the transfer.
      throw isAppError(error) && error.kind === 'notFound' ? conflict(error.message) : error
    }
  },
})

async function inspectFolder(ctx: AppContext, transfer: Transfer): Promise<TransferCheck> {
  if (transfer.kind === 'import') {
    const source = await openSource(ctx, transfer)
    source.close()
    const files = source.files.map(({ name, bytes, isGrowing }) => ({ name, bytes, isGrowing }))
    return { kind: 'files', files }
  }
  const folder = await ctx.remoteFiles.openFolder(sftpAccess(ctx, transfer), transfer.folder)
  try {
    await folder.list()
  } finally {
    folder.close()
  }
  const mailing = await makeMailingFile(ctx, {
    publicationId: transfer.publicationId,
    layout: transfer.layout,
    dryRun: true,
  })
  for await (const _ of mailing.fileChunks);
  return { kind: 'mailing-file', readers: mailing.summary().included }
}
