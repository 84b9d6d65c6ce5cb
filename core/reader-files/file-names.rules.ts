import type { Day } from '../kernel/dates.ts'

/** A download's name: the publication's name and the day as 21112026, without what file systems and headers trip over. */
export function downloadName(publicationName: string, on: Day, what = ''): string {
  const name = publicationName
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N} .-]+/gu, '')
    .replaceAll(/\s+/g, '_')
    .replaceAll(/^[.-]+/g, '')
  return `${name || 'publication'}${what}_${on.slice(8, 10)}${on.slice(5, 7)}${on.slice(0, 4)}.csv`
}
