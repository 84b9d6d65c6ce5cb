import { iberianSurnames } from './iberian-names.rules.ts'
import { iberianSurnameScore } from './iberian-surnames.rules.ts'
import { doubtfulParticles, irishStems, isInitial, particles } from './name-words.rules.ts'

/** Whether the word begins a surname: some particles are initials, words or first names as well. */
export function isParticle(
  names: readonly string[],
  plain: readonly string[],
  index: number,
  isOneCase: boolean,
): boolean {
  const word = names[index] as string
  const plainWord = plain[index] as string
  const next = plain[index + 1] ?? ''
  // "Marian Bakker-de Vries": the first of two surnames.
  if (plainWord.includes('-') && particles.has(plainWord.split('-').at(-1) as string)) return true
  if (plainWord === 'o') return irishStems.has(next) || /^ó$/iu.test(word)
  if (!particles.has(plainWord) || word.endsWith('.')) return plainWord === 'st' && particles.has(plainWord)
  if (['y', 'e', 'i'].includes(plainWord))
    // A middle initial is a capital: "John E Smith".
    return isOneCase
      ? index > 1 && iberianSurnames.has(plain[index - 1] ?? '') && iberianSurnames.has(next)
      : word === word.toLowerCase() && index > 1
  if (!doubtfulParticles.has(plainWord)) return true
  // "Henk Op den Akker".
  if (/^(?:op|in|aan|uit)$/.test(plainWord) && /^(?:de|den|der|t)$/.test(next)) return true
  if (word === word.toLowerCase() && !isOneCase) return true
  // "Juan De La Cruz": after another particle.
  if (index > 1 && particles.has(plain[index - 1] ?? '') && plainWord !== 'ben') return true
  // "Tahar Ben Jelloun"; in "J. Ben Stone" it is a first name.
  if (plainWord === 'ben' && index > 0 && !isInitial(names[index - 1] as string)) return true
  if (plainWord === 'do' && iberianSurnameScore(names[index + 1] as string) > 0) return true
  return (
    ['del', 'al', 'la', 'lo', 'le', 'du', 'san', 'santa', 'mac', 'ni', 'saint', 'te', 'wa'].includes(plainWord) &&
    index === names.length - 2
  )
}
