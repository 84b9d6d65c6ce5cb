import { countOf } from '../kernel/text-format.ts'

/** Cells of one kind that were left out of imported rows: how often, and the first of them. */
export interface LeftOut {
  column: string
  /** What was wrong, as text that follows the value. */
  reason: string
  count: number
  cells: { line: number; value: string }[]
}

const maxCells = 20

/** Adds to the counts. Mutates `all`. */
export function addLeftOut(all: LeftOut[], more: readonly LeftOut[]): void {
  for (const { column, reason, count, cells } of more) {
    let kind = all.find((one) => one.column === column && one.reason === reason)
    if (!kind) {
      kind = { column, reason, count: 0, cells: [] }
      all.push(kind)
    }
    kind.count += count
    kind.cells.push(...cells.slice(0, maxCells - kind.cells.length))
  }
}

/** "12 Email cells were left out and their rows imported without them. The value is not an email address: “No” on line 3 and 11 more". */
export function leftOutText({ column, reason, count, cells }: LeftOut): string {
  const examples = cells.slice(0, 3).map(({ line, value }) => `“${value}” on line ${line}`)
  const more = count > examples.length ? ` and ${countOf(count - examples.length, 'more', 'more')}` : ''
  const what =
    count === 1
      ? `1 ${column} cell was left out and its row imported without it`
      : `${countOf(count, '', `${column} cells`)} were left out and their rows imported without them`
  return `${what}. The value ${reason}: ${examples.join(', ')}${more}`
}
