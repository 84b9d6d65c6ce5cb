import { isPlausibleInOneLanguage, isPlausibleWord } from './language-letters.rules.ts'

/*
 * UTF-8 that a program read in an older encoding and saved as UTF-8 again: “ł” became “Ĺ‚” by way of Windows-1250, and “Иван” became “РРІР°РЅ” by way of
 * Windows-1251. Such text consists of real letters, so a word counts as damaged only if it is not a word as it stands, and is one when repaired.
 */

/** The encodings through which text is damaged, with the reading that repairs it. */
export const tablesOfDoubleEncoding = {
  'utf-8-twice': 'windows-1252',
  'utf-8-twice-1250': 'windows-1250',
  'utf-8-twice-1251': 'windows-1251',
} as const
export type DoubleEncoding = keyof typeof tablesOfDoubleEncoding
export const doubleEncodings = Object.keys(tablesOfDoubleEncoding) as DoubleEncoding[]

/** The bytes 0x80 to 0x9f of windows-1252: Node's decoder reads them as control characters. */
export const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** The byte of each character beyond ASCII. The gaps of a table are control characters, as in browsers. */
const bytesOf = Object.fromEntries(
  Object.entries(tablesOfDoubleEncoding).map(([encoding, table]) => [encoding, bytesOfTable(table)]),
) as Record<DoubleEncoding, Map<string, number>>

function bytesOfTable(table: string): Map<string, number> {
  const bytes = new Map<string, number>()
  const decoder = new TextDecoder(table)
  for (let byte = 0x80; byte <= 0xff; byte++) {
    const letter =
      table === 'windows-1252' && byte < 0xa0 ? windows1252[byte - 0x80] : decoder.decode(Uint8Array.of(byte))
    bytes.set(letter === undefined || letter === '\ufffd' ? String.fromCharCode(byte) : letter, byte)
  }
  return bytes
}

/** The byte of a character in the table of a double encoding; -1 for a character that is not in it. */
export function byteOf(letter: string, encoding: DoubleEncoding): number {
  const code = letter.codePointAt(0) as number
  // Some programs write control characters for all of these bytes.
  return bytesOf[encoding].get(letter) ?? (code < 0xa0 ? code : -1)
}

/** The characters that an encoding has for the wanted bytes, for a regular expression. */
function charactersOf(encoding: DoubleEncoding, isWanted: (byte: number) => boolean): string {
  const wanted = [...bytesOf[encoding]].filter(([, byte]) => isWanted(byte))
  return wanted.map(([letter]) => letter).join('')
}

/** The lead bytes of European letters in UTF-8. */
const leadBytes = new Set([0xc3, 0xc4, 0xc5, 0xc8, 0xce, 0xcf, 0xd0, 0xd1])

/**
 * The sequences to check, in one pass over a chunk: the two halves of a letter. In Cyrillic only next to a Latin letter or to another pair of
 * halves: a capital before a quotation mark or a dash is common in undamaged text.
 */
const suspects = doubleEncodings.map((encoding) => {
  const continuation = `[${charactersOf(encoding, (byte) => byte < 0xc0)}]`
  const pair = `[${charactersOf(encoding, (byte) => leadBytes.has(byte))}]${continuation}`
  // Quotation marks and dashes have three bytes.
  const sign = `${charactersOf(encoding, (byte) => byte === 0xe2)}${charactersOf(encoding, (byte) => byte === 0x80)}${continuation}`
  return new RegExp(
    `${sign}|${encoding === 'utf-8-twice-1251' ? `[A-Za-z]${pair}|${pair}[A-Za-z]|${pair}${pair}` : pair}`,
  )
})

/** Whether a text contains anything that `repairedWords` could repair. */
export function mayBeDoubleEncoded(text: string): boolean {
  return suspects.some((suspect) => suspect.test(text))
}

/** A cell with its damaged words repaired, by the table that repairs most; null where none is damaged. A lost letter is shown as “…”. */
export function repairedWords(cell: string): string | null {
  let best: { repaired: string; count: number } | null = null
  for (const encoding of doubleEncodings) {
    let count = 0
    const repaired = cell
      .split(wordEnds)
      .map((word) => {
        const repair = repairOf(word, encoding)
        if (repair?.isCertain) count++
        return repair?.text ?? word
      })
      .join('')
    if (count > (best?.count ?? 0)) best = { repaired, count }
  }
  return best?.repaired ?? null
}

/** A no-break space is half of a letter in damaged text, and does not end a word. */
const wordEnds = /([ \t\r\n,;|"]+)/

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** What a word was before its second encoding; null where it had none. `isCertain`: it is not a word as it stands. */
export function repairOf(word: string, encoding: DoubleEncoding): { text: string; isCertain: boolean } | null {
  const bytes: number[] = []
  let pairs = 0
  let beyondAscii = 0
  for (const letter of word) {
    const byte = byteOf(letter, encoding)
    if (byte < 0) return null
    if (byte >= 0x80) beyondAscii++
    bytes.push(byte)
  }
  if (beyondAscii < 2) return null
  const decoded = utf8.decode(Uint8Array.from(bytes))
  const lost = decoded.split('\ufffd').length - 1
  for (const letter of decoded) if (letter >= '\u0080' && letter !== '\ufffd') pairs++
  // A program may have lost halves of letters: enough whole letters must be left to be sure.
  if (pairs === 0 || (lost > 0 && (pairs < 2 || lost > pairs / 2))) return null
  const text = decoded.replaceAll('\ufffd', '…')
  if (!isPlausibleWord(decoded.replaceAll('\ufffd', ''))) return null
  // Two or more whole pairs and nothing else beyond ASCII, such as "РђРќ": Serbian has these capitals, but no word begins with them. No word begins
  // with Ĺ, or with Å and š, either.
  const isNoBeginning =
    /^(?:Ĺ|Å[šŠžŽ])/.test(word) || (lost === 0 && beyondAscii === pairs * 2 && pairs > 1 && /^[РС]/.test(word))
  const signsAtEnds = encoding !== 'utf-8-twice-1251'
  return { text, isCertain: isNoBeginning || !isPlausibleInOneLanguage(word, { signsAtEnds }) }
}
