const cut: readonly (readonly [RegExp, string])[] = [
  [/^(mac|mc)(?=[a-z]{3})/, 'mk'],
  [/^(kn|gn|pn)/, 'n'],
  [/^wr/, 'r'],
  [/^wh/, 'w'],
  [/^x/, 's'],
  [/([aou])e/g, '$1'],
  [/ph|pf/g, 'f'],
  [/sch|tch|sh|ch/g, 'x'],
  [/dge|dj/g, 'j'],
  [/gh(?=t|$|s|n)/g, ''],
  [/gh/g, 'g'],
  [/mb$/, 'm'],
  [/c(?=[eiy])/g, 's'],
  [/ck|c|q/g, 'k'],
  [/th/g, 't'],
  [/z/g, 's'],
  [/v/g, 'f'],
  [/[aeiouyhw]+/g, '*'],
]

const known = new Map<string, string>()

/**
 * A key that words spelt differently but sounding alike have in common: Thompson and Thomson, Philips and Fillips, MacKay and McKay. The
 * consonants as they sound, without vowels but at the beginning, without doubled letters.
 */
export function soundOf(word: string): string {
  const found = known.get(word)
  if (found !== undefined) return found
  const sound = listen(word)
  // Names repeat; a bound keeps a file of rubbish from filling the memory.
  if (known.size >= 50_000) known.clear()
  known.set(word, sound)
  return sound
}

function listen(word: string): string {
  let text = word.replaceAll(/[^a-z]/g, '')
  if (text === '') return word
  for (const [pattern, sound] of cut) text = text.replace(pattern, sound)
  text = text.replaceAll(/(?!^)\*/g, '').replaceAll(/(.)\1+/g, '$1')
  // The p of Thompson is not heard.
  return text.replace(/mp(?=[st])/, 'm').slice(0, 6)
}
