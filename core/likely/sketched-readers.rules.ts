import { type LikelyRecord, packRecord } from './likely-record.rules.ts'
import { sketchLength, writeSketch } from './pair-sketch.rules.ts'

/** Readers prepared for the search, in arrays that can be sent to another thread without a copy. */
export interface SketchedReaders {
  count: number
  /** `sketchLength` numbers per reader. */
  sketches: Int32Array<ArrayBuffer>
  /** Each record as UTF-8 text, followed by `textEnd`. */
  texts: Uint8Array<ArrayBuffer>
}

/** The byte at the end of each text: a control character, which no record contains. */
export const textEnd = 0x1e

export function sketchedReaders(records: readonly LikelyRecord[]): SketchedReaders {
  const sketches = new Int32Array(records.length * sketchLength)
  let texts = ''
  records.forEach((record, index) => {
    writeSketch(record, sketches, index * sketchLength)
    texts += packRecord(record) + String.fromCharCode(textEnd)
  })
  return { count: records.length, sketches, texts: new TextEncoder().encode(texts) }
}
