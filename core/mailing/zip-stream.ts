import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { ZipFile } from 'yazl'

/** A piece of one of the files of a zip. Pieces of one file follow each other. */
export interface ZipPiece {
  name: string
  bytes: Buffer
}

/**
 * A zip of files that are still being made, streamed: only a few pieces are in memory at a time, and no file is written
 * to disk. From 4 GB on it is a ZIP64; `forceZip64` makes it one from the start.
 */
export async function* zipStream(
  pieces: AsyncIterable<ZipPiece>,
  at: Date,
  { forceZip64 = false } = {},
): AsyncGenerator<Buffer> {
  const zip = new ZipFile()
  const output = zip.outputStream as PassThrough
  const options = { mtime: at, forceZip64Format: forceZip64 }
  let file: { name: string; content: PassThrough } | undefined

  async function fill(): Promise<void> {
    for await (const { name, bytes } of pieces) {
      if (file?.name !== name) {
        file?.content.end()
        file = { name, content: new PassThrough() }
        // An error without a listener would end the process; `once` below reports it to whoever waits.
        file.content.on('error', () => {})
        zip.addReadStream(file.content, name, options)
      }
      // Once the zip is no longer read, its files accept no data either.
      if (output.destroyed) return
      if (bytes.length > 0 && !file.content.write(bytes)) await once(file.content, 'drain')
    }
    file?.content.end()
    zip.end({ forceZip64Format: forceZip64, comment: '' })
  }

  const filled = fill().catch((error: Error) => {
    output.destroy(error)
  })
  try {
    yield* output
  } finally {
    // Closes the source of the pieces when the zip is aborted: it may hold a connection.
    output.destroy()
    file?.content.destroy(new Error('The zip is no longer read'))
    await filled
  }
}
