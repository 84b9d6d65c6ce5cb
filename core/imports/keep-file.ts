import type { AppContext } from '../context.ts'

interface Coming {
  chunks: AsyncIterable<Uint8Array>
  /** What its sender says; see `UploadFiles.keep`. */
  announcedBytes?: number | undefined
}

/** Takes a file in for a publisher, within what this installation allows. Throws as `UploadFiles.keep` does. */
export function keepFile(
  { uploadFiles, settings }: Pick<AppContext, 'uploadFiles' | 'settings'>,
  publisherId: number,
  { chunks, announcedBytes }: Coming,
): Promise<{ path: string; bytes: number }> {
  return uploadFiles.keep(chunks, {
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
