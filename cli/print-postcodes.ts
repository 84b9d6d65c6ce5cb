import { formatCount } from '#core/kernel/text-format.ts'
import type { PostcodeFileContents } from '#core/postcode-files/postcode-file-row.ts'
import { type CliOutput, labelled } from './cli-output.ts'
import { printable } from './style.ts'

/** Prints the counts of a postcode file and its first rejected rows. */
export async function printPostcodes(cliOutput: CliOutput, file: PostcodeFileContents): Promise<void> {
  await cliOutput.print(
    labelled([
      ['File', printable(file.fileName)],
      ['Postcodes', formatCount(file.codes)],
      ['Rows', formatCount(file.rows)],
      ['Rejected', formatCount(file.failed)],
      ['Readers changed', file.changed === null ? null : formatCount(file.changed)],
    ]),
  )
  const firstRejects = file.rejects.slice(0, 5)
  for (const { line, value, reason } of firstRejects)
    await cliOutput.print(`  line ${formatCount(line)}: ${value === '' ? '' : `"${printable(value)}" `}${reason}`)
  if (file.failed > firstRejects.length && firstRejects.length > 0)
    await cliOutput.print(`  and ${formatCount(file.failed - firstRejects.length)} more`)
}
