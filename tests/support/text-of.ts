/** The chunks of a file as one text. */
export async function textOf(chunks: AsyncIterable<Uint8Array | string>): Promise<string> {
  const pieces: Buffer[] = []
  for await (const chunk of chunks) pieces.push(Buffer.from(chunk))
  return Buffer.concat(pieces).toString()
}
