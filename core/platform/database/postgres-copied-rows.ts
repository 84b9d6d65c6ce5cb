import { StringDecoder } from 'node:string_decoder'
import type { CopyToStreamQuery } from 'pg-copy-streams'

/** `latin1` passes UTF-8 through without decoding it, for who only looks at ASCII. */
type Decoding = 'latin1' | 'utf8'

/** A COPY in text format as blocks of whole rows, each row with its line end. A reader that stops early ends the COPY with its connection. */
export async function* copiedBlocks(copy: CopyToStreamQuery, as: Decoding): AsyncGenerator<string> {
  const decoder = new StringDecoder(as)
  let rest = ''
  try {
    for await (const chunk of copy as AsyncIterable<Buffer>) {
      const text = rest + decoder.write(chunk)
      const end = text.lastIndexOf('\n') + 1
      rest = text.slice(end)
      if (end > 0) yield text.slice(0, end)
    }
  } finally {
    copy.destroy()
  }
}

/** The same row by row, as the lines that `lineOf` makes of their cells. */
export async function* copiedRows(
  copy: CopyToStreamQuery,
  { lineOf, as }: { lineOf(cells: string[]): string; as: Decoding },
): AsyncGenerator<Buffer> {
  for await (const block of copiedBlocks(copy, as)) {
    let lines = ''
    for (const row of block.slice(0, -1).split('\n')) lines += lineOf(row.split('\t').map(copiedCell))
    yield Buffer.from(lines, as)
  }
}

const escapes: Record<string, string> = { t: '\t', n: '\n', r: '\r', b: '\b', f: '\f', v: '\v', '\\': '\\' }

/** A copied cell without its escapes. */
export function copiedCell(cell: string): string {
  return cell.includes('\\') ? cell.replaceAll(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter) : cell
}
