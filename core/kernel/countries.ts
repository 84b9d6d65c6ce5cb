const otherCodes =
  'AF AX AL DZ AS AD AO AI AQ AG AR AM AW AU AT AZ BS BH BD BB BY BE BZ BJ BM BT BO BQ BA BW BV BR IO BN BG BF BI CV KH CM CA ' +
  'KY CF TD CL CN CX CC CO KM CG CD CK CR CI HR CU CW CY CZ DK DJ DM DO EC EG SV GQ ER EE SZ ET FK FO FJ FI FR GF PF TF GA GM ' +
  'GE DE GH GI GR GL GD GP GU GT GG GN GW GY HT HM VA HN HK HU IS IN ID IR IQ IE IM IL IT JM JP JE JO KZ KE KI KP KR KW KG LA ' +
  'LV LB LS LR LY LI LT LU MO MG MW MY MV ML MT MH MQ MR MU YT MX FM MD MC MN ME MS MA MZ MM NA NR NP NL NC NZ NI NE NG NU NF ' +
  'MK MP NO OM PK PW PS PA PG PY PE PH PN PL PT PR QA RE RO RU RW BL SH KN LC MF PM VC WS SM ST SA SN RS SC SL SG SX SK SI SB ' +
  'SO ZA GS SS ES LK SD SR SJ SE CH SY TW TJ TZ TH TL TG TK TO TT TN TR TM TC TV UG UA AE UM UY UZ VU VE VN VG VI WF EH XK YE ZM ZW'

/**
 * Every ISO 3166 alpha-2 country code, and XK, which postal services and banks use for Kosovo; the two a British storefront sells to most come first.
 */
export const countryCodes: readonly string[] = ['GB', 'US', ...otherCodes.split(' ')]

const knownCodes = new Set(countryCodes)

/** The refusal of any other code. */
export const unknownCountryMessage = 'Choose a country from the list'

/** The same where there is no list: for programs and command lines. */
export const countryCodeMessage = 'Must be the two-letter code of a country, such as GB'

/** Whether a text is a country's code, in capitals. */
export function isCountry(code: string): boolean {
  return knownCodes.has(code)
}

const displayNames = new Map<string, Intl.DisplayNames>()

/** A country's name in a language ("GB" is "United Kingdom"); an unknown code is returned as it is. */
export function countryName(code: string, locale = 'en'): string {
  if (!knownCodes.has(code)) return code
  let displayName = displayNames.get(locale)
  if (!displayName) {
    displayName = new Intl.DisplayNames([locale], { type: 'region', fallback: 'code' })
    displayNames.set(locale, displayName)
  }
  return displayName.of(code) ?? code
}

/** What people write instead of the name: other names, old names, parts of a country, the name in its own language. */
export const countrySynonyms: Readonly<Record<string, readonly string[]>> = {
  GB: [
    'UK',
    'GBR',
    'Great Britain',
    'Britain',
    'United Kingdom of Great Britain and Northern Ireland',
    'England',
    'Scotland',
    'Wales',
    'Cymru',
    'Northern Ireland',
    'Ulster',
  ],
  US: ['USA', 'United States of America', 'America', 'United States'],
  AE: ['UAE', 'Dubai', 'Abu Dhabi'],
  AT: ['Österreich', 'Oesterreich'],
  BE: ['België', 'Belgique'],
  BR: ['Brasil'],
  BS: ['The Bahamas'],
  CD: ['DRC', 'Democratic Republic of the Congo'],
  CG: ['Republic of the Congo'],
  CH: ['Schweiz', 'Suisse', 'Svizzera'],
  CI: ['Ivory Coast'],
  CN: ["People's Republic of China", 'PRC'],
  CV: ['Cape Verde'],
  CZ: ['Czech Republic'],
  DE: ['Deutschland', 'Germany'],
  DK: ['Danmark'],
  ES: ['España'],
  FI: ['Suomi'],
  FK: ['Falklands'],
  GM: ['The Gambia'],
  HK: ['Hong Kong'],
  IE: ['Éire', 'IRL', 'Republic of Ireland', 'Irish Republic', 'Ireland', 'Southern Ireland'],
  IT: ['Italia'],
  KP: ['North Korea'],
  KR: ['Korea', 'South Korea', 'Republic of Korea'],
  MK: ['Macedonia'],
  MM: ['Burma'],
  MO: ['Macau', 'Macao'],
  NL: ['Holland', 'The Netherlands', 'Netherlands', 'Nederland'],
  NO: ['Norge'],
  PL: ['Polska'],
  PS: ['Palestine'],
  RU: ['Russian Federation'],
  SA: ['KSA'],
  SE: ['Sverige'],
  SZ: ['Swaziland', 'Eswatini'],
  TL: ['East Timor'],
  TR: ['Turkey'],
  VA: ['Vatican', 'Holy See'],
  VN: ['Vietnam'],
  XK: ['Kosova', 'Republic of Kosovo'],
  ZA: ['RSA'],
}

/** A name without case, accents, spaces and punctuation: "Côte d’Ivoire" and "cote divoire" are the same. */
function comparableName(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll('&', 'and')
    .replaceAll(/\bst\b\.?/g, 'saint')
    .replaceAll(/[^a-z]/g, '')
}

let byName: Map<string, string> | undefined

function codesByName(): Map<string, string> {
  if (!byName) {
    byName = new Map(countryCodes.map((code) => [comparableName(countryName(code)), code]))
    for (const [code, others] of Object.entries(countrySynonyms))
      for (const name of others) byName.set(comparableName(name), code)
  }
  return byName
}

const cachedCodes = new Map<string, string | null>()

/**
 * The country code for a text: a code, an English name or a usual synonym (UK, Scotland, USA, Holland, Eire), in any case and punctuation;
 * null when unknown.
 */
export function findCountry(text: string): string | null {
  const cached = cachedCodes.get(text)
  if (cached !== undefined) return cached
  const code = text.trim().toUpperCase()
  const comparable = comparableName(text)
  const result = knownCodes.has(code)
    ? code
    : (codesByName().get(comparable) ?? codesByName().get(comparable.replace(/^the/, '')) ?? null)
  // A file repeats a few dozen spellings a million times; the bound keeps a file of nonsense from filling memory.
  if (cachedCodes.size < 2000) cachedCodes.set(text, result)
  return result
}

/** Names that two countries share, in the form of `comparableName`. */
const sharedNames: Readonly<Record<string, readonly string[]>> = { congo: ['CG', 'CD'], virginislands: ['VG', 'VI'] }

/** The codes of the countries that share a name, so that none of them can be meant; empty for any other name. */
export function countriesCalled(text: string): readonly string[] {
  return sharedNames[comparableName(text).replace(/^the/, '')] ?? []
}
