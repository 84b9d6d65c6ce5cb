/** A file that is generated while it is sent. */
export interface DownloadFile {
  fileName: string
  /** Only where it is not CSV. */
  type?: string
  /** Only where it is not UTF-8. */
  charset?: string
  chunks: AsyncIterable<Buffer | string>
  /** How many rows have been sent so far, and the total once it is known. */
  rows?(): { sent: number; total: number | null }
}

/** The chunks of a file that is made as one text. */
export async function* textChunks(text: string): AsyncGenerator<string> {
  yield text
}

export type DownloadState = 'running' | 'done' | 'failed' | 'cancelled'

/** The tokens that a page may choose for a download: a token only has to be unique to the page. */
export const downloadToken = /^[\w-]{20,40}$/
