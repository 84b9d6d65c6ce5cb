import type { FixKind } from '#core/fixes/fix-kinds.ts'
import type { FixView } from '#core/fixes/fix-row.ts'
import type { FixPreview } from '#core/fixes/preview-fix.query.ts'
import { countOf, formatCount } from '#core/kernel/words.ts'
import { confirm } from './ask.ts'
import { choosePublication, requireHandle } from './choose-publication.ts'
import { interrupted, wrongUse } from './cli-error.ts'
import type { Cli } from './command.ts'
import type { FixFlags } from './commands/fix.ts'
import { makeProgress } from './progress.ts'
import { type Session, withSession } from './session.ts'
import { type Column, printTable } from './table.ts'
import type { Talk } from './talk.ts'

interface Wish {
  what: string
  kinds: readonly FixKind[]
}

/** Puts the lists right one after the other, or says what that would change. */
export async function fixLists({ talk }: Cli, given: FixFlags, { what, kinds }: Wish): Promise<number> {
  requireHandle(talk, given.publication)
  return withSession(talk, given, async (session) => {
    const urlKey = await choosePublication(talk, session, given.publication)
    const previews = await previewAll(talk, session, urlKey, kinds)
    if (given.dryRun) return tellPreviews(talk, urlKey, previews)
    const fixable = previews.filter((preview) => preview.fixable > 0)
    const count = fixable.reduce((sum, preview) => sum + preview.fixable, 0)
    if (
      count > 0 &&
      !(await confirm(talk, `Put the ${what} of ${countOf(count, 'reader')} of ${urlKey} right?`, given.yes))
    ) {
      throw interrupted('Nothing was changed')
    }
    const fixes: FixView[] = []
    for (const { kind, total } of fixable) {
      if (talk.io.signal.aborted) break
      fixes.push(await fixOne(talk, session, { urlKey, kind, total }))
    }
    await tellFixes(talk, urlKey, { fixes, previews })
    const stopped = fixes.find(({ state }) => state !== 'done')
    if (stopped) throw stoppedFix(stopped)
    return 0
  })
}

async function previewAll(
  talk: Talk,
  { ctx }: Session,
  urlKey: string,
  kinds: readonly FixKind[],
): Promise<FixPreview[]> {
  const { previewFix } = await import('#core/fixes/preview-fix.query.ts')
  const previews: FixPreview[] = []
  for (const kind of kinds) {
    talk.step(`looking at ${kind}`)
    previews.push(await previewFix(ctx, { urlKey, kind, most: null }))
  }
  return previews
}

async function fixOne(
  talk: Talk,
  { ctx }: Session,
  { urlKey, kind, total }: { urlKey: string; kind: FixKind; total: number },
): Promise<FixView> {
  const { fixReaders } = await import('#core/fixes/fix-readers.ts')
  const progress = makeProgress(talk, `Fixing ${kind} of ${urlKey}`, 'readers')
  try {
    return await fixReaders(ctx, {
      urlKey,
      kind,
      isWaiting: true,
      signal: talk.io.signal,
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
  { head: 'Fix', show: ({ kind }) => kind },
  { head: 'Reference', show: ({ reference }) => reference },
  { head: 'Before', show: ({ before }) => before },
  { head: 'After', show: ({ after }) => after },
]

async function tellPreviews(talk: Talk, urlKey: string, previews: FixPreview[]): Promise<number> {
  if (talk.flags.json) {
    await talk.json({
      publication: urlKey,
      dryRun: true,
      fixes: previews.map(({ looked: _looked, ...preview }) => preview),
    })
    return 0
  }
  const samples = previews.flatMap(({ kind, samples: first }) =>
    first.map(({ uniqueReference, before, after }) => ({
      kind,
      reference: uniqueReference,
      before: inOne(before),
      after: inOne(after),
    })),
  )
  await printTable(talk, samples, columns)
  for (const { kind, total, fixable } of previews) {
    talk.say(`Would fix ${formatCount(fixable)} of ${countOf(total, 'reader')} of ${urlKey}: ${kind}`)
  }
  return 0
}

/** The fields side by side, blank ones as a dash. */
function inOne(fields: Partial<Record<string, string>>): string {
  return Object.values(fields)
    .map((value) => value || '-')
    .join(' | ')
}

async function tellFixes(
  talk: Talk,
  urlKey: string,
  { fixes, previews }: { fixes: FixView[]; previews: FixPreview[] },
): Promise<void> {
  const left = previews.reduce((sum, { leftAlone }) => sum + leftAlone, 0)
  if (talk.flags.json) {
    await talk.json({
      publication: urlKey,
      dryRun: false,
      left,
      fixes: fixes.map(({ id, kind, state, fixed, leftAlone }) => ({ id, kind, state, fixed, left: leftAlone })),
    })
    return
  }
  const fixed = fixes.reduce((sum, fix) => sum + fix.fixed, 0)
  talk.say(`${talk.err.done} Fixed ${countOf(fixed, 'reader')} of ${urlKey}; ${formatCount(left)} could not be told`)
  for (const { id, kind } of fixes) talk.say(`Undo ${kind}: subscriptions fix --undo ${id}`)
}

function stoppedFix({ id, fixed }: FixView): Error {
  return interrupted(
    `Stopped after ${countOf(fixed, 'reader')}; what is put right stays so`,
    `go on with it: subscriptions fix --resume ${id}`,
  )
}

/** Goes on with a fix that stopped on its way. */
export async function resumeOneFix({ talk }: Cli, given: FixFlags, fixId: number): Promise<number> {
  if (given.dryRun) throw wrongUse('--resume has no dry run', 'leave out --dry-run')
  return withSession(talk, given, async ({ ctx }) => {
    const { resumeFix } = await import('#core/fixes/resume-fix.ts')
    if (!(await confirm(talk, `Go on with the fix number ${fixId}?`, given.yes)))
      throw interrupted('Nothing was changed')
    const progress = makeProgress(talk, `Going on with fix ${fixId}`, 'readers')
    try {
      const fix = await resumeFix(ctx, {
        fixId,
        isWaiting: true,
        signal: talk.io.signal,
        onProgress: ({ fixed, leftAlone }: FixView) => progress.update(fixed + leftAlone, 0),
      })
      progress.end()
      const { id, kind, state, fixed, leftAlone } = fix
      if (talk.flags.json) await talk.json({ id, kind, state, fixed, left: leftAlone })
      else talk.say(`${talk.err.done} Fixed ${countOf(fixed, 'reader')}; ${formatCount(leftAlone)} could not be told`)
      if (state !== 'done') throw stoppedFix(fix)
      if (!talk.flags.json) talk.say(`Undo ${kind}: subscriptions fix --undo ${id}`)
      return 0
    } finally {
      progress.end()
    }
  })
}

/** Takes a fix back. */
export async function undoOneFix({ talk }: Cli, given: FixFlags, fixId: number): Promise<number> {
  if (given.dryRun) throw wrongUse('--undo has no dry run', 'leave out --dry-run')
  return withSession(talk, given, async ({ ctx }) => {
    const { undoFix } = await import('#core/fixes/undo-fix.ts')
    if (!(await confirm(talk, `Undo the fix number ${fixId}?`, given.yes))) throw interrupted('Nothing was changed')
    const progress = makeProgress(talk, `Undoing fix ${fixId}`, 'readers')
    try {
      const fix = await undoFix(ctx, {
        fixId,
        isWaiting: true,
        signal: talk.io.signal,
        onProgress: ({ undone, kept, fixed }: FixView) => progress.update(undone + kept, fixed),
      })
      progress.end()
      const { undone, kept } = fix
      if (talk.flags.json) await talk.json({ id: fixId, state: fix.state, undone, kept })
      else
        talk.say(
          `${talk.err.done} Undone: ${countOf(undone, 'reader')} as before; ${formatCount(kept)} changed since and stayed`,
        )
      if (fix.state !== 'undone')
        throw interrupted('Stopped on its way', `undo the rest: subscriptions fix --undo ${fixId}`)
      return 0
    } finally {
      progress.end()
    }
  })
}
