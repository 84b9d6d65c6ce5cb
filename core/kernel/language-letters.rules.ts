/** The frequency of each letter beyond a to z in a language, in about a percentage. */
export const languages: Record<string, string> = {
  english: 'é45 ë12 è8 ü8 ö6 ç5 ï5 ñ4 á3 ó3 ô3 ê2 à1 â1 ä1 å1 í1 ø1',
  dutch: 'ë45 é20 ï12 ö8 ü6 è4 ç1 á1 ó1 ê1',
  french: 'é55 è10 à8 ê6 ç5 ô3 ë3 ï2 î2 â2 û1 ù1 œ1',
  german: 'ü30 ä25 ö22 ß15 é2',
  spanish: 'ó22 í24 á22 é18 ñ10 ú5 ü1',
  portuguese: 'ã18 ç14 á14 é12 í9 ó8 ê8 õ5 â5 ú3 à2 ô2',
  italian: 'à28 è25 ò20 ù12 ì10 é5',
  nordic: 'å18 ä20 ö22 ø20 æ10 é4 ü1 á2 ð1 þ1 í1 ó1',
  // A file may mix the languages above.
  western: 'é24 è5 ê2 ë5 á8 à2 â2 ä8 ã2 å3 æ2 ç4 í6 ì1 î1 ï2 ñ3 ó7 ò1 ô2 ö9 õ1 ø4 ú3 ù1 û1 ü10 ß3 ý1 œ1 š1 ž1',
  polish: 'ł23 ó14 ą13 ę13 ż11 ś11 ć6 ń7 ź2',
  czech: 'í17 á17 é9 ě9 ý7 ů4 č9 ř8 š7 ž6 ú2 ň1 ť1 ď1 ó1 ľ2 ô1 ĺ1 ä1 ŕ1',
  hungarian: 'á28 é27 ö9 ő8 ó10 ü5 ú4 í6 ű3',
  romanian: 'ă35 î18 â12 ş17 ţ15 ș1 ț1',
  croatian: 'č28 š28 ž25 ć15 đ5',
  turkish: 'ı28 ü13 ş14 ğ10 ç10 ö9 İ6 â1',
  latvian: 'ā24 ē11 ī15 ū6 č4 š12 ž6 ņ10 ļ5 ķ3 ģ2 ö1',
  lithuanian: 'ė24 š15 ž13 ū11 į4 č8 ą7 ų6 ę3',
  estonian: 'ä30 õ25 ü28 ö12 š3 ž2',
  russian:
    'о11 е8 а9 и8 н7 т5 с5 р5 в6 л5 к4 м3 д3 п2 у3 я2 ы1 ь2 г2 з1 б2 ч1 й2 х1 ж1 ш1 ю1 ц1 щ1 э1 ф1 ъ1 ё1 і1 ї1 є1',
  macedonian: 'а13 о9 и8 е8 в6 к6 р6 с5 н6 т5 л4 м3 д3 п2 у2 ј4 г2 з1 б2 ч1 ц1 ш1 ж1 ф1 х1 њ1 љ1 ѓ1 ќ1 ѕ1 џ1 ђ1 ћ1',
  greek: 'α10 ο9 ι8 ε7 τ6 σ5 ν6 η5 υ4 ρ5 π4 κ5 μ4 λ4 ς5 ω3 γ2 δ2 θ2 χ1 φ1 β1 ξ1 ζ1 ψ1 ά3 έ2 ή2 ί3 ό4 ύ1 ώ1 ϊ1 ϋ1',
}

const basicCyrillic = 'абвгдежзийклмнопрстуфхцчшщъыьэюя'

/** The letters beyond a to z of each language, in lower case. */
const alphabets = [
  ...Object.values(languages).map((letters) => letters.replaceAll(/[\d ]/g, '').toLowerCase()),
  `${basicCyrillic}ёіїєґў`,
  `${basicCyrillic}ђјљњћџѓќѕ`,
  'αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ',
].map((letters) => new Set(letters))
const allLetters = new Set(alphabets.flatMap((letters) => [...letters]))

/**
 * Whether a word is plausible: only letters of one script that a language uses, with no capital after a small letter and no sign between letters.
 * Words that were read in a wrong encoding rarely pass.
 */
export function isPlausibleWord(word: string): boolean {
  const inner = word.replace(/^[^\p{L}\p{M}]+/u, '').replace(/[^\p{L}\p{M}]+$/u, '')
  return inner.split(/[!-@[-`{-~’‘–]+/).every((part) => isUsual(part) && hasOnly(part, allLetters))
}

/** The same for a suspect word: all of its letters must belong to one language. A sign at its end may be half of a letter. */
export function isPlausibleInOneLanguage(word: string, { signsAtEnds }: { signsAtEnds: boolean }): boolean {
  const inner = signsAtEnds ? word : word.replace(/^[^\p{L}\p{M}]+/u, '').replace(/[^\p{L}\p{M}]+$/u, '')
  return inner
    .split(/[!-@[-`{-~]+/)
    .every((part) => isUsual(part) && alphabets.some((letters) => hasOnly(part, letters)))
}

function isUsual(part: string): boolean {
  // ª and º are at the end of a number or an abbreviation, and ς is at the end of a word.
  const hasOnlyLetters = /^(?:(?![ªº])[\p{L}\p{M}])*[ªº]?$/u.test(part) && !/ς\p{L}/u.test(part)
  return hasOnlyLetters && isOneScript(part) && isUsualCase(part)
}

function isOneScript(part: string): boolean {
  const scripts = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u]
  return scripts.filter((script) => script.test(part)).length <= 1
}

/** "été", "ÉTÉ", "Été" and "McÉvoy", but not "éTé". */
function isUsualCase(part: string): boolean {
  return /^(?:(?:Mc|Mac)?[\p{Lu}\p{Lo}]?[\p{Ll}\p{Lo}\p{M}]*|[\p{Lu}\p{Lo}\p{M}ß]*)$/u.test(part)
}

function hasOnly(part: string, letters: ReadonlySet<string>): boolean {
  for (const letter of part.toLowerCase())
    if (letter >= '\u0080' && !letters.has(letter) && !/[\p{M}ªº]/u.test(letter)) return false
  return true
}
