import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ImportReport } from '#core/imports/import-report.ts'
import { formatCount, quoted } from '#core/kernel/text-format.ts'
import { interrupted, usageError } from './cli-error.ts'
import type { CliOutput } from './cli-output.ts'
import { promptText } from './prompt.ts'

/** Reads a column map: a JSON object that maps the columns of a reader file to ours. */
export async function readMap(cliOutput: CliOutput, name: string): Promise<Record<string, string>> {
  const example = '{"Customer No": "UniqueReference", "Town": "City", "Shoe size": ""}'
  const text = await readFile(resolve(cliOutput.io.cwd, name), 'utf8').catch(() => {
    throw usageError(`There is no column map ${quoted(name)}`, `a column map is one JSON object, such as ${example}`)
  })
  try {
    const map: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    if (typeof map === 'object' && map !== null && !Array.isArray(map)) {
      const pairs = Object.entries(map)
      if (pairs.every(([, column]) => typeof column === 'string'))
        return Object.fromEntries(pairs) as Record<string, string>
    }
  } catch {
    // Reported below, like JSON that is not a column map.
  }
  throw usageError(`${name} is not a valid column map`, `a column map is one JSON object, such as ${example}`)
}

/** Refuses a replacement that is confirmed for another publication, or that cannot be confirmed. */
export function checkConfirm(cliOutput: CliOutput, urlKey: string, confirm: string | undefined): void {
  if (confirm === undefined) {
    if (cliOutput.canPrompt()) return
    throw usageError(
      'replacing readers must be confirmed',
      `add --confirm ${urlKey}; to see what would change: --dry-run`,
    )
  }
  if (confirm.trim().toLowerCase() !== urlKey.toLowerCase())
    throw usageError(`--confirm ${confirm} is not the publication whose readers are replaced`, `it is ${urlKey}`)
}

/** Shows what a replacement would do and asks the user to confirm it by typing the handle. */
export async function confirmReplacement(cliOutput: CliOutput, urlKey: string, preview: ImportReport): Promise<void> {
  if (preview.state !== 'done') throw interrupted('Nothing was changed')
  const { added, updated, unchanged, removed, failed } = preview
  cliOutput.warn(
    `${urlKey}: ${formatCount(added)} would be added, ${formatCount(updated)} updated, ${formatCount(unchanged)} left unchanged, ` +
      `${formatCount(removed)} removed, ${formatCount(failed)} rows rejected.`,
  )
  const typed = await promptText(cliOutput, `Type ${urlKey} to replace its readers`)
  if (typed.toLowerCase() !== urlKey.toLowerCase()) throw interrupted('Nothing was changed')
}
