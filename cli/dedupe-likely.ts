import type { DedupeOutcome } from '#core/duplicates/dedupe-likely.ts'
import type { LikelyRow } from '#core/duplicates/likely-rows.query.ts'
import type { MergeBatchView } from '#core/duplicates/merge-batch-row.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import { likelyFrom, listableFrom } from '#core/likely/group-pairs.rules.ts'
import { interrupted, usageError } from './cli-error.ts'
import type { CliOutput } from './cli-output.ts'
import type { Cli } from './command.ts'
import type { DedupeFlags } from './commands/dedupe.ts'
import { mergeQuestion, skippedGroups } from './dedupe-exact.ts'
import { isTerminal, write } from './io.ts'
import { makeProgress } from './progress.ts'
import type { Session } from './session.ts'
import { type Column, maxOnScreen, printTable } from './table.ts'

/** Lists or merges the likely duplicates of a publication. */
export async function runDedupeLikely({ cliOutput }: Cli, options: DedupeFlags): Promise<number> {
  const { apply = false, dryRun = false } = options
  const minConfidence = options.minConfidence === undefined ? undefined : Number(options.minConfidence)
  const min = apply ? likelyFrom : listableFrom
  if (minConfidence !== undefined && !(minConfidence >= min && minConfidence <= 1)) {
    throw usageError(`--min-confidence ${options.minConfidence} is not between ${min} and 1`, 'write it as 0.97')
  }
  const [{ withSession }, { choosePublication, requireHandle }] = await Promise.all([
    import('./session.ts'),
    import('./choose-publication.ts'),
  ])
  requireHandle(cliOutput, options.publication)
  return withSession(cliOutput, options, async (session) => {
    const urlKey = await choosePublication(cliOutput, session, options.publication)
    const request = {
      urlKey,
      apply,
      dryRun,
      ...(minConfidence === undefined || !apply ? {} : { minConfidence }),
    }
    if (apply && !dryRun) await confirmMerge(cliOutput, session, { ...request, yes: options.yes })
    const outcome = await search(cliOutput, session, request)
    if (apply) await printMerge(cliOutput, urlKey, outcome, dryRun)
    else await printGroups(cliOutput, session, urlKey, outcome, minConfidence ?? likelyFrom)
    return 0
  })
}

async function confirmMerge(
  cliOutput: CliOutput,
  session: Session,
  { yes, ...request }: Request & { yes: boolean | undefined },
): Promise<void> {
  const { confirm } = await import('./prompt.ts')
  const scope = `${request.urlKey} with a confidence of at least ${percent(request.minConfidence ?? 0.97)}`
  let question = `Merge the likely duplicates of ${scope}?`
  if (!yes && cliOutput.canPrompt()) {
    const { merge } = await search(cliOutput, session, { ...request, dryRun: true })
    question = mergeQuestion({ groups: merge?.groups ?? 0, removed: merge?.readers ?? 0 }, scope)
  }
  if (!(await confirm(cliOutput, question, yes))) throw interrupted('Nothing was merged')
}

interface Request {
  urlKey: string
  apply: boolean
  dryRun: boolean
  minConfidence?: number
}

async function search(cliOutput: CliOutput, { ctx }: Session, request: Request): Promise<DedupeOutcome> {
  const { dedupeLikely } = await import('#core/duplicates/dedupe-likely.ts')
  const title = `Likely duplicates of ${request.urlKey}`
  let progress = makeProgress(cliOutput, title, 'readers')
  let isMerging = false
  const startMerging = () => {
    if (isMerging) return
    isMerging = true
    progress.end()
    progress = makeProgress(cliOutput, title, 'groups')
  }
  try {
    return await dedupeLikely(ctx, {
      ...request,
      signal: cliOutput.io.signal,
      onProgress: ({ phase, part, readers }: { phase: string; part: number; readers: number }) =>
        progress.update(
          phase === 'reading' ? readers : Math.round(readers * part),
          phase === 'reading' ? 0 : readers,
          phase,
        ),
      onMerge({ merged, left, groups }: MergeBatchView) {
        startMerging()
        progress.update(merged + left, groups)
      },
    })
  } finally {
    progress.end()
  }
}

async function printGroups(
  cliOutput: CliOutput,
  { ctx }: Session,
  urlKey: string,
  outcome: DedupeOutcome,
  min: number,
): Promise<void> {
  const { likelyRows } = await import('#core/duplicates/likely-rows.query.ts')
  const { publicationId, search } = outcome
  const groups = await likelyRows(ctx, { publicationId, min })
  const summary = {
    publication: urlKey,
    readers: search.readers,
    seconds: Math.round(search.seconds * 10) / 10,
    minConfidence: min,
    learned: search.learned,
  }
  if (cliOutput.flags.json) {
    await printJson(cliOutput, summary, groups)
    return
  }
  const { stdout } = cliOutput.io
  const isScreen = isTerminal(stdout)
  const lines: Line[] = []
  let count = 0
  for await (const group of groups) {
    count++
    if (isScreen && count > maxOnScreen) continue
    lines.push(...group.readers.map((reader) => ({ group: count, confidence: group.confidence, reader })))
    if (!isScreen) await printTable(cliOutput, lines.splice(0), columns)
  }
  if (isScreen) await printTable(cliOutput, lines, columns)
  if (isScreen && count > maxOnScreen)
    cliOutput.say(`... and ${countOf(count - maxOnScreen, 'more group')}; a pipe or --json lists all`)
  const foundText = `${countOf(count, 'group')} of likely duplicates among ${countOf(search.readers, 'reader')} of ${urlKey}`
  cliOutput.say(`${cliOutput.err.done} ${foundText}, in ${search.seconds.toFixed(1)} s`)
  if (search.learned.length > 0) cliOutput.say(`Learned from this list: ${search.learned.join('; ')}`)
  if (count > 0) cliOutput.say(`Next: subscriptions dedupe --publication ${urlKey} --by likely --apply --dry-run`)
}

interface Line {
  group: number
  confidence: number
  reader: LikelyRow['readers'][number]
}

const columns: Column<Line>[] = [
  { header: 'Group', show: ({ group }) => group, align: 'right' },
  {
    header: 'Confidence',
    show: ({ confidence }) => percent(confidence),
    raw: ({ confidence }) => rounded(confidence),
    align: 'right',
  },
  { header: 'Reference', show: ({ reader }) => reader.uniqueReference },
  { header: 'Name', show: ({ reader }) => reader.name },
  { header: 'Postcode', show: ({ reader }) => reader.postCode },
  { header: 'Why', show: ({ reader }) => reader.reasons.join('; ') },
]

/** One JSON object, written group by group: there may be a hundred thousand. */
async function printJson(cliOutput: CliOutput, summary: object, groups: AsyncIterable<LikelyRow>): Promise<void> {
  const { stdout } = cliOutput.io
  await write(stdout, `${JSON.stringify(summary).slice(0, -1)},"groups":[`)
  let separator = ''
  for await (const group of groups) {
    const readers = group.readers.map((reader) => ({ ...reader, fit: rounded(reader.fit) }))
    await write(stdout, `${separator}\n${JSON.stringify({ ...group, confidence: rounded(group.confidence), readers })}`)
    separator = ','
  }
  await write(stdout, '\n]}\n')
}

async function printMerge(
  cliOutput: CliOutput,
  urlKey: string,
  { search, merge }: DedupeOutcome,
  dryRun: boolean,
): Promise<void> {
  const batch = merge?.batch ?? null
  const skipped = skippedGroups({ renewing: merge?.renewing ?? 0, paid: merge?.paid ?? 0 })
  if (cliOutput.flags.json) {
    await cliOutput.json({
      publication: urlKey,
      dryRun,
      readers: search.readers,
      groups: merge?.groups ?? 0,
      merged: batch?.merged ?? 0,
      left: batch?.left ?? 0,
      renewing: merge?.renewing ?? 0,
      paid: merge?.paid ?? 0,
      removed: batch?.readersRemoved ?? 0,
      batch: batch?.id ?? null,
    })
  } else if (dryRun) {
    cliOutput.summary(
      `Would merge ${countOf(merge?.groups ?? 0, 'group')} of ${urlKey} and remove ${countOf(merge?.readers ?? 0, 'reader')}${skipped}`,
    )
  } else if (!batch)
    cliOutput.summary(`${cliOutput.err.done} No group of ${urlKey} has a high enough confidence to be merged${skipped}`)
  else {
    const left = batch.left > 0 ? `; ${formatCount(batch.left)} had changed since and were not merged` : ''
    cliOutput.summary(
      `${cliOutput.err.done} Merged ${countOf(batch.merged, 'group')} of ${urlKey}, ${countOf(batch.readersRemoved, 'reader')} removed${left}${skipped}`,
    )
    cliOutput.say('Undo it in the back office: Manage Data, Likely duplicates')
  }
  if (batch?.state === 'cancelled') throw interrupted('Stopped; groups merged so far stay merged')
}

const rounded = (share: number) => Math.round(share * 1000) / 1000
/** Rounded down, to 99% at most: no score is certain. */
const percent = (share: number) => `${Math.min(99, Math.floor(share * 100))}%`
