/** A file that is made while it is sent. */
export interface DownloadFile {
  fileName: string
  /** Where it is no CSV. */
  type?: string
  /** Where it is not UTF-8. */
  charset?: string
  chunks: AsyncIterable<Buffer | string>
  /** How many rows have been made so far, and of how many where that is known yet. */
  rows?(): { sent: number; total: number | null }
}

export type DownloadState = 'running' | 'done' | 'failed' | 'cancelled'

/** What a page may choose as a download's token: it only has to be its own. */
export const downloadToken = /^[\w-]{20,40}$/
