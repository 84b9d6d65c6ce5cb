import type { AppLoadContext } from '@remix-run/node'
import type { AppContext } from '#core/context.ts'
import { listDuplicates } from '#core/duplicates/list-duplicates.query.ts'
import { type FixableField, fixKindNames, fixKinds, fixOf } from '#core/fixes/fix-kinds.ts'
import { fixReaderAddress } from '#core/fixes/fix-reader-address.ts'
import { fixReaders } from '#core/fixes/fix-readers.ts'
import { previewFix } from '#core/fixes/preview-fix.query.ts'
import { resumeFix } from '#core/fixes/resume-fix.ts'
import { undoFix } from '#core/fixes/undo-fix.ts'
import { countOf } from '#core/kernel/counted.ts'
import { AppError, conflict, isAppError } from '#core/kernel/errors.ts'
import { removeReader } from '#core/readers/remove-reader.ts'
import { restoreReader } from '#core/readers/restore-reader.ts'
import { countWarnings, type WarningCounts } from '#core/warnings/count-warnings.query.ts'
import { listWarning } from '#core/warnings/list-warning.query.ts'
import { duplicateKeys, duplicateListOf, warningKeys, warningOf } from '#core/warnings/warnings.rules.ts'
import { unlessGone } from './gone-reader.ts'
import { inTime } from './in-time.ts'
import { redirectWithToast, type ToastMessage } from './toast.ts'

/** How long a page waits for counts that have to be made; after that it comes without, and asks for them. */
const timeoutMs = 400

/** The counts, or null where they cannot be had: the page stands without them. Whose publication it is was asked before. */
export async function countsIfAny(ctx: AppContext, publicationId: number): Promise<WarningCounts | null> {
  try {
    return await countWarnings(ctx, { publicationId })
  } catch (error) {
    if (isAppError(error)) throw error
    ctx.log.error({ err: error, publicationId }, 'the readers of a publication were not counted')
    return null
  }
}

/** The counts, unless they take longer than a page should: then null. */
export function countsInTime(ctx: AppContext, publicationId: number): Promise<WarningCounts | null> {
  return inTime(countsIfAny(ctx, publicationId), timeoutMs, null)
}

/** The one list that is shown, if any: readers, or groups of duplicates. */
export async function shownList(ctx: AppContext, publicationId: number, asked: Record<string, string>) {
  const duplicates = duplicateKeys.find((key) => key === asked.view)
  if (duplicates) {
    const { key, label, columns } = duplicateListOf(duplicates)
    const page = await listDuplicates(ctx, { ...asked, publicationId, list: key })
    return { kind: 'groups' as const, key, label, columns, page, sort: asked.sort ?? 'key' }
  }
  const key = asked.view === 'all' ? 'all' : warningKeys.find((known) => known === asked.view)
  if (!key) return null
  const page = await listWarning(ctx, { ...asked, publicationId, list: key })
  const warning = key === 'all' ? null : warningOf(key)
  // Only what changes is sent: the row itself is there already.
  const fixes = warning?.fix === 'addresses' ? page.rows.map((row) => fixOf('addresses', row)) : null
  return {
    kind: 'readers' as const,
    key,
    label: warning?.label ?? 'All readers',
    columns: warning?.columns ?? (['fullName', 'company', 'postCode', 'email', 'reference'] as const),
    page,
    fixes,
    sort: asked.sort ?? warning?.sort ?? 'added',
  }
}

export type ShownList = NonNullable<Awaited<ReturnType<typeof shownList>>>
export type AddressChange = Partial<Record<FixableField, string>>

/** What a fix would do, when it was asked about. */
export async function askedFix(ctx: AppContext, publicationId: number, asked: Record<string, string>) {
  const kind = fixKindNames.find((name) => name === asked.fix)
  if (!kind) return null
  const { label, fields } = fixKinds[kind]
  return { ...(await previewFix(ctx, { publicationId, kind })), label, fields: [...fields] }
}

export type AskedFix = NonNullable<Awaited<ReturnType<typeof askedFix>>>

interface Answer {
  publicationId: number
  values: Record<string, string>
  /** The page the form stood on. */
  back: string
}

/** Does what a form of Manage Data asks for, and goes back with a word about it. */
export async function answerManageData(ctx: AppContext, context: AppLoadContext, answer: Answer): Promise<Response> {
  const { values, publicationId, back } = answer
  const say = (text: string, more: Partial<ToastMessage> = {}) =>
    redirectWithToast(context, back, { kind: 'success', text, ...more })
  const undo = (intent: string, id: number) => ({
    action: { label: 'Undo', to: back, fields: { intent, id: String(id) } },
  })
  const does = (failure: string, action: () => Promise<Response>) =>
    unlessGone(ctx, context, { id: values.id, publicationId, failure, listOf: () => back }, action)
  switch (values.intent) {
    case 'fix': {
      const fix = await fixReaders(ctx, { publicationId, kind: values.kind })
      if (fix.state !== 'done')
        return say('The readers are being fixed', { detail: 'You may leave this page: the work continues.' })
      const left =
        fix.leftAlone === 0
          ? {}
          : { detail: `${countOf(fix.leftAlone, 'reader')} left unchanged: no sure correction was found.` }
      return say(`${countOf(fix.fixed, 'reader')} fixed`, {
        ...left,
        ...(fix.canUndo ? undo('undo-fix', fix.id) : {}),
      })
    }
    case 'fix-address':
      return does('Address not fixed', async () => {
        const { fix } = await fixReaderAddress(ctx, { id: values.id })
        if (!fix)
          throw conflict('This address was changed meanwhile, or cannot be fixed automatically', {
            hint: 'Open the reader and change it by hand.',
          })
        return say('Address fixed', undo('undo-fix', fix.id))
      })
    case 'resume-fix':
      await resumeFix(ctx, { fixId: values.id })
      return say('The fix was resumed', { detail: 'You may leave this page: the work continues.' })
    case 'undo-fix': {
      const { state, undone, kept } = await undoFix(ctx, { fixId: values.id })
      if (state !== 'undone')
        return say('The fix is being undone', { detail: 'You may leave this page: the work continues.' })
      const stayed = kept === 0 ? {} : { detail: `${countOf(kept, 'reader')} had been changed since and stayed.` }
      return say(`Undone: ${countOf(undone, 'reader is', 'readers are')} as before`, stayed)
    }
    case 'remove':
      return does('Reader not removed', async () => {
        const { id } = await removeReader(ctx, { id: values.id })
        return say('Reader removed', undo('restore', id))
      })
    case 'restore':
      await restoreReader(ctx, { id: values.id })
      return say('Reader brought back')
    default:
      throw new AppError('malformed', 'This form is out of date. Reload the page and try again.')
  }
}
