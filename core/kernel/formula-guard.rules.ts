/** Apostrophes in front of a character that a spreadsheet would take as the start of a formula. */
const guarded = /^'+[=+\-@\t\r]/
const risky = /^'*[=+\-@\t\r]/

/** Puts an apostrophe before a cell that a spreadsheet could run as a formula (one more if it has some already): exactly what `unguard` removes. */
export function guard(cell: string): string {
  return risky.test(cell) ? `'${cell}` : cell
}

export function unguard(cell: string): string {
  return cell.charCodeAt(0) === 39 && guarded.test(cell) ? cell.slice(1) : cell
}
