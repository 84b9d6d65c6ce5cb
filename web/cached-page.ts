import { constants, crc32, deflateRawSync } from 'node:zlib'

/** The parts of a page that differ per visit. Each has a constant length. */
export interface Visit {
  nonce: string
  formKey: string
}

/** A rendered page that can be sent again with another visit's nonce and form key. */
export interface CachedPage {
  bytes: number
  plain(visit: Visit): Buffer
  gzipped(visit: Visit): Buffer
}

/** Splits a page rendered for the visit `rendered` at the parts that differ per visit. */
export function cachedPage(html: string, rendered: Visit): CachedPage {
  const slots: (keyof Visit)[] = []
  const texts = html.split(new RegExp(`(${literal(rendered.nonce)}|${literal(rendered.formKey)})`)).flatMap((part) => {
    const slot = (['nonce', 'formKey'] as const).find((name) => rendered[name] === part)
    if (slot) slots.push(slot)
    return slot ? [] : [Buffer.from(part)]
  })
  const withSlots = (buffers: Buffer[], fill: (name: keyof Visit) => Buffer) =>
    buffers.flatMap((buffer, index) => {
      const slot = slots[index]
      return slot ? [buffer, fill(slot)] : [buffer]
    })
  const plain = (visit: Visit) => Buffer.concat(withSlots(texts, (name) => Buffer.from(visit[name])))
  let compressed: Buffer[] | undefined
  return {
    bytes: Buffer.byteLength(html),
    plain,
    gzipped(visit) {
      compressed ??= deflatedParts(withSlots(texts, (name) => Buffer.alloc(rendered[name].length)))
      const page = plain(visit)
      const check = Buffer.alloc(8)
      check.writeUInt32LE(crc32(page), 0)
      check.writeUInt32LE(page.length, 4)
      return Buffer.concat([gzipHead, ...withSlots(compressed, (name) => storedBlock(visit[name])), lastBlock, check])
    },
  }
}

const gzipHead = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
const lastBlock = Buffer.from([1, 0, 0, 0xff, 0xff])
/** The window of deflate: how far back a stream may refer. */
const windowSize = 32_768

/**
 * The parts of a page, each deflated so that they can be concatenated in one stream (RFC 1951). Parts alternate with slots. A part may
 * refer back to earlier parts but never to a slot: slots are zeros here, which no page contains, and different in every visit.
 */
function deflatedParts(parts: Buffer[]): Buffer[] {
  let previousBytes = Buffer.alloc(0)
  return parts.flatMap((part, index) => {
    const deflated =
      index % 2 === 1
        ? []
        : [
            deflateRawSync(part, {
              level: 9,
              finishFlush: constants.Z_FULL_FLUSH,
              ...(previousBytes.length > 0 ? { dictionary: previousBytes } : {}),
            }),
          ]
    previousBytes = Buffer.concat([previousBytes, part]).subarray(-windowSize)
    return deflated
  })
}

/** A text as a stored (uncompressed) deflate block. */
function storedBlock(text: string): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt16LE(text.length, 1)
  head.writeUInt16LE(text.length ^ 0xffff, 3)
  return Buffer.concat([head, Buffer.from(text)])
}

function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
