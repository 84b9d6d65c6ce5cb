const escapes: Record<string, string> = { t: '\t', n: '\n', r: '\r', b: '\b', f: '\f', v: '\v', '\\': '\\' }

/** A cell of PostgreSQL's COPY text format without its escapes. */
export function copiedCell(cell: string): string {
  return cell.includes('\\') ? cell.replaceAll(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter) : cell
}
