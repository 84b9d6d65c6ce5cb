import { textKey } from '../kernel/search-keys.rules.ts'

const expansions: Record<string, string> = {
  ltd: '', limited: '', plc: '', llp: '', inc: '', incorporated: '', corp: 'corporation', co: '', company: '', the: '',
  and: '', uk: '', gb: '', group: '', holdings: '', bros: 'brothers', assoc: 'association', assn: 'association', dept: 'department',
  univ: 'university', uni: 'university', st: 'saint', intl: 'international', mfg: 'manufacturing', svcs: 'services', ctr: 'centre',
  center: 'centre', lib: 'library', hosp: 'hospital', sch: 'school', coll: 'college', soc: 'society', cttee: 'committee',
} // biome-ignore format: a table

/** A company's name for comparison: without words that are often left out (Ltd, The, &), and with common abbreviations expanded. */
export function normalizedCompanyName(name: string): string {
  if (name === '') return ''
  const words = textKey(name).split(' ')
  const significant = words.map((word) => expansions[word] ?? word).filter((word) => word !== '')
  return (significant.length > 0 ? significant : words).join(' ')
}
