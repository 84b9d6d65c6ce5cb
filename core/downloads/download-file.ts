/** A file that is generated while it is sent. */
export interface DownloadFile {
  fileName: string
  /** Only where it is not CSV. */
  type?: string
  /** Only where it is not UTF-8. */
  charset?: string
  chunks: AsyncIterable<Buffer | string>
  /** How many rows have been made so far, and of how many where that is known yet. */
  rows?(): { sent: number; total: number | null }
}

export type DownloadState = 'running' | 'done' | 'failed' | 'cancelled'

/** The tokens that a page may choose for a download: a token only has to be the page's own. */
export const downloadToken = /^[\w-]{20,40}$/
