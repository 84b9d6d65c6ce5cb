import type { Day } from './dates.ts'

/** The file name of a download: the publication's name and the day as 5112026, without characters that file systems and headers cannot take. */
export function downloadName(publicationName: string, on: Day, what = '', kind: 'csv' | 'zip' = 'csv'): string {
  const name = publicationName
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N} .-]+/gu, '')
    .replaceAll(/\s+/g, '_')
    .replaceAll(/^[.-]+/g, '')
  const [year, month, day] = on.split('-').map(Number)
  return `${name ? `${name}_${day}${month}${year}` : 'unknown'}${what}.${kind}`
}
