import { publisherSettings } from '../accounts/publisher-settings.query.ts'
import type { AppContext } from '../context.ts'
import { mayBeDamaged } from '../kernel/damaged-text.rules.ts'
import { shortened } from '../kernel/text-format.ts'
import type { InspectedFile } from '../ports/upload-files.ts'
import type { PublicationRow } from '../publications/publications.rows.ts'
import { readerColumns } from '../reader-files/reader.columns.ts'
import { cellKinds } from '../readers/cell-kinds.rules.ts'
import type { ImportMode } from './import-modes.rules.ts'
import { isRejectedRow, makeRowReader } from './load/read-row.rules.ts'
import { headRecords } from './load/sample-rows.ts'

/** A record of a file as it will be stored: its values, by the reader columns. A rejected one has its raw cells, by the columns of the file. */
export interface FirstRecord {
  line: number
  cells: { column: string; value: string }[]
  /** Why it is rejected; null for a good one. */
  problem: string | null
}

const maxRecords = 3
const maxCellLength = 120

/** The first records of a file, read as an import reads them. */
export async function firstRecords(
  ctx: AppContext,
  {
    publication,
    mode,
    file,
    columns,
    lenient,
  }: { publication: PublicationRow; mode: ImportMode; file: InspectedFile; columns: number[]; lenient: boolean },
): Promise<FirstRecord[]> {
  const settings = await publisherSettings(ctx, publication.publisherId)
  const readRow = makeRowReader({ mode, columns, header: file.header, ...settings, lenient })
  const records: FirstRecord[] = []
  for (const { line, cells } of await headRecords(file, maxRecords)) {
    const row = readRow(cells, mayBeDamaged(cells.join('')))
    if (isRejectedRow(row)) {
      const [first] = row.problems
      const problem = [first?.column, first?.value && `“${first.value}”`, first?.reason].filter(Boolean).join(' ')
      records.push({ line, cells: rawCells(file, cells), problem })
    } else {
      const stored = columns.flatMap((place, index) => {
        const column = readerColumns[place]
        if (!column || (cells[index] ?? '').trim() === '') return []
        const value = row.values[place]
        if (column.column === 'id') return [{ column: column.header, value: String(row.buyerId ?? '') }]
        return value === undefined
          ? []
          : [{ column: column.header, value: shortened(cellKinds[column.kind].print(value, settings), maxCellLength) }]
      })
      records.push({ line, cells: stored.filter(({ value }) => value !== ''), problem: null })
    }
  }
  return records
}

function rawCells({ header }: InspectedFile, cells: readonly string[]): FirstRecord['cells'] {
  return cells.slice(0, 40).map((cell, index) => ({
    column: header[index] || `Column ${index + 1}`,
    value: shortened(cell.trim(), maxCellLength),
  }))
}
