import { csvText } from '../kernel/csv-text.ts'
import { type Day, formatDay } from '../kernel/dates.ts'
import { type PostalZone, postalZoneNames, postalZones } from '../kernel/postal-zones.rules.ts'
import type { MailingSummary } from './mailing-file.rules.ts'
import { type MailingTally, postedTypes } from './mailing-file.rules.ts'

/** One of the files that were made. */
export interface WrittenFile {
  name: string
  /** Null: every requested zone. */
  zone: PostalZone | null
  readers: number
  bytes: number
  sha256: string
}

/** The sheet that goes to the mailing house with its files: included and left out together are all readers of the publication. */
export interface CountsSheet {
  publication: string
  on: Day
  layout: string
  encoding: string
  readers: number
  included: number
  zones: { zone: PostalZone; label: string; print: number; bundle: number; readers: number }[]
  excluded: MailingSummary['excluded']
  files: WrittenFile[]
  /** Characters that the encoding does not have: replaced by others, or lost. */
  letters: { replaced: number; lost: number }
  /** Cells cut to the layout's width. */
  shortened: number
}

export function countedZones(tally: MailingTally): CountsSheet['zones'] {
  return postalZones.map((zone) => {
    const types = tally.zones[zone]
    return {
      zone,
      label: postalZoneNames[zone],
      ...types,
      readers: postedTypes.reduce((sum, type) => sum + types[type], 0),
    }
  })
}

/** The sheet as CSV: what is counted, of what, and how many; once the files are made, also each file and what its cells lost. */
export function countsCsv(sheet: CountsSheet): string {
  const lines: [string, string, string | number, ...(string | number)[]][] = [
    ['File for', sheet.publication, formatDay(sheet.on)],
    ['Layout', sheet.layout, sheet.encoding],
    ...sheet.zones.flatMap(({ label, print, bundle }): [string, string, number][] => [
      ['Print', label, print],
      ['Bundle', label, bundle],
    ]),
    ['In the file', 'All zones', sheet.included],
    ...sheet.excluded.map(({ label, count }): [string, string, number] => ['Left out', label, count]),
    ['All readers', sheet.publication, sheet.readers],
    // Before the files are written, nothing is known about lost characters.
    ...(sheet.files.length === 0
      ? []
      : ([
          ['Characters replaced', sheet.encoding, sheet.letters.replaced],
          ['Characters lost', sheet.encoding, sheet.letters.lost],
          ['Cells shortened', sheet.layout, sheet.shortened],
        ] satisfies [string, string, number][])),
    ...sheet.files.map(({ name, readers, bytes, sha256 }): [string, string, number, number, string] => [
      'File',
      name,
      readers,
      bytes,
      sha256,
    ]),
  ]
  const headers = ['What', 'Of', 'Count', 'Bytes', 'SHA-256']
  return csvText([headers, ...lines].map((line) => headers.map((_, index) => String(line[index] ?? ''))))
}
