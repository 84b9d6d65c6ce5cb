/** How an engine concatenates cells and rows before it returns them. */
interface Glue {
  /** The separators between cells and between rows; one of them may also follow the last cell. */
  marks: string
  /** The escape: makes the next character part of the cell, even a separator. */
  escapeSign?: string
  /** Every place where a cell cannot be output as it is: something to quote, an escape, or what a spreadsheet would run. Global. */
  care: RegExp
  /** A cell that needs escaping, as it is in a CSV. */
  cellOf(cell: string): string
}

/**
 * Concatenated rows with the cells that need escaping printed for a CSV. The others, by far the most, are passed on in long stretches and never
 * examined one by one: splitting every row into forty cells and joining them again costs several times as much.
 */
export function printCells(text: string, { marks, escapeSign = '', care, cellOf }: Glue): string {
  let printed = ''
  let from = 0
  care.lastIndex = 0
  for (let found = care.exec(text); found; found = care.exec(text)) {
    let start = found.index
    // A match may begin with the separator before the cell. The text before the first match in a cell has no escape.
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
