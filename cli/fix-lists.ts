import type { FixKind } from '#core/fixes/fix-kinds.ts'
import type { FixView } from '#core/fixes/fix-row.ts'
import type { FixPreview } from '#core/fixes/preview-fix.query.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import { choosePublication, requireHandle } from './choose-publication.ts'
import { interrupted } from './cli-error.ts'
import type { CliOutput } from './cli-output.ts'
import type { Cli } from './command.ts'
import type { FixFlags } from './commands/fix.ts'
import { makeProgress } from './progress.ts'
import { confirm } from './prompt.ts'
import { type Session, withSession } from './session.ts'
import { type Column, printTable } from './table.ts'

interface FixRequest {
  what: string
  kinds: readonly FixKind[]
}

/** Fixes the readers of each warning list, one list after the other, or shows what would change. */
export async function fixLists({ cliOutput }: Cli, options: FixFlags, { what, kinds }: FixRequest): Promise<number> {
  requireHandle(cliOutput, options.publication)
  return withSession(cliOutput, options, async (session) => {
    const urlKey = await choosePublication(cliOutput, session, options.publication)
    const previews = await previewAll(cliOutput, session, urlKey, kinds)
    if (options.dryRun) return printPreviews(cliOutput, urlKey, previews)
    const fixable = previews.filter((preview) => preview.fixable > 0)
    const count = fixable.reduce((sum, preview) => sum + preview.fixable, 0)
    if (
      count > 0 &&
      !(await confirm(cliOutput, `Fix the ${what} of ${countOf(count, 'reader')} of ${urlKey}?`, options.yes))
    ) {
      throw interrupted('Nothing was changed')
    }
    const fixes: FixView[] = []
    for (const { kind, total } of fixable) {
      if (cliOutput.io.signal.aborted) break
      fixes.push(await fixOne(cliOutput, session, { urlKey, kind, total }))
    }
    await printFixes(cliOutput, urlKey, { fixes, previews })
    const stopped = fixes.find(({ state }) => state !== 'done')
    if (stopped) throw stoppedFix(stopped)
    const skipped = fixable.length - fixes.length
    if (skipped > 0)
      throw interrupted(`Interrupted; ${countOf(skipped, 'list')} not fixed`, 'run the same command again')
    return 0
  })
}

async function previewAll(
  cliOutput: CliOutput,
  { ctx }: Session,
  urlKey: string,
  kinds: readonly FixKind[],
): Promise<FixPreview[]> {
  const { previewFix } = await import('#core/fixes/preview-fix.query.ts')
  const previews: FixPreview[] = []
  for (const kind of kinds) {
    cliOutput.step(`previewing ${kind}`)
    previews.push(await previewFix(ctx, { urlKey, kind, max: null }))
  }
  return previews
}

async function fixOne(
  cliOutput: CliOutput,
  { ctx }: Session,
  { urlKey, kind, total }: { urlKey: string; kind: FixKind; total: number },
): Promise<FixView> {
  const { fixReaders } = await import('#core/fixes/fix-readers.ts')
  const progress = makeProgress(cliOutput, `Fixing ${kind} of ${urlKey}`, 'readers')
  try {
    return await fixReaders(ctx, {
      urlKey,
      kind,
      isWaiting: true,
      signal: cliOutput.io.signal,
      onProgress: ({ fixed, leftAlone }: FixView) => progress.update(fixed + leftAlone, total),
    })
  } finally {
    progress.end()
  }
}

interface Sample {
  kind: FixKind
  reference: string
  before: string
  after: string
}

const columns: readonly Column<Sample>[] = [
  { header: 'Fix', show: ({ kind }) => kind },
  { header: 'Reference', show: ({ reference }) => reference },
  { header: 'Before', show: ({ before }) => before },
  { header: 'After', show: ({ after }) => after },
]

async function printPreviews(cliOutput: CliOutput, urlKey: string, previews: FixPreview[]): Promise<number> {
  if (cliOutput.flags.json) {
    await cliOutput.json({
      publication: urlKey,
      dryRun: true,
      fixes: previews.map(({ examined: _examined, fingerprint: _fingerprint, ...preview }) => preview),
    })
    return 0
  }
  const samples = previews.flatMap(({ kind, samples: previewSamples }) =>
    previewSamples.map(({ uniqueReference, before, after }) => ({
      kind,
      reference: uniqueReference,
      before: joined(before),
      after: joined(after),
    })),
  )
  await printTable(cliOutput, samples, columns)
  for (const { kind, total, fixable } of previews) {
    cliOutput.summary(`Would fix ${formatCount(fixable)} of ${countOf(total, 'reader')} of ${urlKey}: ${kind}`)
  }
  return 0
}

/** The fields side by side, blank ones as a dash. */
function joined(fields: Partial<Record<string, string>>): string {
  return Object.values(fields)
    .map((value) => value || '-')
    .join(' | ')
}

async function printFixes(
  cliOutput: CliOutput,
  urlKey: string,
  { fixes, previews }: { fixes: FixView[]; previews: FixPreview[] },
): Promise<void> {
  const left = previews.reduce((sum, { leftAlone }) => sum + leftAlone, 0)
  if (cliOutput.flags.json) {
    await cliOutput.json({
      publication: urlKey,
      dryRun: false,
      left,
      fixes: fixes.map(({ id, kind, state, fixed, leftAlone }) => ({ id, kind, state, fixed, left: leftAlone })),
    })
    return
  }
  const fixed = fixes.reduce((sum, fix) => sum + fix.fixed, 0)
  cliOutput.summary(
    `${cliOutput.err.done} Fixed ${countOf(fixed, 'reader')} of ${urlKey}; ${formatCount(left)} left unchanged`,
  )
  for (const { id, kind } of fixes) cliOutput.say(`Undo ${kind}: subscriptions fix --undo ${id}`)
}

function stoppedFix({ id, fixed }: FixView): Error {
  return interrupted(
    `Interrupted after fixing ${countOf(fixed, 'reader')}; they stay fixed`,
    `resume it: subscriptions fix --resume ${id}`,
  )
}

/** Resumes an interrupted fix, or shows what that would change. */
export async function resumeOneFix({ cliOutput }: Cli, options: FixFlags, fixId: number): Promise<number> {
  const { dryRun = false } = options
  return withSession(cliOutput, options, async ({ ctx }) => {
    const { resumeFix } = await import('#core/fixes/resume-fix.ts')
    if (!dryRun && !(await confirm(cliOutput, `Resume fix number ${fixId}?`, options.yes)))
      throw interrupted('Nothing was changed')
    const progress = makeProgress(cliOutput, `Resuming fix ${fixId}`, 'readers')
    const fix = await resumeFix(ctx, {
      fixId,
      dryRun,
      isWaiting: true,
      signal: cliOutput.io.signal,
      onProgress: ({ fixed, leftAlone }: FixView) => progress.update(fixed + leftAlone, 0),
    }).finally(() => progress.end())
    const { id, kind, state, fixed, leftAlone } = fix
    const counts = `${countOf(fixed, 'reader')}; ${formatCount(leftAlone)} left unchanged`
    if (cliOutput.flags.json) await cliOutput.json({ id, kind, dryRun, state, fixed, left: leftAlone })
    else cliOutput.summary(dryRun ? `Would fix ${counts}` : `${cliOutput.err.done} Fixed ${counts}`)
    if (state !== 'done') throw stoppedFix(fix)
    if (!cliOutput.flags.json && !dryRun) cliOutput.say(`Undo ${kind}: subscriptions fix --undo ${id}`)
    return 0
  })
}

/** Undoes a fix, or shows what that would change. */
export async function undoOneFix({ cliOutput }: Cli, options: FixFlags, fixId: number): Promise<number> {
  const { dryRun = false } = options
  return withSession(cliOutput, options, async ({ ctx }) => {
    const { undoFix } = await import('#core/fixes/undo-fix.ts')
    if (!dryRun && !(await confirm(cliOutput, `Undo fix number ${fixId}?`, options.yes)))
      throw interrupted('Nothing was changed')
    const progress = makeProgress(cliOutput, `Undoing fix ${fixId}`, 'readers')
    const { state, undone, kept } = await undoFix(ctx, {
      fixId,
      dryRun,
      isWaiting: true,
      signal: cliOutput.io.signal,
      onProgress: (fix: FixView) => progress.update(fix.undone + fix.kept, fix.fixed),
    }).finally(() => progress.end())
    const counts = `${countOf(undone, 'reader')} restored; ${formatCount(kept)} not restored (changed since the fix)`
    if (cliOutput.flags.json) await cliOutput.json({ id: fixId, dryRun, state, undone, kept })
    else cliOutput.summary(dryRun ? `Would undo: ${counts}` : `${cliOutput.err.done} Undone: ${counts}`)
    if (state !== 'undone') throw interrupted('Interrupted', `undo the rest: subscriptions fix --undo ${fixId}`)
    return 0
  })
}
