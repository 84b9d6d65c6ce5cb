import { crc32, inflateRawSync } from 'node:zlib'

/** The files of a zip by name, each verified by its checksum and size, read from the central directory as programs do. */
export function readZip(zip: Buffer): Map<string, Buffer> {
  const directory = directoryOf(zip)
  const files = new Map<string, Buffer>()
  let at = directory.start
  for (let remaining = directory.count; remaining > 0; remaining--) {
    if (zip.readUInt32LE(at) !== 0x02014b50) throw new Error(`No file is listed at ${at}`)
    const crc = zip.readUInt32LE(at + 16)
    const nameLength = zip.readUInt16LE(at + 28)
    const extraLength = zip.readUInt16LE(at + 30)
    const commentLength = zip.readUInt16LE(at + 32)
    const nameEnd = at + 46 + nameLength
    const name = zip.subarray(at + 46, nameEnd)
    const extra = zip.subarray(nameEnd, nameEnd + extraLength)
    const [bytes, packed, offset] = sizesOf(zip, at, extra)
    const headerName = zip.subarray(offset + 30, offset + 30 + zip.readUInt16LE(offset + 26))
    if (!headerName.equals(name)) throw new Error(`${name} is at another offset`)
    const start = offset + 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28)
    const text = inflateRawSync(zip.subarray(start, start + packed))
    if (text.length !== bytes || crc32(text) !== crc) throw new Error(`${name} is damaged`)
    files.set(name.toString(), text)
    at = nameEnd + extra.length + commentLength
  }
  if (at !== directory.end) throw new Error('The central directory is longer than its stated size')
  return files
}

/** The position of the central directory. A zip with numbers that the plain format cannot hold (all bits set) has a second, wider end record. */
function directoryOf(zip: Buffer): { start: number; end: number; count: number } {
  const end = zip.length - 22
  if (zip.readUInt32LE(end) !== 0x06054b50) throw new Error('The zip has no end of central directory record')
  if (zip.readUInt32LE(end + 16) !== 0xffffffff)
    return { start: zip.readUInt32LE(end + 16), end, count: zip.readUInt16LE(end + 10) }
  const locator = end - 20
  if (zip.readUInt32LE(locator) !== 0x07064b50) throw new Error('The ZIP64 has no locator')
  const record = Number(zip.readBigUInt64LE(locator + 8))
  if (zip.readUInt32LE(record) !== 0x06064b50) throw new Error('The ZIP64 has no end record')
  const start = Number(zip.readBigUInt64LE(record + 48))
  return { start, end: record, count: Number(zip.readBigUInt64LE(record + 32)) }
}

/** A file's size, its compressed size and its offset: for ZIP64 they are in the extra field 1, in this order. */
function sizesOf(zip: Buffer, at: number, extra: Buffer): [bytes: number, packed: number, offset: number] {
  const plain = [24, 20, 42].map((position) => zip.readUInt32LE(at + position))
  let zip64Values: Buffer = Buffer.alloc(0)
  for (let field = 0; field < extra.length; field += 4 + extra.readUInt16LE(field + 2)) {
    if (extra.readUInt16LE(field) === 1)
      zip64Values = extra.subarray(field + 4, field + 4 + extra.readUInt16LE(field + 2))
  }
  const sizes = plain.map((size) => {
    if (size !== 0xffffffff) return size
    const value = Number(zip64Values.readBigUInt64LE(0))
    zip64Values = zip64Values.subarray(8)
    return value
  })
  return sizes as [number, number, number]
}
