/** Passes chunks on and keeps count of bytes and line ends, for progress and receipts. */
export async function* counted<Chunk extends string | Buffer>(
  chunks: AsyncIterable<Chunk>,
  count: { bytes: number; lines: number },
  onChunk: () => void = () => {},
): AsyncGenerator<Chunk> {
  for await (const chunk of chunks) {
    const bytes: Buffer = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    count.bytes += bytes.length
    for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) count.lines++
    onChunk()
    yield chunk
  }
}
