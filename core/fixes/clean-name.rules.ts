import { isGivenName } from './given-names.rules.ts'
import { iberianSurnames } from './iberian-names.rules.ts'
import { isPlainTitle } from './name-titles.rules.ts'
import { isInitial, joiningWords, normaliseWord, titles } from './name-words.rules.ts'

/** One line in Latin letters, without nicknames, with degrees joined; null for what is not a person's name. */
export function cleanedName(fullName: string): string | null {
  const text = titleInFront(fullName.normalize('NFC'))
    // "Ph. D." and "M. D." are one word each.
    .replaceAll(/\bPh\.?\s*D\b\.?/gi, 'PhD')
    .replaceAll(/\b([MDB])\.\s+([DASE])\.(?=\s*(?:,|$))/g, '$1$2')
    .replaceAll(/\bD\.\s?D\.\s?S\b\.?/gi, 'DDS')
    // "James “Mike” Dyer", "Shrikanth (Shri) Narayanan": nicknames, never the end of a name.
    .replaceAll(
      /\s(?:"\p{L}[\p{L}. -]*"|“\p{L}[\p{L}. -]*”|'\p{L}[\p{L}. -]*'|‘\p{L}[\p{L}. -]*’|\(\p{L}[\p{L}.-]*\))(?=\s+\p{L})/gu,
      '',
    )
    .replaceAll(/[\s\u00a0]+/g, ' ')
    .replaceAll(/\s+,/g, ',')
    .replace(/[\s,]+(?:\(ret(?:d|ired)?\.?\)|2nd|3rd|4th)\s*$/i, '')
    .replace(/^\s*(?:"([^"]+)"|“([^”]+)”)\s*$/, '$1$2')
    .trim()
  if (text === '' || text.length > 120) return null
  if (!/^[\p{Script=Latin}\p{M}\s.,'’‘`ªº-]+$/u.test(text)) return null
  // "von und zu" is a particle.
  if (/\b(?:and|und|et)\b/i.test(text.replaceAll(/\bvon und zu\b/gi, ''))) return null
  // "z. Hd. Hans Müller", "bei Müller", "t.a.v. Jan Jansen": a note on the delivery.
  if (/^(?:z\. ?H(?:d|dn|änden)?\.|bei\s|t\.a\.v\.|p\.a\.\s)/.test(text)) return null
  // A nickname at the end may be anything.
  if (/\s['‘]\p{L}\S*['’]$/u.test(text)) return null
  // "Ann or Bob Smith"; Or with a capital is a name.
  return /\bor\b/.test(text) || isCouple(text) ? null : text
}

/** "Brown, Jane (Mrs)", "Brown (Mrs), Jane", "J Brown (Mrs)": the title in front of the first name. */
function titleInFront(text: string): string {
  const match = /^([^,()]+?)(,[^,()]+?)?\s*\(([^()]+)\)\s*(,[^,()]+)?$/.exec(text)
  if (!match) return text
  const [, start = '', middle = '', bracketed = '', end = ''] = match
  const words = bracketed.trim().split(/\s+/)
  if (!words.every(isPlainTitle) || (middle !== '' && end !== '')) return text
  const behind = middle || end
  return behind === '' ? `${bracketed} ${start.trim()}` : `${start.trim()}, ${bracketed} ${behind.slice(1).trim()}`
}

/** Two people joined by a word that is also a particle or an initial: "Sr. y Sra. García", "Hr. u. Fr. Schmidt", "Marco e Anna Rossi". */
function isCouple(text: string): boolean {
  const words = text.split(' ')
  const plain = words.map(normaliseWord)
  return plain.some((word, index) => {
    const before = plain[index - 1] ?? ''
    const after = plain[index + 1] ?? ''
    if (!joiningWords.has(word)) return false
    if (titles.has(before) && titles.has(after)) return !isInitial(words[index - 1] as string)
    // "John E Smith" has a capital, and in "José Martín y García" a surname follows.
    return (
      words[index]?.replace(/\.$/, '') === word &&
      isGivenName(before) &&
      isGivenName(after) &&
      !iberianSurnames.has(after)
    )
  })
}
