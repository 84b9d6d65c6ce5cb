import { letterSet, wordHash } from './word-hash.rules.ts'

/** Patterns, their replacements, and the letters that a word must contain for the pattern to match. */
const replacements = (
  [
    [/^(mac|mc)(?=[a-z]{3})/, 'mk', 'mc'],
    [/^(kn|gn|pn)/, 'n', 'n'],
    [/^wr/, 'r', 'wr'],
    [/^wh/, 'w', 'wh'],
    [/^x/, 's', 'x'],
    [/([aou])e/g, '$1', 'e'],
    [/ph|pf/g, 'f', 'p'],
    [/sch|tch|sh|ch/g, 'x', 'h'],
    [/dge|dj/g, 'j', 'd'],
    [/gh(?=t|$|s|n)/g, '', 'gh'],
    [/gh/g, 'g', 'gh'],
    [/mb$/, 'm', 'mb'],
    [/c(?=[eiy])/g, 's', 'c'],
    [/ck|c|q/g, 'k', ''],
    [/th/g, 't', 'th'],
    [/z/g, 's', 'z'],
    [/v/g, 'f', 'v'],
  ] as const
).map(([pattern, sound, required]) => ({ pattern, sound, required: letterSet(required) }))

/** The hashes of a word's phonetic form. */
interface PhoneticHashes {
  /** Equal for words that sound alike; 0 for an empty word. */
  hash: number
  /** Equal for words whose first sounds are alike. */
  initial: number
}

/** Names repeat, so hashes are cached, indexed by the hash of the spelling: a newer word replaces an older one at the same index. */
const cacheSize = 1 << 16
const cachedWords = new Uint32Array(cacheSize)
const cachedHashes = new Uint32Array(cacheSize)
const cachedInitials = new Uint32Array(cacheSize)

/**
 * A hash that is equal for words that are spelt differently but sound alike: Thompson and Thomson, Philips and Fillips, MacKay and McKay. It covers
 * the consonants as they sound, without doubled letters, and a vowel only at the beginning.
 */
export function phoneticHash(word: string): number {
  return cachedHashes[cacheIndexOf(word, wordHash(word))] as number
}

/** The hashes of a word's phonetic form and of its first sound. `spelling` is its `wordHash`. */
export function phoneticHashes(word: string, spelling: number): PhoneticHashes {
  const index = cacheIndexOf(word, spelling)
  return { hash: cachedHashes[index] as number, initial: cachedInitials[index] as number }
}

function cacheIndexOf(word: string, spelling: number): number {
  const index = spelling & (cacheSize - 1)
  if (cachedWords[index] === spelling) return index
  const form = phoneticForm(word)
  cachedWords[index] = spelling
  cachedHashes[index] = wordHash(form)
  cachedInitials[index] = wordHash(form.slice(0, 1))
  return index
}

function phoneticForm(word: string): string {
  let text = word.replaceAll(/[^a-z]/g, '')
  if (text === '') return word
  // The letters of the original word: a letter that a replacement adds does not enable another replacement.
  const letters = letterSet(text)
  for (const { pattern, sound, required } of replacements)
    if ((letters & required) === required) text = text.replace(pattern, sound)
  text = text
    .replaceAll(/[aeiouyhw]+/g, '*')
    .replaceAll(/(?!^)\*/g, '')
    .replaceAll(/(.)\1+/g, '$1')
  // The p of Thompson is silent.
  return text.replace(/mp(?=[st])/, 'm').slice(0, 6)
}
