import { StringDecoder } from 'node:string_decoder'
import type { CopyToStreamQuery } from 'pg-copy-streams'

const needsCare = /[",\\]|(?:^|\t)'*[=+\-@]/
const escapes: Record<string, string> = { t: '\t', n: '\n', r: '\r', b: '\b', f: '\f', v: '\v', '\\': '\\' }

interface CopiedRows {
  lineOf(cells: string[]): string
  /** Rows without anything to quote only change tabs for commas, without `lineOf` looking at them. */
  isPlainFine: boolean
  /** `latin1` passes UTF-8 through without decoding it, for a `lineOf` that only looks at ASCII. */
  as: 'latin1' | 'utf8'
}

/** Rows of a COPY in text format as lines in chunks. A reader that stops early ends the COPY with its connection. */
export async function* copiedRows(
  copy: CopyToStreamQuery,
  { lineOf, isPlainFine, as }: CopiedRows,
): AsyncGenerator<Buffer> {
  const decoder = new StringDecoder(as)
  let rest = ''
  try {
    for await (const chunk of copy as AsyncIterable<Buffer>) {
      const text = rest + decoder.write(chunk)
      const end = text.lastIndexOf('\n')
      if (end < 0) {
        rest = text
        continue
      }
      rest = text.slice(end + 1)
      let lines = ''
      for (const row of text.slice(0, end).split('\n')) {
        if (isPlainFine && !needsCare.test(row)) lines += `${row.replaceAll('\t', ',')}\r\n`
        else {
          const cells = row.split('\t')
          lines += lineOf(row.includes('\\') ? cells.map(plainCell) : cells)
        }
      }
      yield Buffer.from(lines, as)
    }
  } finally {
    copy.destroy()
  }
}

function plainCell(cell: string): string {
  return cell.includes('\\') ? cell.replaceAll(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter) : cell
}
