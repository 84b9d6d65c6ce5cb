/** The characters of Windows-1252 at bytes 80 to 9F, which have other codes in Unicode; the five unused bytes are blank. */
const highCharacters = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'
const byteOf = new Map(
  [...highCharacters].flatMap((character, index) => (character === ' ' ? [] : [[character, 0x80 + index] as const])),
)

/** Replacements for letters that Unicode does not decompose, for typographic characters, and for Cyrillic and Greek letters. */
const substitutes = new Map(
  (
    'ł:l Ł:L đ:d Đ:D ħ:h Ħ:H ı:i ŋ:ng Ŋ:Ng ŧ:t Ŧ:T ĸ:k ŀ:l Ŀ:L ə:e Ə:E ẞ:SS \u2010:- \u2011:- \u2012:- \u2015:- \u2212:- \u2032:\' \u2033:" \u02bc:’ ' +
    'а:a б:b в:v г:g д:d е:e ё:yo ж:zh з:z и:i й:y к:k л:l м:m н:n о:o п:p р:r с:s т:t у:u ф:f х:kh ц:ts ч:ch ш:sh щ:shch ъ: ы:y ь: э:e ю:yu я:ya ' +
    'є:ye і:i ї:yi ґ:g ђ:dj ј:j љ:lj њ:nj ћ:c џ:dz ѓ:gj ќ:kj ѕ:dz ' +
    'α:a β:v γ:g δ:d ε:e ζ:z η:i θ:th ι:i κ:k λ:l μ:m ν:n ξ:x ο:o π:p ρ:r σ:s ς:s τ:t υ:y φ:f χ:ch ψ:ps ω:o'
  )
    .split(' ')
    .flatMap((pair) => {
      const character = pair.slice(0, 1)
      const replacement = pair.slice(2)
      const capital = character.toUpperCase()
      const entries: [string, string][] = [[character, replacement]]
      // Only capitals of one character: the capital of ŉ, for example, has two.
      if (capital !== character && capital.length === 1)
        entries.push([capital, replacement.charAt(0).toUpperCase() + replacement.slice(1)])
      return entries
    }),
)
const invisible = /^(?:[\u200b-\u200f\u2060\ufeff]|\p{Variation_Selector})$/u

/** How many letters of a file were changed. */
export interface LetterLosses {
  /** Replaced by another letter: ł by l. */
  replaced: number
  /** Nothing could replace them; a question mark is written. */
  lost: number
}

const beyondLatin1 = /[^\0-\u007f\u00a0-\u00ff]/
const allBeyondLatin1 = /[^\0-\u007f\u00a0-\u00ff]/gu

/**
 * Text with only the characters of Windows-1252: others are replaced by the nearest ones, and counted. A full-width comma becomes a comma, so
 * call it before a cell is quoted, guarded or cut.
 */
export function withWindows1252(text: string, losses: LetterLosses): string {
  if (!beyondLatin1.test(text)) return text
  let result = ''
  for (const character of text.normalize('NFC'))
    result += byteText(character) === undefined ? substitute(character, losses) : character
  return result
}

/** The bytes of text that `withWindows1252` returned. */
export function toWindows1252(text: string): Buffer {
  return Buffer.from(
    beyondLatin1.test(text) ? text.replaceAll(allBeyondLatin1, (character) => byteText(character) ?? '?') : text,
    'latin1',
  )
}

/** The byte of a Unicode character, as a character with that code. */
function byteText(character: string): string | undefined {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80 || (code >= 0xa0 && code <= 0xff)) return character
  const byte = byteOf.get(character)
  return byte === undefined ? undefined : String.fromCharCode(byte)
}

function substitute(character: string, losses: LetterLosses): string {
  if (invisible.test(character)) return ''
  const listed = substitutes.get(character)
  // The letter without its marks, or the parts of a ligature or a full-width letter.
  const plain = listed ?? character.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  const letters = [...plain].map((letter) => (byteText(letter) === undefined ? substitutes.get(letter) : letter))
  if (plain === '' && listed === undefined) return ''
  if (letters.includes(undefined)) {
    losses.lost++
    return '?'
  }
  losses.replaced++
  return letters.join('')
}
