import { setTimeout } from 'node:timers/promises'
import type { AppContext } from '../context.ts'
import { isAppError } from '../kernel/errors.ts'
import type { FetchedFile, RemoteFile } from '../ports/remote-files.ts'
import { matchesPattern } from './file-pattern.rules.ts'
import { lastFetched, wasProcessedInPlace } from './transfer-runs.rows.ts'
import { secretOf, sftpAccess } from './transfer-secret.ts'
import type { Transfer } from './transfers.rows.ts'

/** The folder that imported files are moved to. */
const doneFolder = 'done'

/** A file that may be imported. */
export interface SourceFile {
  name: string
  /** The size that its server reports; null if it reports none. */
  bytes: number | null
  version: string
  /** It has changed while it was observed: it is still being written. */
  isGrowing: boolean
}

export interface TransferSource {
  /** Sorted by name, without those that were processed and could not be moved. */
  files: SourceFile[]
  read(file: SourceFile): AsyncIterable<Uint8Array>
  /** Whether a file, once read, is still the version that was listed. */
  isWhole(file: SourceFile, bytes: number): Promise<boolean>
  /** Moves a processed file away; false if that failed, usually because the server does not allow it. */
  moveAway(file: SourceFile): Promise<boolean>
  close(): void
}

const versionOf = ({ bytes, modifiedAt }: RemoteFile) => `${bytes}:${modifiedAt.getTime()}`

/** Opens the source that a transfer fetches from, and lists its files. */
export function openSource(ctx: AppContext, transfer: Transfer, signal?: AbortSignal): Promise<TransferSource> {
  return transfer.protocol === 'sftp' ? openSftp(ctx, transfer, signal) : openHttps(ctx, transfer, signal)
}

async function openSftp(ctx: AppContext, transfer: Transfer, signal?: AbortSignal): Promise<TransferSource> {
  const { remoteFiles } = ctx
  const folder = await remoteFiles.openFolder(sftpAccess(ctx, transfer), transfer.folder, signal)
  try {
    const matching = async () => (await folder.list()).filter(({ name }) => matchesPattern(name, transfer.filePattern))
    const files: SourceFile[] = []
    for (const file of await matching()) {
      const version = versionOf(file)
      if (await wasProcessedInPlace(ctx, transfer.id, { name: file.name, version })) continue
      files.push({ name: file.name, bytes: file.bytes, version, isGrowing: false })
    }
    if (files.length > 0) {
      await setTimeout(remoteFiles.stableMs, undefined, { ...(signal && { signal }) })
      const later = new Map((await matching()).map((file) => [file.name, versionOf(file)]))
      for (const file of files) file.isGrowing = later.get(file.name) !== file.version
    }
    files.sort((a, b) => (a.name < b.name ? -1 : 1))
    return {
      files,
      read: ({ name }) => folder.read(name),
      async isWhole({ name, version }, bytes) {
        const current = await folder.stat(name)
        return current !== null && versionOf(current) === version && current.bytes === bytes
      },
      async moveAway({ name }) {
        try {
          await folder.moveInto(name, doneFolder)
          return true
        } catch (error) {
          // It is normal that a server does not allow this; any other failure, such as a lost connection, is logged as a warning.
          if (isAppError(error) && (error.kind === 'conflict' || error.kind === 'notFound')) return false
          ctx.log.warn({ error, transfer: transfer.id }, 'a file that was imported could not be moved away')
          return false
        }
      },
      close: () => folder.close(),
    }
  } catch (error) {
    folder.close()
    throw error
  }
}

async function openHttps(ctx: AppContext, transfer: Transfer, signal?: AbortSignal): Promise<TransferSource> {
  const { url, headerName } = transfer
  const { headerValue = '' } = secretOf(ctx, transfer)
  const header = headerName === '' ? null : { name: headerName, value: headerValue }
  const lastVersion = (await lastFetched(ctx, transfer.id))?.version ?? null
  const fetched: FetchedFile | null = await ctx.remoteFiles.fetch({ url, header, version: lastVersion }, signal)
  const chunks = fetched?.chunks[Symbol.asyncIterator]()
  let isRead = false
  const file = fetched && {
    name: fetched.name.slice(-255),
    bytes: fetched.bytes,
    version: fetched.version ?? '',
    isGrowing: false,
  }
  return {
    files: file && !(file.version !== '' && file.version === lastVersion) ? [file] : [],
    read() {
      isRead = true
      return { [Symbol.asyncIterator]: () => chunks as AsyncIterator<Uint8Array> }
    },
    // HTTP itself detects a truncated body.
    isWhole: async () => true,
    moveAway: async () => false,
    close() {
      // An unread body keeps its connection open.
      if (!isRead)
        void Promise.resolve(chunks?.next())
          .then(() => chunks?.return?.())
          .catch(() => {})
    },
  }
}
