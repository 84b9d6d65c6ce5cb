const escapes: Record<string, string> = { t: '\t', n: '\n', r: '\r', b: '\b', f: '\f', v: '\v', '\\': '\\' }

/** Unescapes a cell of PostgreSQL's COPY text format. */
export function copiedCell(cell: string): string {
  return cell.includes('\\') ? cell.replaceAll(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter) : cell
}
