import { StringDecoder } from 'node:string_decoder'
import iconv from 'iconv-lite'
import { byteOf, type DoubleEncoding, tablesOfDoubleEncoding } from '../../kernel/double-encoding.rules.ts'
import type { FileEncoding } from '../../kernel/file-encodings.ts'
import { iconvName } from './detect-encoding.ts'

interface TextDecoding {
  write(bytes: Buffer): string
  end(): string
}

/** Decodes bytes chunk by chunk; a character cut by a chunk's end waits for the next one. */
export function textDecoder(encoding: FileEncoding): TextDecoding {
  if (encoding === 'utf-8' || encoding === 'utf-16le') {
    const decoder = new StringDecoder(encoding === 'utf-8' ? 'utf8' : 'utf16le')
    return { write: (bytes) => decoder.write(bytes), end: () => decoder.end() }
  }
  if (encoding in tablesOfDoubleEncoding) return doubleEncodingDecoder(encoding as DoubleEncoding)
  const decoder = iconv.getDecoder(iconvName(encoding), { stripBOM: false })
  return { write: (bytes) => decoder.write(bytes), end: () => decoder.end() ?? '' }
}

/** Reverts the second of two encodings. A character that the table does not have was not encoded twice, and is unchanged. */
function doubleEncodingDecoder(encoding: DoubleEncoding): TextDecoding {
  const outer = new StringDecoder('utf8')
  const inner = new StringDecoder('utf8')
  const decode = (text: string) => {
    let decoded = ''
    let bytes: number[] = []
    for (const letter of text) {
      const byte = byteOf(letter, encoding)
      if (byte >= 0) {
        bytes.push(byte)
        continue
      }
      decoded += inner.write(Buffer.from(bytes)) + inner.end() + letter
      bytes = []
    }
    return decoded + inner.write(Buffer.from(bytes))
  }
  return { write: (bytes) => decode(outer.write(bytes)), end: () => decode(outer.end()) + inner.end() }
}
