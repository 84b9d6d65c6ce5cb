import { countryName, countrySynonyms } from './countries.ts'

interface CountryChoice {
  code: string
  /** In the language of the page. */
  name: string
}

/**
 * The countries that match a typed text, best first: by code, by the beginning of the name, of one of its words, of another name ("uk", "holland",
 * "ivory coast"), then by any part of the name. English names are found in every language. Without a text, all in their order.
 */
export function matchCountries<Choice extends CountryChoice>(choices: readonly Choice[], typed: string): Choice[] {
  const search = normalise(typed)
  if (search === '') return [...choices]
  return choices
    .map((choice) => ({ choice, rank: rankOf(choice, search) }))
    .filter(({ rank }) => rank < noMatch)
    .sort((a, b) => a.rank - b.rank)
    .map(({ choice }) => choice)
}

const noMatch = 9

function rankOf({ code, name }: CountryChoice, search: string): number {
  const normalised = normalise(name)
  const others = [countryName(code), ...(countrySynonyms[code] ?? [])].map(normalise)
  if (normalised === search || others.includes(search) || code.toLowerCase() === search) return 0
  if (normalised.startsWith(search)) return 1
  if (hasWord(normalised, search)) return 2
  if (others.some((other) => other.startsWith(search))) return 3
  if (others.some((other) => hasWord(other, search))) return 4
  if (normalised.includes(search)) return 5
  // "cote d ivoire", "newzealand".
  return [normalised, ...others].some((other) => withoutSpaces(other).startsWith(withoutSpaces(search))) ? 6 : noMatch
}

/** Whether a word begins with the text; it may span several words. */
function hasWord(name: string, search: string): boolean {
  return ` ${name}`.includes(` ${search}`)
}

function withoutSpaces(text: string): string {
  return text.replaceAll(' ', '')
}

/** Without case, accents and punctuation: "Côte d’Ivoire" is "cote divoire", "U.K." is "uk". */
function normalise(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replaceAll(/['’.]/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
