/** How an engine concatenates cells and rows before it returns them. */
interface RowFormat {
  /** The separators between cells and between rows; one of them may also follow the last cell. */
  separators: string
  /** The escape: makes the next character part of the cell, even a separator. */
  escapeCharacter?: string
  /** Matches each part of a cell that cannot be output unchanged: something to quote, an escape, or what a spreadsheet would run. Global. */
  special: RegExp
  /** Prints a cell that needs escaping for a CSV. */
  cellOf(cell: string): string
}

/**
 * Concatenated rows in which the cells that need escaping are printed for a CSV. The others, by far the majority, are copied in long runs and not
 * examined one by one: splitting every row into forty cells and joining them again costs several times as much.
 */
export function escapeCells(text: string, { separators, escapeCharacter = '', special, cellOf }: RowFormat): string {
  let printed = ''
  let from = 0
  special.lastIndex = 0
  for (let match = special.exec(text); match; match = special.exec(text)) {
    let start = match.index
    // A match may begin with the separator before the cell. The text before the first match in a cell has no escape.
    if (separators.includes(text[start] as string)) start++
    else while (start > from && !separators.includes(text[start - 1] as string)) start--
    let end = start
    for (; end < text.length && !separators.includes(text[end] as string); end++)
      if (text[end] === escapeCharacter) end++
    printed += text.slice(from, start) + cellOf(text.slice(start, end))
    from = end
    special.lastIndex = end
  }
  return printed + text.slice(from)
}
