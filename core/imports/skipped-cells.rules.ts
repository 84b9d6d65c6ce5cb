import { countOf } from '../kernel/text-format.ts'

/** Cells of one kind that were skipped in imported rows: how often, and the first of them. */
export interface SkippedCells {
  column: string
  /** What was wrong, as text that follows the value. */
  reason: string
  count: number
  cells: { line: number; value: string }[]
}

const maxCells = 20

/** Adds to the counts. Mutates `all`. */
export function addSkippedCells(all: SkippedCells[], more: readonly SkippedCells[]): void {
  for (const { column, reason, count, cells } of more) {
    let kind = all.find((entry) => entry.column === column && entry.reason === reason)
    if (!kind) {
      kind = { column, reason, count: 0, cells: [] }
      all.push(kind)
    }
    kind.count += count
    kind.cells.push(...cells.slice(0, maxCells - kind.cells.length))
  }
}

/** "12 Email cells were skipped and their rows imported without them. The value is not an email address: “No” on line 3 and 11 more". */
export function skippedCellsText({ column, reason, count, cells }: SkippedCells): string {
  const examples = cells.slice(0, 3).map(({ line, value }) => `“${value}” on line ${line}`)
  const more = count > examples.length ? ` and ${countOf(count - examples.length, 'more', 'more')}` : ''
  const summary =
    count === 1
      ? `1 ${column} cell was skipped and its row imported without it`
      : `${countOf(count, '', `${column} cells`)} were skipped and their rows imported without them`
  return `${summary}. The value ${reason}: ${examples.join(', ')}${more}`
}
