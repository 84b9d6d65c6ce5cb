/** Passes chunks on and keeps count of their bytes, for progress and receipts. */
export async function* counted<Chunk extends string | Buffer>(
  chunks: AsyncIterable<Chunk>,
  count: { bytes: number },
  onChunk: () => void,
): AsyncGenerator<Chunk> {
  for await (const chunk of chunks) {
    count.bytes += Buffer.byteLength(chunk)
    onChunk()
    yield chunk
  }
}
