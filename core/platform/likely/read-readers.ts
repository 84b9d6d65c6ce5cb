import { likelyRecord, likelySource } from '#core/likely/likely-record.rules.ts'
import { type SketchedReaders, sketchedReaders } from '#core/likely/sketched-readers.rules.ts'

/** Readers prepared for the search, and the version of each. */
export interface ReadReaders {
  readers: SketchedReaders
  versions: Int32Array<ArrayBuffer>
}

/** Parses a chunk of `likelyCells`. */
export function readReaders(cells: string): ReadReaders {
  const rows = cells.split('\x1e')
  const versions = new Int32Array(rows.length)
  const records = rows.map((row, index) => {
    const source = row.split('\x1f')
    versions[index] = Number(source.at(-1))
    return likelyRecord(likelySource(source))
  })
  return { readers: sketchedReaders(records), versions }
}
