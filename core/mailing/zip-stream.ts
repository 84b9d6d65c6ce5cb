import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'
import { AppError } from '../kernel/errors.ts'

/** A piece of one of the files of a zip. Pieces of one file follow each other. */
export interface ZipPiece {
  name: string
  bytes: Buffer
}

interface Entry {
  name: Buffer
  crc: number
  /** As it is packed, and as it was. */
  packed: number
  bytes: number
  /** Where its header stands. */
  offset: number
}

const deflated = promisify(deflateRaw)
/** Sizes follow the data, names are UTF-8. */
const flags = 0x0808
const deflateMethod = 8
/** Version 2.0 of the format: deflate. */
const version = 20
/** An empty last block: ends a file whose pieces were each flushed to a whole byte. */
const lastBlock = Buffer.from([0x03, 0x00])
const mostBytes = 0xffffffff

/**
 * A zip of files that are still being made, as it goes: one piece of memory at a time, and no file is written down. Every piece is
 * packed by itself, which costs a few bytes in a thousand. Files of 4 GB and more are refused: the plain format cannot name their size.
 */
export async function* zipStream(pieces: AsyncIterable<ZipPiece>, at: Date): AsyncGenerator<Buffer> {
  const entries: Entry[] = []
  let offset = 0
  let open: Entry | undefined
  const time = dosTime(at)
  const told = (chunk: Buffer) => {
    offset += chunk.length
    if (offset > mostBytes) throw new AppError('tooLarge', 'The zip would be larger than 4 GB')
    return chunk
  }
  const end = (entry: Entry) => {
    entry.packed += lastBlock.length
    return told(
      Buffer.concat([
        lastBlock,
        record(0x08074b50, [
          [4, entry.crc],
          [4, entry.packed],
          [4, entry.bytes],
        ]),
      ]),
    )
  }
  for await (const { name, bytes } of pieces) {
    if (!open || open.name.toString() !== name) {
      if (open) yield end(open)
      open = { name: Buffer.from(name), crc: 0, packed: 0, bytes: 0, offset }
      entries.push(open)
      yield told(
        Buffer.concat([record(0x04034b50, [[2, version], ...facts(time), [2, open.name.length], [2, 0]]), open.name]),
      )
    }
    if (bytes.length === 0) continue
    const packed = await deflated(bytes, { finishFlush: constants.Z_SYNC_FLUSH })
    open.crc = crc32(bytes, open.crc)
    open.bytes += bytes.length
    open.packed += packed.length
    yield told(packed)
  }
  if (open) yield end(open)
  const start = offset
  for (const entry of entries) yield told(listed(entry, time))
  const count = entries.length
  yield told(
    record(0x06054b50, [
      [2, 0],
      [2, 0],
      [2, count],
      [2, count],
      [4, offset - start],
      [4, start],
      [2, 0],
    ]),
  )
}

type Field = readonly [size: 2 | 4, value: number]

/** What the header of a file and its line in the list of files have in common; the list has the sizes. */
function facts(
  time: number,
  { crc, packed, bytes }: Pick<Entry, 'crc' | 'packed' | 'bytes'> = { crc: 0, packed: 0, bytes: 0 },
): Field[] {
  return [
    [2, flags],
    [2, deflateMethod],
    [4, time],
    [4, crc],
    [4, packed],
    [4, bytes],
  ]
}

function listed(entry: Entry, time: number): Buffer {
  const { name, offset } = entry
  const none: Field[] = [
    [2, 0],
    [2, 0],
    [2, 0],
    [2, 0],
    [4, 0],
  ]
  const head: Field[] = [[2, version], [2, version], ...facts(time, entry), [2, name.length], ...none, [4, offset]]
  return Buffer.concat([record(0x02014b50, head), name])
}

function record(signature: number, fields: readonly Field[]): Buffer {
  const all: readonly Field[] = [[4, signature], ...fields]
  const buffer = Buffer.alloc(all.reduce((sum, [size]) => sum + size, 0))
  let at = 0
  for (const [size, value] of all) at = buffer.writeUIntLE(value, at, size)
  return buffer
}

/** Date and time as MS-DOS wrote them, in UTC, to two seconds. */
function dosTime(at: Date): number {
  const day = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  const clock = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  return day * 0x10000 + clock
}
