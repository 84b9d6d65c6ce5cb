import type { AppContext } from '../context.ts'

interface IncomingFile {
  chunks: AsyncIterable<Uint8Array>
  /** The size announced by the sender; see `UploadFiles.save`. */
  announcedBytes?: number | undefined
}

/** Stores a file for a publisher, within what this installation allows. Throws as `UploadFiles.save` does. */
export function storeFile(
  { uploadFiles, settings }: Pick<AppContext, 'uploadFiles' | 'settings'>,
  publisherId: number,
  { chunks, announcedBytes }: IncomingFile,
): Promise<{ path: string; bytes: number }> {
  return uploadFiles.save(chunks, {
    publisherId,
    announcedBytes,
    limits: {
      fileBytes: settings.uploadMaxBytes,
      waitingFiles: settings.uploadWaitingFiles,
      waitingBytes: settings.uploadWaitingBytes,
      freeBytes: settings.uploadFreeBytes,
    },
  })
}
