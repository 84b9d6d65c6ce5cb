import { letterSet, wordHash } from './word-hash.rules.ts'

/** What is replaced, its replacement, and the letters without which there is nothing to replace. */
const cut = (
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
).map(([pattern, sound, needs]) => ({ pattern, sound, needs: letterSet(needs) }))

/** The phonetic form of a word. */
interface Sound {
  /** Equal for words that sound alike; 0 where there is no word. */
  hash: number
  /** The same for its beginning. */
  initial: number
}

const known = new Map<string, Sound>()

/**
 * A number that words spelt differently but sounding alike have in common: Thompson and Thomson, Philips and Fillips, MacKay and McKay. The
 * consonants as they sound, without vowels except at the beginning, without doubled letters.
 */
export function soundOf(word: string): number {
  return soundCodes(word).hash
}

/** A word's sound, with that of its beginning. */
export function soundCodes(word: string): Sound {
  const found = known.get(word)
  if (found !== undefined) return found
  const text = listen(word)
  const sound = { hash: wordHash(text), initial: wordHash(text.slice(0, 1)) }
  // Names repeat; a limit keeps a file of rubbish from filling the memory.
  if (known.size >= 50_000) known.clear()
  known.set(word, sound)
  return sound
}

function listen(word: string): string {
  let text = word.replaceAll(/[^a-z]/g, '')
  if (text === '') return word
  // The letters are those of the original text: one that only a replacement adds triggers no further replacement.
  const letters = letterSet(text)
  for (const { pattern, sound, needs } of cut) if ((letters & needs) === needs) text = text.replace(pattern, sound)
  text = text
    .replaceAll(/[aeiouyhw]+/g, '*')
    .replaceAll(/(?!^)\*/g, '')
    .replaceAll(/(.)\1+/g, '$1')
  // The p of Thompson is silent.
  return text.replace(/mp(?=[st])/, 'm').slice(0, 6)
}
