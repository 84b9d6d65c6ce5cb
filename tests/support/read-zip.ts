import { crc32, inflateRawSync } from 'node:zlib'

/** The files of a zip by name, each held against its checksum and size, read from the list at the zip's end as programs do. */
export function readZip(zip: Buffer): Map<string, Buffer> {
  const end = zip.length - 22
  if (zip.readUInt32LE(end) !== 0x06054b50) throw new Error('The zip does not end as zips do')
  const files = new Map<string, Buffer>()
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (zip.readUInt32LE(at) !== 0x02014b50) throw new Error(`No file is listed at ${at}`)
    const crc = zip.readUInt32LE(at + 16)
    const packed = zip.readUInt32LE(at + 20)
    const bytes = zip.readUInt32LE(at + 24)
    const nameLength = zip.readUInt16LE(at + 28)
    const offset = zip.readUInt32LE(at + 42)
    const name = zip.subarray(at + 46, at + 46 + nameLength)
    if (!zip.subarray(offset + 30, offset + 30 + nameLength).equals(name)) throw new Error(`${name} stands elsewhere`)
    const start = offset + 30 + nameLength
    const text = inflateRawSync(zip.subarray(start, start + packed))
    if (text.length !== bytes || crc32(text) !== crc) throw new Error(`${name} is damaged`)
    // What follows the data tells the same to those who read from the front.
    const after = [0x08074b50, crc, packed, bytes].map((_, index) => zip.readUInt32LE(start + packed + index * 4))
    if (after.join() !== [0x08074b50, crc, packed, bytes].join())
      throw new Error(`${name} ends otherwise than it is listed`)
    files.set(name.toString(), text)
    at += 46 + nameLength
  }
  if (at !== end) throw new Error('The list of files is longer than it says')
  return files
}
