import { cutText } from '#core/kernel/text-format.ts'
import type { CliOutput } from './cli-output.ts'
import { isTerminal } from './io.ts'
import { printable } from './style.ts'

export interface Column<Row> {
  header: string
  /** The value for the terminal; also for a pipe if there is no `raw`. */
  show(row: Row): string | number | null
  /** The full value for a pipe: complete timestamps, plain numbers. */
  raw?(row: Row): string | number | null
  align?: 'right'
}

/** How many rows of an unlimited list a terminal shows; a pipe gets all. */
export const maxOnScreen = 200

const gap = 2
const minWidth = 6

/**
 * Prints a listing. A terminal gets upper-case headers and columns cut to its width; a pipe gets tab-separated lines
 * without a header row, for `cut`, `sort` and `while read`.
 */
export async function printTable<Row>(
  cliOutput: CliOutput,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): Promise<void> {
  const { stdout } = cliOutput.io
  if (!isTerminal(stdout)) {
    for (const row of rows) {
      await cliOutput.print(columns.map(({ show, raw }) => printable(String((raw ?? show)(row) ?? ''))).join('\t'))
    }
    return
  }
  const cells = rows.map((row) => columns.map(({ show }) => printable(String(show(row) ?? '-'))))
  const widths = columns.map(({ header }, index) =>
    cells.reduce((width, line) => Math.max(width, line[index]?.length ?? 0), header.length),
  )
  fit(widths, stdout.columns ?? 80)
  const line = (texts: readonly string[]) =>
    texts
      .map((text, index) => {
        const width = widths[index] ?? 0
        const cut =
          text.length > width ? cutText(text, width - cliOutput.out.ellipsis.length) + cliOutput.out.ellipsis : text
        return columns[index]?.align === 'right' ? cut.padStart(width) : cut.padEnd(width)
      })
      .join(' '.repeat(gap))
      .trimEnd()
  await cliOutput.print(cliOutput.out.bold(line(columns.map(({ header }) => header.toUpperCase()))))
  for (const texts of cells) await cliOutput.print(line(texts))
}

/** Narrows the widest column until the line fits; in a very narrow window the line wraps. */
function fit(widths: number[], room: number): void {
  let excess = widths.reduce((sum, width) => sum + width + gap, -gap) - room
  while (excess > 0) {
    const widest = widths.indexOf(Math.max(...widths))
    const width = widths[widest] ?? 0
    if (width <= minWidth) return
    widths[widest] = width - 1
    excess--
  }
}
