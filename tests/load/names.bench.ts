/*
 * How well Auto Fix Names splits names: of names combined from a package's lists of first and last names by language,
 * how many are right, left unchanged, and wrong. `NAMES_FROM` is a folder with a node_modules that has @faker-js/faker; its
 * lists are not part of this project. `NAMES_IN` names other languages than the 18 of docs/manage-data.md.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { withNameFields } from '#core/fixes/fix-names.rules.ts'

const from = process.env.NAMES_FROM
const usual = 'en en_GB en_IN fr de es es_MX pt_PT pt_BR it nl sv pl ro tr cs_CZ nb_NO da'
const languages = (process.env.NAMES_IN ?? usual).split(' ')
const perLanguage = 300

type Lists = Record<string, unknown> | readonly unknown[] | undefined
type Outcome = 'right' | 'left alone' | 'wrong'

interface Case {
  kind: string
  fullName: string
  firstName: string
  lastName: string
}

const titles: Record<string, readonly string[]> = {
  en: ['Mr', 'Mrs', 'Ms', 'Miss', 'Dr.', 'Prof.', 'Rev.'],
  fr: ['M.', 'Mme', 'Mlle', 'Dr'],
  de: ['Herr', 'Frau', 'Herr Dr.', 'Frau Prof. Dr.'],
  es: ['Sr.', 'Sra.', 'Srta.', 'D.', 'Dña.', 'Don'],
  pt: ['Sr.', 'Sra.', 'Dra.', 'Dr.'],
  it: ['Sig.', 'Sig.ra', 'Dott.', 'Dott.ssa', 'Avv.', 'Ing.'],
  nl: ['Dhr.', 'Mevr.', 'Mw.', 'Drs.', 'Ir.'],
}
const suffixes = [
  ' Jr',
  ' Jr.',
  ', Jr.',
  ' III',
  ' II',
  ' PhD',
  ', Ph. D.',
  ', MD',
  ' M.D.',
  ' Esq',
  ' OBE',
  ' MBA',
  ', DDS',
  ' Sr.',
]
const particles: Record<string, readonly string[]> = {
  nl: ['van ', 'van der ', 'de ', 'van den ', 'ter ', 'van de '],
  de: ['von ', 'von der ', 'zu '],
  it: ['Di ', 'De ', 'Della ', 'Lo '],
  fr: ['de ', 'Le ', 'du ', 'de la '],
  es: ['de la ', 'del ', 'de '],
  pt: ['da ', 'dos ', 'de ', 'do ', 'das '],
}

let seed = 12345
function random(): number {
  seed = (seed * 1103515245 + 12345) & 0x7fffffff
  return seed / 0x7fffffff
}
const pick = <Value>(list: readonly Value[]) => list[Math.floor(random() * list.length)] as Value

function namesOf(lists: Lists): string[] {
  const all = Array.isArray(lists) ? lists : Object.values(lists ?? {}).flat()
  return all.map((entry) => (typeof entry === 'string' ? entry : String((entry as { value: string }).value)))
}

function caseOf(language: string, firsts: readonly string[], lasts: readonly string[]): Case {
  const code = language.slice(0, 2)
  const first = pick(firsts)
  const last = pick(lasts)
  const letter = pick([...'ABCDEFGHJKLMNPRSTWY'])
  const caseOfKind = (kind: string, fullName: string, firstName = first, lastName = last): Case => ({ kind, fullName, firstName, lastName }) // biome-ignore format: a row
  const roll = random()
  if ((code === 'es' && roll < 0.4) || (code === 'pt' && roll < 0.2)) {
    const both = `${last} ${pick(lasts)}`
    return caseOfKind('two surnames', `${first} ${both}`, first, both)
  }
  const own = particles[code]
  if (own && roll >= 0.4 && roll < 0.5) {
    const whole = pick(own) + last
    const name = `${first} ${whole}`
    return caseOfKind('particle', random() < 0.3 ? name.toUpperCase() : name, first, whole)
  }
  const kind = random()
  if (kind < 0.3) return caseOfKind('plain', `${first} ${last}`)
  if (kind < 0.42) {
    const initial = random() < 0.5 ? letter : `${letter}.`
    return caseOfKind('initial', `${first} ${initial} ${last}`, `${first} ${initial}`)
  }
  if (kind < 0.5) {
    const middle = pick(firsts)
    return caseOfKind('middle name', `${first} ${middle} ${last}`, `${first} ${middle}`)
  }
  if (kind < 0.58) return caseOfKind('LAST, FIRST', `${last}, ${first}`.toUpperCase())
  if (kind < 0.65) return caseOfKind('Last, First M.', `${last}, ${first} ${letter}.`, `${first} ${letter}.`)
  if (kind < 0.75)
    return caseOfKind('title', `${pick(titles[code] ?? (titles.en as readonly string[]))} ${first} ${last}`)
  if (kind < 0.83) return caseOfKind('letters behind', `${first} ${last}${pick(suffixes)}`)
  if (kind < 0.91) return caseOfKind('capitals', `${first} ${last}`.toUpperCase())
  if (kind < 0.94) return caseOfKind('LAST JR, FIRST', `${last} JR, ${first}`.toUpperCase())
  if (kind < 0.96) return caseOfKind('small letters', `${first} ${last}`.toLowerCase())
  if (kind < 0.98) {
    const two = [`${first} & ${pick(firsts)} ${last}`, `Mr & Mrs ${last}`, `Herr und Frau ${last}`, `M. et Mme ${last}`]
    return caseOfKind('couple', pick(two), '', '')
  }
  const firms = [
    `${last} LLC`,
    `${last} & Sons`,
    `${last} Ltd`,
    `${last} University`,
    `${first} ${last} GmbH`,
    `The ${last} Trust`,
  ]
  return caseOfKind('firm', pick(firms), '', '')
}

/** Ignores case and the Turkish dotless i, which capitals do not distinguish. */
const alike = (a: string, b: string) => plain(a) === plain(b)
const plain = (text: string) => text.normalize('NFC').toLocaleLowerCase('tr').normalize('NFD').replaceAll(/ı/g, 'i').replaceAll('i\u0307', 'i') // biome-ignore format: a row

/** Couples and firms are right when they are left unchanged. */
function outcomeOf({ fullName, firstName, lastName }: Case): Outcome {
  const found = withNameFields({ title: '', firstName: '', lastName: '', fullName })
  const isNobody = firstName === '' && lastName === ''
  if (!found) return isNobody ? 'right' : 'left alone'
  return !isNobody && alike(found.firstName, firstName) && alike(found.lastName, lastName) ? 'right' : 'wrong'
}

if (!from) {
  console.log('names: set NAMES_FROM to a folder in which @faker-js/faker is installed')
} else {
  const { allFakers } = createRequire(join(from, 'package.json'))('@faker-js/faker') as {
    allFakers: Record<string, { rawDefinitions: { person?: Record<string, Lists> } }>
  }
  const listOf = (language: string, name: string) => {
    const own = namesOf(allFakers[language]?.rawDefinitions.person?.[name])
    return own.length > 0 ? own : namesOf(allFakers.en?.rawDefinitions.person?.[name])
  }
  const counts = new Map<string, Record<Outcome, number>>()
  for (const language of languages) {
    const firsts = listOf(language, 'first_name')
    const lasts = listOf(language, 'last_name')
    for (let n = 0; n < perLanguage; n++) {
      const nameCase = caseOf(language, firsts, lasts)
      for (const row of [nameCase.kind, 'all']) {
        const count = counts.get(row) ?? { right: 0, 'left alone': 0, wrong: 0 }
        count[outcomeOf(nameCase)]++
        counts.set(row, count)
      }
    }
  }
  console.log('| names | number | right | left alone | wrong |\n|---|---|---|---|---|')
  for (const [kind, count] of counts) {
    const total = count.right + count['left alone'] + count.wrong
    const share = (outcome: Outcome) => `${((count[outcome] / total) * 100).toFixed(1)}%`
    console.log(`| ${kind} | ${total} | ${share('right')} | ${share('left alone')} | ${share('wrong')} |`)
  }
}
