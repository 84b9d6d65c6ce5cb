/** How an engine glues cells and rows together before it hands them over. */
interface Glue {
  /** What stands between cells and between rows; one of them may also follow the last cell. */
  marks: string
  /** Makes the character after it a part of the cell, mark or not. */
  escapeSign?: string
  /** Every place where a cell cannot go out as it stands: something to quote, an escape, or what a spreadsheet would run. Global. */
  care: RegExp
  /** A cell that needs care, as it stands in a CSV. */
  cellOf(cell: string): string
}

/**
 * Glued rows with the cells that need care printed for a CSV. The others, by far the most, are passed on in long stretches and never
 * looked at one by one: splitting every row into forty cells and joining them again costs several times as much.
 */
export function printCells(text: string, { marks, escapeSign = '', care, cellOf }: Glue): string {
  let printed = ''
  let from = 0
  care.lastIndex = 0
  for (let found = care.exec(text); found; found = care.exec(text)) {
    let start = found.index
    // A match may begin with the mark before the cell. What stands before the first place of care in a cell has no escape.
    if (marks.includes(text[start] as string)) start++
    else while (start > from && !marks.includes(text[start - 1] as string)) start--
    let end = start
    for (; end < text.length && !marks.includes(text[end] as string); end++) if (text[end] === escapeSign) end++
    printed += text.slice(from, start) + cellOf(text.slice(start, end))
    from = end
    care.lastIndex = end
  }
  return printed + text.slice(from)
}
