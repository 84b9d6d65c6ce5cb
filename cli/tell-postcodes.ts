import { formatCount } from '#core/kernel/words.ts'
import type { PostcodeFileView } from '#core/postcode-files/postcode-file-row.ts'
import { printable } from './style.ts'
import { labelled, type Talk } from './talk.ts'

/** A postcode file as label rows, with the first rows of it that are no postcodes. */
export async function tellPostcodes(talk: Talk, file: PostcodeFileView): Promise<void> {
  await talk.print(
    labelled([
      ['File', printable(file.fileName)],
      ['Postcodes', formatCount(file.codes)],
      ['Rows', formatCount(file.rows)],
      ['Rejected', formatCount(file.failed)],
      ['Readers changed', file.changed === null ? null : formatCount(file.changed)],
    ]),
  )
  const shown = file.rejects.slice(0, 5)
  for (const { line, value, reason } of shown)
    await talk.print(`  line ${formatCount(line)}: ${value === '' ? '' : `"${printable(value)}" `}${reason}`)
  if (file.failed > shown.length && shown.length > 0)
    await talk.print(`  and ${formatCount(file.failed - shown.length)} more`)
}
