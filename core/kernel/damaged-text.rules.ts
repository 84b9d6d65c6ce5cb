import { byteOf, mayBeDoubleEncoded, repairedWords, windows1252 } from './double-encoding.rules.ts'
import { isPlausibleWord } from './language-letters.rules.ts'

/*
 * Text that was damaged before it reached Masthead, or while it was read. A file of a million good rows never gets this far: the scan of a chunk
 * finds nothing.
 */

/** Whether a chunk of text contains anything that `damageOf` could name: scanned once, not in each of its cells. */
export function mayBeDamaged(text: string): boolean {
  return (
    text.includes('\ufffd') ||
    text.includes('\0') ||
    !text.isWellFormed() ||
    mojibake.test(text) ||
    misread.test(text) ||
    mayBeDoubleEncoded(text)
  )
}

/** What a character of two bytes in UTF-8, or a quotation mark or dash of three, looks like after it was read as Windows-1252 and encoded again. */
const mojibake =
  /[\u00c2\u00c3][\u0080-\u00bf]|\u00c3[\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]|\u00e2\u20ac[\u0080-\u00bf\u0152\u0153\u0161\u2122\u0178\u017d\u017e\u02dc\u00a6\u00a2\u201c\u201d\u2018\u2019]/

/** What is wrong with a cell, as text that follows its value; null for a good one. */
export function damageOf(cell: string): string | null {
  if (cell.includes('\ufffd'))
    return 'has bytes that are not a character in the encoding of the file, or a character that was lost earlier (�)'
  const text = repairedText(cell)
  return text === null ? null : `was read in the wrong encoding earlier: it should be “${text}”`
}

/** The intended text, where a text was read in the wrong encoding; null for a good one. */
function repairedText(text: string): string | null {
  return repairedWestern(text) ?? (mayBeDoubleEncoded(text) ? repairedWords(text) : null) ?? repairedControls(text)
}

/**
 * The same for text that was typed or sent by a program: only where the result is words, since “IRMÃ” before a no-break
 * space, as in “IRMÃ COSTA”, is a correct text.
 */
export function correctedText(text: string): string | null {
  if (asciiOnly.test(text)) return null
  const corrected = repairedText(text)
  return corrected?.split(/[ ,;]+/).every(isPlausibleWord) ? corrected : null
}

const asciiOnly = /^[\x20-\x7e]*$/

/** The control characters that result from a character of Windows-1252 that was read as ISO-8859-1; without U+0085, which may be a line break. */
const misread = /[\x80\x82-\x84\x86-\x8c\x8e\x91-\x9c\x9e\x9f]/

/** A cell with such characters, repaired: “O’Brien” has lost its apostrophe. Null for a good one. */
function repairedControls(cell: string): string | null {
  if (!misread.test(cell)) return null
  return cell.replaceAll(new RegExp(misread, 'g'), (character) => windows1252.charAt(character.charCodeAt(0) - 0x80))
}

/** A cell that was read as Windows-1252, repaired; null for a good one. */
function repairedWestern(cell: string): string | null {
  if (!mojibake.test(cell)) return null
  // One word of a note may be damaged, and the next one not.
  const repairedCell = repaired(cell) ?? cell.replaceAll(new RegExp(mojibake, 'g'), (word) => repaired(word) ?? word)
  return repairedCell === cell ? null : repairedCell
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The intended text, where a text is UTF-8 that was read as Windows-1252; null where it is not. */
export function repaired(text: string): string | null {
  const encoded: number[] = []
  for (const letter of text) {
    const byte = byteOf(letter, 'utf-8-twice')
    if (byte < 0) return null
    encoded.push(byte)
  }
  try {
    const decoded = utf8.decode(Uint8Array.from(encoded))
    return decoded === text ? null : decoded
  } catch {
    return null
  }
}
