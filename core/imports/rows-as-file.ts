import { z } from 'zod'
import { csvText } from '../kernel/csv-text.ts'
import { invalid } from '../kernel/errors.ts'

/** Rows as programs send them: an object each, with the columns' names. */
const CsvRows = z.array(z.record(z.string(), z.unknown()))
type CsvRow = Record<string, unknown>
const maxNames = 500

/** What an upload takes: a file's bytes as they arrive, or rows. */
export const sentFile = {
  fileName: z.string().optional(),
  chunks: z.custom<AsyncIterable<Uint8Array>>((value) => Symbol.asyncIterator in Object(value)).optional(),
  announcedBytes: z.number().optional(),
  csvdata: z
    .unknown()
    .optional()
    .meta({ type: 'array', items: { type: 'object' } }),
}

/** Rows as a CSV file, so that both take the same path. They are validated when the file is read, after the check of the publication. */
export async function* rowsAsFile(csvdata: unknown): AsyncGenerator<Uint8Array> {
  const rows = CsvRows.safeParse(csvdata)
  if (!rows.success)
    throw invalid({ csvdata: csvdata === undefined ? 'Required' : 'Send the rows as a list of objects' })
  if (rows.data.length === 0) throw invalid({ csvdata: 'Send at least one row' })
  const header = [...new Set(rows.data.flatMap((row) => Object.keys(row)))]
  // If each row had its own column names, the file would grow quadratically.
  if (header.length > maxNames)
    throw invalid({ csvdata: `The rows have ${header.length} different names: at most ${maxNames} can be read` })
  const encoder = new TextEncoder()
  yield encoder.encode(csvText([header]))
  for (let from = 0; from < rows.data.length; from += 1000) {
    const lines = rows.data.slice(from, from + 1000).map((row, index) => cellsOf(row, header, from + index + 1))
    yield encoder.encode(csvText(lines))
  }
}

function cellsOf(row: CsvRow, header: readonly string[], number: number): string[] {
  return header.map((name) => {
    const value = Object.hasOwn(row, name) ? row[name] : ''
    if (value === null || value === undefined) return ''
    if (typeof value === 'object')
      throw invalid({ csvdata: `Row ${number}: "${name}" must be text, a number, true or false` })
    return String(value)
  })
}
