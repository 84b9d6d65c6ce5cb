import { StringDecoder } from 'node:string_decoder'
import iconv from 'iconv-lite'
import type { FileEncoding } from './file-encoding.ts'

/** Turns bytes into text chunk by chunk; a character cut by a chunk's end waits for the next one. */
export function textDecoder(encoding: FileEncoding): { write(bytes: Buffer): string; end(): string } {
  if (encoding === 'utf-8' || encoding === 'utf-16le') {
    const decoder = new StringDecoder(encoding === 'utf-8' ? 'utf8' : 'utf16le')
    return { write: (bytes) => decoder.write(bytes), end: () => decoder.end() }
  }
  const decoder = iconv.getDecoder(encoding === 'utf-16be' ? 'utf16-be' : 'win1252', { stripBOM: false })
  return { write: (bytes) => decoder.write(bytes), end: () => decoder.end() ?? '' }
}
