import type { SeededRandom } from './seeded-random.ts'

const neighbours: Record<string, string> = {
  a: 'qsz', b: 'vgn', c: 'xdv', d: 'sfec', e: 'wrd', f: 'dgrv', g: 'fhtb', h: 'gjyn', i: 'uok', j: 'hkun', k: 'jlim', l: 'ko', m: 'nk',
  n: 'bmh', o: 'ipl', p: 'ol', q: 'wa', r: 'etf', s: 'adwx', t: 'ryg', u: 'yij', v: 'cbf', w: 'qes', x: 'zcs', y: 'tuh', z: 'xa',
  '0': '9', '1': '2', '2': '13', '3': '24', '4': '35', '5': '46', '6': '57', '7': '68', '8': '79', '9': '80',
} // biome-ignore format: a table
const misread: readonly (readonly [string, string])[] = [
  ['rn', 'm'], ['m', 'rn'], ['cl', 'd'], ['0', 'O'], ['O', '0'], ['1', 'l'], ['l', '1'], ['I', '1'], ['5', 'S'], ['S', '5'], ['8', 'B'],
  ['B', '8'], ['vv', 'w'], ['h', 'b'], ['e', 'c'], ['u', 'v'], ['g', 'q'], ['i', 'j'], ['2', 'Z'],
] // biome-ignore format: a table
const misheard: readonly (readonly [RegExp, string])[] = [
  [/ph/, 'f'], [/f/, 'ph'], [/ck/, 'k'], [/c(?=[ei])/, 's'], [/ie/, 'y'], [/y$/, 'ie'], [/ey$/, 'y'], [/ll/, 'l'], [/l$/, 'll'],
  [/tt/, 't'], [/t$/, 'tt'], [/nn/, 'n'], [/ss/, 's'], [/mps/, 'ms'], [/ea/, 'ee'], [/ee/, 'ea'], [/ai/, 'ay'], [/ou/, 'ow'],
  [/Mac/, 'Mc'], [/Mc/, 'Mac'], [/e$/, ''], [/er$/, 'ar'], [/ar$/, 'er'], [/o(?=[nr])/, 'a'], [/kn/i, 'n'], [/wr/i, 'r'], [/th/, 't'],
  [/C(?=[aol])/, 'K'], [/K(?=[ae])/, 'C'], [/gh/, ''], [/ü/, 'ue'], [/ö/, 'oe'], [/s$/, ''], [/([a-z])$/, '$1s'],
] // biome-ignore format: a table

/** A text with one error as people make them when typing, listening or scanning. Short ones may stay unchanged. */
export function mistyped(text: string, { roll, pick, chance }: SeededRandom): string {
  if (text.length < 2) return text
  const kind = roll(10)
  const index = roll(text.length)
  const letter = text[index] as string
  if (kind < 2) {
    const near = neighbours[letter.toLowerCase()]
    if (!near) return text
    const other = pick([...near])
    return replaced(text, index, letter === letter.toUpperCase() ? other.toUpperCase() : other)
  }
  if (kind === 2) return replaced(text, index, '')
  if (kind === 3) return replaced(text, index, letter + letter)
  if (kind === 4)
    return index === 0 ? text : `${text.slice(0, index - 1)}${letter}${text[index - 1]}${text.slice(index + 1)}`
  if (kind === 5) return replaced(text, index, letter + pick([...(neighbours[letter.toLowerCase()] ?? 'e')]))
  if (kind === 6)
    return replaceOne(
      misread.filter(([written]) => text.includes(written)),
      text,
      pick,
    )
  if (kind === 7 && chance(0.3)) {
    return text.includes(' ')
      ? text.replace(' ', '')
      : text.length > 6
        ? `${text.slice(0, index)} ${text.slice(index)}`
        : text
  }
  const fitting = misheard.filter(([sound]) => sound.test(text))
  return fitting.length === 0 ? text : text.replace(...pick(fitting))
}

const replaced = (text: string, at: number, letter: string) => text.slice(0, at) + letter + text.slice(at + 1)

function replaceOne(errors: (readonly [string, string])[], text: string, pick: SeededRandom['pick']): string {
  if (errors.length === 0) return text
  const [written, read] = pick(errors)
  return text.replace(written, read)
}
