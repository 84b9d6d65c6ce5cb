import type { DuplicateGroup } from '#core/duplicates/list-duplicates.query.ts'
import type { ExactMerge } from '#core/duplicates/merge-exact.ts'
import { mergeableLists } from '#core/duplicates/mergeable-group.rules.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import type { DuplicateKey } from '#core/warnings/warnings.rules.ts'
import { choosePublication, requireHandle } from './choose-publication.ts'
import { interrupted, usageError } from './cli-error.ts'
import type { CliOutput } from './cli-output.ts'
import type { Cli } from './command.ts'
import type { DedupeFlags } from './commands/dedupe.ts'
import { isTerminal, write } from './io.ts'
import { makeProgress } from './progress.ts'
import { confirm } from './prompt.ts'
import { type Session, withSession } from './session.ts'
import { type Column, maxOnScreen, printTable } from './table.ts'

/** Lists or merges the exact duplicates of a publication. */
export async function runDedupeExact({ cliOutput }: Cli, options: DedupeFlags, list: DuplicateKey): Promise<number> {
  const { apply = false, dryRun = false, by } = options
  if (options.minConfidence !== undefined) throw usageError('--min-confidence is for --by likely', 'leave it out')
  const mergeable = mergeableLists.find((key) => key === list)
  if (apply && !mergeable) {
    throw usageError(
      `readers with the same ${by} are often a family or neighbours`,
      'merge by full-name, email or likely instead',
    )
  }
  requireHandle(cliOutput, options.publication)
  return withSession(cliOutput, options, async (session) => {
    const urlKey = await choosePublication(cliOutput, session, options.publication)
    if (!apply || !mergeable) return printGroups(cliOutput, session, { urlKey, list, by })
    const request = { urlKey, list: mergeable, dryRun }
    if (!dryRun) {
      let question = `Merge the readers of ${urlKey} with the same ${by}?`
      if (!options.yes && cliOutput.canPrompt()) {
        const preview = await mergeGroups(cliOutput, session, { ...request, dryRun: true })
        if (preview.isCancelled) throw interrupted('Nothing was merged')
        question = mergeQuestion({ groups: preview.merged, removed: preview.removed }, `${urlKey} with the same ${by}`)
      }
      if (!(await confirm(cliOutput, question, options.yes))) throw interrupted('Nothing was merged')
    }
    const merge = await mergeGroups(cliOutput, session, request)
    await printMerge(cliOutput, { urlKey, by, dryRun, merge })
    if (merge.isCancelled) throw interrupted('Stopped; groups merged so far stay merged')
    return 0
  })
}

/** What a bulk merge would do, as a question. */
export function mergeQuestion({ groups, removed }: { groups: number; removed: number }, scope: string): string {
  return `Merge ${countOf(groups, 'group')} of ${scope}, and remove ${countOf(removed, 'reader')}?`
}

async function mergeGroups(
  cliOutput: CliOutput,
  { ctx }: Session,
  request: { urlKey: string; list: DuplicateKey; dryRun: boolean },
): Promise<ExactMerge> {
  const { mergeExact } = await import('#core/duplicates/merge-exact.ts')
  const progress = makeProgress(cliOutput, `Duplicates of ${request.urlKey}`, 'groups')
  try {
    return await mergeExact(ctx, {
      ...request,
      signal: cliOutput.io.signal,
      onProgress: ({ groups }: ExactMerge) => progress.update(groups, 0),
    })
  } finally {
    progress.end()
  }
}

async function printMerge(
  cliOutput: CliOutput,
  { urlKey, by, dryRun, merge }: { urlKey: string; by: string; dryRun: boolean; merge: ExactMerge },
): Promise<void> {
  const { batchId, groups, merged, left, renewing, paid, removed } = merge
  if (cliOutput.flags.json) {
    await cliOutput.json({
      publication: urlKey,
      by,
      dryRun,
      groups,
      merged: dryRun ? 0 : merged,
      mergeable: merged,
      left,
      renewing,
      paid,
      removed: dryRun ? 0 : removed,
      batch: batchId,
    })
    return
  }
  const uncertainCount = left - renewing - paid
  const leftText = [
    uncertainCount > 0 ? `; ${formatCount(uncertainCount)} left because they may be different readers` : '',
    skippedGroups({ renewing, paid }),
  ].join('')
  if (dryRun)
    cliOutput.summary(
      `Would merge ${countOf(merged, 'group')} of ${urlKey} and remove ${countOf(removed, 'reader')}${leftText}`,
    )
  else {
    cliOutput.summary(
      `${cliOutput.err.done} Merged ${countOf(merged, 'group')} of ${urlKey}, ${countOf(removed, 'reader')} removed${leftText}`,
    )
    if (merged > 0) cliOutput.say('Undo it in the back office: Manage Data, Likely duplicates')
  }
}

/** The groups that a bulk merge skips, with the reason, to be appended to its summary. */
export function skippedGroups({ renewing, paid }: { renewing: number; paid: number }): string {
  const skipped = (groups: number, why: string) =>
    groups > 0 ? `; ${countOf(groups, 'group')} left because ${why}` : ''
  return (
    skipped(
      renewing,
      'more than one reader renews automatically: merge them in the back office, which asks which renewal to keep',
    ) + skipped(paid, 'more than one reader has a running paid subscription')
  )
}

interface Line {
  group: number
  reader: DuplicateGroup['readers'][number]
}

const columns: readonly Column<Line>[] = [
  { header: 'Group', show: ({ group }) => group, align: 'right' },
  { header: 'Reference', show: ({ reader }) => reader.uniqueReference },
  { header: 'Name', show: ({ reader }) => reader.fullName || `${reader.firstName} ${reader.lastName}`.trim() },
  { header: 'Address', show: ({ reader }) => reader.addressOne },
  { header: 'Postcode', show: ({ reader }) => reader.postCode },
  { header: 'Email', show: ({ reader }) => reader.email },
]

async function printGroups(
  cliOutput: CliOutput,
  { ctx }: Session,
  { urlKey, list, by }: { urlKey: string; list: DuplicateKey; by: string },
): Promise<number> {
  const { exactGroups } = await import('#core/duplicates/exact-groups.query.ts')
  const groups = await exactGroups(ctx, { urlKey, list })
  const { stdout } = cliOutput.io
  const isScreen = isTerminal(stdout)
  const { json } = cliOutput.flags
  const lines: Line[] = []
  let count = 0
  if (json) await write(stdout, `${JSON.stringify({ publication: urlKey, by }).slice(0, -1)},"groups":[`)
  for await (const { keys, count: readerCount, readers } of groups) {
    count++
    if (json) {
      const members = readers.map(({ id, uniqueReference, fullName, postCode, email }) => ({
        id,
        uniqueReference,
        fullName,
        postCode,
        email,
      }))
      await write(
        stdout,
        `${count === 1 ? '' : ','}\n${JSON.stringify({ keys, count: readerCount, readers: members })}`,
      )
    } else if (!isScreen || count <= maxOnScreen) {
      lines.push(...readers.map((reader) => ({ group: count, reader })))
      if (!isScreen) await printTable(cliOutput, lines.splice(0), columns)
    }
  }
  if (json) await write(stdout, '\n]}\n')
  else if (isScreen) await printTable(cliOutput, lines, columns)
  if (isScreen && !json && count > maxOnScreen)
    cliOutput.say(`... and ${countOf(count - maxOnScreen, 'more group')}; a pipe or --json lists all`)
  if (!json)
    cliOutput.say(`${cliOutput.err.done} ${countOf(count, 'group')} of readers of ${urlKey} with the same ${by}`)
  return 0
}
