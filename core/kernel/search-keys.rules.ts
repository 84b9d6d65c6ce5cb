import { parseUkPostCode } from './uk-postcode.rules.ts'

const dropped = /['’‘`´.]/g
const letters: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' }

/**
 * The search key of a text, without case, accents, punctuation and runs of spaces: "O’Brien-Smith" and "obrien smith"
 * are the same. At most `limit` characters.
 */
export function textKey(text: string, limit = 200): string {
  const lower = text.toLowerCase()
  const key = isPlain(lower) ? lower : (latinKey(lower) ?? plainKey(lower))
  return key.length > limit ? key.slice(0, limit) : key
}

/** True for a-z, 0-9 and single spaces between words: most texts, and they need no work. */
function isPlain(text: string): boolean {
  let before = 32
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 32) {
      if (before === 32) return false
    } else if (!((code >= 97 && code <= 122) || (code >= 48 && code <= 57))) return false
    before = code
  }
  return text === '' || before !== 32
}

/** The key of each Latin character: letters, nothing, or a space; the few like ½ that become several words are left out. */
const latin: (string | undefined)[] = Array.from({ length: 0x180 }, (_, code) => {
  const key = plainKey(`a${String.fromCharCode(code).toLowerCase()}b`).slice(1, -1)
  return key === ' ' || !key.includes(' ') ? key : undefined
})

/** The key of a text in Latin letters, character by character; null if it contains other characters. */
function latinKey(text: string): string | null {
  let key = ''
  let isGap = true
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    // The curly apostrophe is the only common character in names outside the table.
    const letter = code < 0x180 ? latin[code] : code === 0x2019 ? '' : undefined
    if (letter === undefined) return null
    if (letter === '') continue
    if (letter !== ' ') {
      key += letter
      isGap = false
    } else if (!isGap) {
      key += ' '
      isGap = true
    }
  }
  return isGap ? key.slice(0, -1) : key
}

function plainKey(text: string): string {
  return text
    .replaceAll(dropped, '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[ßæœøłđðþı]/g, (letter) => letters[letter] ?? letter)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .normalize('NFC')
}

/** A postcode in capitals without spaces and punctuation. */
export function postCodeKey(postCode: string): string {
  const uk = parseUkPostCode(postCode)
  if (uk) return uk.text.replace(' ', '')
  return postCode
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
    .slice(0, 20)
}

/** Only case is ignored: a.lee@ and alee@ are two mailboxes. */
export function emailKey(email: string): string {
  return email.toLowerCase().slice(0, 254)
}
