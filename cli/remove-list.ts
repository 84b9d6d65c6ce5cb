import { countOf, formatCount } from '#core/kernel/text-format.ts'
import type { RemovalView } from '#core/removals/removal-row.ts'
import type { ListedReader } from '#core/warnings/listed-reader.ts'
import { choosePublication, requireHandle } from './choose-publication.ts'
import { interrupted } from './cli-error.ts'
import type { CliOutput } from './cli-output.ts'
import type { Cli } from './command.ts'
import { makeProgress } from './progress.ts'
import { confirm } from './prompt.ts'
import { withSession } from './session.ts'
import { type Column, printTable } from './table.ts'

interface RemoveListFlags {
  publication?: string | undefined
  list: string
  filter?: string | undefined
  dryRun: boolean
  yes?: boolean | undefined
  as?: string | undefined
}

const columns: readonly Column<ListedReader>[] = [
  { header: 'Reference', show: ({ uniqueReference }) => uniqueReference },
  { header: 'Name', show: nameOf },
  { header: 'Postcode', show: ({ postCode }) => postCode || null },
  { header: 'Email', show: ({ email }) => email || null },
]

function nameOf({ fullName, title, firstName, lastName, companyName }: ListedReader): string | null {
  return fullName || [title, firstName, lastName].filter(Boolean).join(' ') || companyName || null
}

/** Removes all readers of a list, or of those that match a filter, or shows the first of them. */
export async function removeList({ cliOutput }: Cli, flags: RemoveListFlags): Promise<number> {
  const { list, filter, dryRun, yes } = flags
  requireHandle(cliOutput, flags.publication)
  return withSession(cliOutput, flags, async (session) => {
    const { ctx } = session
    const [{ ownPublication }, { listWarning }, { removeReaders }] = await Promise.all([
      import('#core/publications/own-publication.ts'),
      import('#core/warnings/list-warning.query.ts'),
      import('#core/removals/remove-readers.ts'),
    ])
    const urlKey = await choosePublication(cliOutput, session, flags.publication)
    const { id: publicationId } = await ownPublication(ctx, { urlKey })
    const shownAt = ctx.now()
    const { total, rows } = await listWarning(ctx, { publicationId, list, q: filter, size: 25 })
    if (dryRun || total === 0) return printPreview(cliOutput, { urlKey, list, dryRun, total, rows })
    if (!(await confirm(cliOutput, `Remove ${countOf(total, 'reader')} of ${urlKey} from the system?`, yes)))
      throw interrupted('Nothing was changed')
    const progress = makeProgress(cliOutput, `Removing readers of ${urlKey}`, 'readers')
    const removal = await removeReaders(ctx, {
      publicationId,
      list,
      q: filter,
      count: total,
      shownAt,
      isWaiting: true,
      signal: cliOutput.io.signal,
      onProgress: (view: RemovalView) => progress.update(view.removed + view.leftAlone, total),
    }).finally(() => progress.end())
    return printRemoval(cliOutput, removal)
  })
}

async function printPreview(
  cliOutput: CliOutput,
  {
    urlKey,
    list,
    dryRun,
    total,
    rows,
  }: { urlKey: string; list: string; dryRun: boolean; total: number; rows: ListedReader[] },
): Promise<number> {
  if (cliOutput.flags.json) {
    const references = rows.map(({ uniqueReference }) => uniqueReference)
    await cliOutput.json({ publication: urlKey, list, dryRun, readers: total, references })
    return 0
  }
  await printTable(cliOutput, rows, columns)
  if (total > rows.length) cliOutput.say(`... and ${countOf(total - rows.length, 'more reader')}`)
  cliOutput.summary(
    total === 0 ? `No reader of ${urlKey} matches` : `Would remove ${countOf(total, 'reader')} of ${urlKey}`,
  )
  return 0
}

async function printRemoval(cliOutput: CliOutput, removal: RemovalView): Promise<number> {
  const { id, state, removed, leftAlone } = removal
  if (cliOutput.flags.json) await cliOutput.json({ id, dryRun: false, state, removed, left: leftAlone })
  else
    cliOutput.summary(
      `${cliOutput.err.done} Removed ${countOf(removed, 'reader')}${leftAlone > 0 ? `; ${formatCount(leftAlone)} left (added or changed meanwhile)` : ''}`,
    )
  if (state !== 'done')
    throw interrupted(
      `Interrupted after removing ${countOf(removed, 'reader')}`,
      removal.canResume
        ? `remove the rest: subscriptions readers remove --resume ${id}; restore them: subscriptions readers restore --removal ${id}`
        : `restore them: subscriptions readers restore --removal ${id}`,
    )
  if (!cliOutput.flags.json)
    cliOutput.say(`To restore them within 30 days: subscriptions readers restore --removal ${id}`)
  return 0
}

interface RemovalFlags {
  dryRun: boolean
  yes?: boolean | undefined
  as?: string | undefined
}

/** Resumes an interrupted removal. */
export async function resumeOneRemoval(
  { cliOutput }: Cli,
  { yes, ...flags }: Omit<RemovalFlags, 'dryRun'>,
  removalId: number,
): Promise<number> {
  return withSession(cliOutput, flags, async ({ ctx }) => {
    const { resumeRemoval } = await import('#core/removals/resume-removal.ts')
    if (!(await confirm(cliOutput, `Resume removal number ${removalId}?`, yes)))
      throw interrupted('Nothing was changed')
    const progress = makeProgress(cliOutput, `Resuming removal ${removalId}`, 'readers')
    const removal = await resumeRemoval(ctx, {
      removalId,
      isWaiting: true,
      signal: cliOutput.io.signal,
      onProgress: ({ progress: { done, total } }: RemovalView) => progress.update(done, total),
    }).finally(() => progress.end())
    return printRemoval(cliOutput, removal)
  })
}

/** Restores the readers of a removal, or says how many that would be. */
export async function restoreRemoval({ cliOutput }: Cli, flags: RemovalFlags, removalId: number): Promise<number> {
  const { dryRun } = flags
  return withSession(cliOutput, flags, async ({ ctx }) => {
    const { restoreReaders } = await import('#core/removals/restore-readers.ts')
    const progress = makeProgress(cliOutput, `Restoring the readers of removal ${removalId}`, 'readers')
    const { isComplete, restored, left } = await restoreReaders(ctx, {
      removalId,
      dryRun,
      isWaiting: true,
      signal: cliOutput.io.signal,
      onProgress: (view: RemovalView) => progress.update(view.restored + view.notRestored, view.removed),
    }).finally(() => progress.end())
    const counts = `${countOf(restored, 'reader')}${left > 0 ? `; ${formatCount(left)} not restored (their reference belongs to another reader)` : ''}`
    if (cliOutput.flags.json) await cliOutput.json({ id: removalId, dryRun, restored, left })
    else cliOutput.summary(dryRun ? `Would restore ${counts}` : `${cliOutput.err.done} Restored ${counts}`)
    if (!isComplete)
      throw interrupted('Interrupted', `restore the rest: subscriptions readers restore --removal ${removalId}`)
    return 0
  })
}
