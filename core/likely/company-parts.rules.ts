import { textKey } from '../kernel/search-keys.rules.ts'

const forms: Record<string, string> = {
  ltd: '', limited: '', plc: '', llp: '', inc: '', incorporated: '', corp: 'corporation', co: 'company', company: 'company', the: '',
  and: '', uk: '', gb: '', group: '', holdings: '', bros: 'brothers', assoc: 'association', assn: 'association', dept: 'department',
  univ: 'university', uni: 'university', st: 'saint', intl: 'international', mfg: 'manufacturing', svcs: 'services', ctr: 'centre',
  center: 'centre', lib: 'library', hosp: 'hospital', sch: 'school', coll: 'college', soc: 'society', cttee: 'committee',
} // biome-ignore format: a table

/** A company's name without what is left out as often as not (Ltd, The, &), with common short forms written out. */
export function companyWords(name: string): string {
  if (name === '') return ''
  const words = textKey(name).split(' ')
  const kept = words.map((word) => forms[word] ?? word).filter((word) => word !== '')
  return (kept.length > 0 ? kept : words).join(' ')
}
