import { parseUkPostCode } from '../kernel/uk-postcode.rules.ts'

/** A postcode as files and readers are compared: only capitals and digits. Null for anything else. */
export function postcodeKey(text: string): string | null {
  return parseUkPostCode(text)?.text.replace(' ', '') ?? null
}

/** Postcodes of the British forces and of Girobank are in no postcode file, but are valid. */
export function isOutsidePostcodeFiles(key: string): boolean {
  return key.startsWith('BFPO') || key === 'GIR0AA'
}

const headerNames = new Set([
  'postcode',
  'postcodes',
  'pcds',
  'pcd',
  'pcd2',
  'pcd7',
  'pcd8',
  'pcode',
  'postalcode',
  'zip',
  'postzip',
])
const normalise = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** The column of a file's postcodes, and whether its first line is already one of them; null if no column qualifies. */
export function postcodeColumn(header: readonly string[]): { index: number; isHeaderless: boolean } | null {
  const postcodeIndex = header.findIndex((cell) => parseUkPostCode(cell) !== null)
  if (postcodeIndex >= 0) return { index: postcodeIndex, isHeaderless: true }
  const namedIndex = header.findIndex((name) => headerNames.has(normalise(name)))
  if (namedIndex >= 0) return { index: namedIndex, isHeaderless: false }
  return header.length === 1 ? { index: 0, isHeaderless: false } : null
}
