import type { AppLoadContext } from '@remix-run/node'
import type { AppContext } from '#core/context.ts'
import { listDuplicates } from '#core/duplicates/list-duplicates.query.ts'
import { mergeList } from '#core/duplicates/merge-exact.ts'
import { mergeGroups } from '#core/duplicates/merge-groups.ts'
import { mergeReaders } from '#core/duplicates/merge-readers.ts'
import { type FixableField, fixKindNames, fixKinds, fixOf } from '#core/fixes/fix-kinds.ts'
import { fixReaderAddress } from '#core/fixes/fix-reader-address.ts'
import { fixReaders } from '#core/fixes/fix-readers.ts'
import { previewFix, previewListFix } from '#core/fixes/preview-fix.query.ts'
import { resumeFix } from '#core/fixes/resume-fix.ts'
import { conflict, isAppError } from '#core/kernel/errors.ts'
import { countOf } from '#core/kernel/text-format.ts'
import { allMatching } from '#core/readers/reader-selection.input.ts'
import { removeReader } from '#core/readers/remove-reader.ts'
import { removeReaders } from '#core/removals/remove-readers.ts'
import { resumeRemoval } from '#core/removals/resume-removal.ts'
import { stopRemoval } from '#core/removals/stop-removal.ts'
import { countHealth } from '#core/warnings/count-health.ts'
import { countWarnings, type WarningCounts } from '#core/warnings/count-warnings.query.ts'
import { listedIds, listWarning } from '#core/warnings/list-warning.query.ts'
import { setHealthDigest } from '#core/warnings/set-health-digest.ts'
import { duplicateKeys, duplicateListOf, warningKeys, warningOf } from '#core/warnings/warnings.rules.ts'
import { groupsToMerge } from './duplicate-groups.ts'
import { conflictIfGone, outdatedForm } from './form.ts'
import { goneHint, mergeRequest } from './likely-form.ts'
import { redirectIfRemoved } from './removed-reader.ts'
import { redirectWithToast, type ToastMessage } from './toast.ts'
import { restoreReaderOnce, restoreReadersOnce, undoFixOnce, undoMergeOnce, undoMergesOnce } from './undo-once.ts'
import { withTimeout } from './with-timeout.ts'

/** How long a page waits for counts, in milliseconds; then it is sent without them, and fetches them. */
const timeoutMs = 400

/** The counts, or null on an error: the page works without them. The publication was authorised before. */
export async function loadCounts(ctx: AppContext, publicationId: number): Promise<WarningCounts | null> {
  try {
    return await countWarnings(ctx, { publicationId })
  } catch (error) {
    if (isAppError(error)) throw error
    ctx.log.error({ error, publicationId }, 'the readers of a publication could not be counted')
    return null
  }
}

/** The counts, or null if they take longer than a page should wait. */
export function loadCountsWithTimeout(ctx: AppContext, publicationId: number): Promise<WarningCounts | null> {
  return withTimeout(loadCounts(ctx, publicationId), timeoutMs, null)
}

/** The selected list, if any: readers, or groups of duplicates. */
export async function shownList(ctx: AppContext, publicationId: number, input: Record<string, string>) {
  const duplicates = duplicateKeys.find((key) => key === input.view)
  if (duplicates) {
    const { key, label, note, columns } = duplicateListOf(duplicates)
    const page = await listDuplicates(ctx, { ...input, publicationId, list: key })
    const groups = await groupsToMerge(ctx, publicationId, key, page.rows)
    return { kind: 'groups' as const, key, label, note, columns, groups, page, sort: input.sort ?? 'key' }
  }
  const key = input.view === 'all' ? 'all' : warningKeys.find((name) => name === input.view)
  if (!key) return null
  const shownAt = ctx.now().toISOString()
  const page = await listWarning(ctx, { ...input, publicationId, list: key })
  const warning = key === 'all' ? null : warningOf(key)
  // Only the changed fields are sent: the page has the row already.
  const fixes = warning?.fix === 'addresses' ? page.rows.map((row) => fixOf('addresses', row)) : null
  return {
    kind: 'readers' as const,
    key,
    label: warning?.label ?? 'All readers',
    note: warning?.note ?? '',
    file: warning?.file,
    fix: warning?.fix,
    columns: warning?.columns ?? (['fullName', 'company', 'postCode', 'email', 'reference'] as const),
    page,
    shownAt,
    fixes,
    sort: input.sort ?? warning?.sort ?? 'added',
  }
}

export type ShownList = NonNullable<Awaited<ReturnType<typeof shownList>>>
export type AddressChange = Partial<Record<FixableField, string>>

/** The preview of a fix, if one was requested: of its whole list, or of the chosen readers. */
export async function requestedFix(ctx: AppContext, publicationId: number, input: Record<string, string>) {
  const kind = fixKindNames.find((name) => name === input.fix)
  if (!kind) return null
  const { label, fields, list } = fixKinds[kind]
  const kindTexts = { label, fields: [...fields] }
  const { chosen, q = '' } = input
  // The filter is that of the page's list: it does not narrow the whole list.
  if (!chosen) return { ...(await previewListFix(ctx, { publicationId, kind })), ...kindTexts }
  const readerIds = await selectedReaderIds(ctx, publicationId, {
    chosen: chosen === allMatching ? '' : chosen,
    list,
    q,
  })
  if (readerIds.length === 0) return null
  return { ...(await previewFix(ctx, { publicationId, kind, readerIds })), ...kindTexts, readerIds }
}

export type RequestedFix = NonNullable<Awaited<ReturnType<typeof requestedFix>>>

interface PostedForm {
  publicationId: number
  values: Record<string, string>
  /** The page the form was on. */
  returnTo: string
}

/** Handles the forms of Manage Data, and redirects back with a toast. */
export async function handleManageDataForm(
  ctx: AppContext,
  context: AppLoadContext,
  posted: PostedForm,
): Promise<Response> {
  const { values, publicationId, returnTo } = posted
  const redirectBack = (text: string, more: Partial<ToastMessage> = {}) =>
    redirectWithToast(context, returnTo, { kind: 'success', text, ...more })
  const undo = (intent: string, id: number) => ({
    action: { label: 'Undo', to: returnTo, fields: { intent, id: String(id) } },
  })
  const unlessRemoved = (failure: string, action: () => Promise<Response>) =>
    redirectIfRemoved(ctx, context, { id: values.id, publicationId, failure, listOf: () => returnTo }, action)
  switch (values.intent) {
    case 'fix': {
      const chosen =
        values.chosen === undefined ? {} : { readerIds: await selectedReaderIds(ctx, publicationId, values) }
      const fix = await fixReaders(ctx, {
        publicationId,
        kind: values.kind,
        fingerprint: values.fingerprint,
        ...chosen,
      })
      if (fix.state !== 'done')
        return redirectBack('The readers are being fixed', { detail: 'You may leave this page: the work continues.' })
      const unchanged =
        fix.leftAlone === 0
          ? {}
          : { detail: `${countOf(fix.leftAlone, 'reader')} left unchanged: no certain correction was found.` }
      return redirectBack(`${countOf(fix.fixed, 'reader')} fixed`, {
        ...unchanged,
        ...(fix.canUndo ? undo('undo-fix', fix.id) : {}),
      })
    }
    case 'fix-address':
      return unlessRemoved('Address not fixed', async () => {
        const { fix } = await fixReaderAddress(ctx, { id: values.id })
        if (!fix)
          throw conflict('This address has been changed in the meantime, or cannot be fixed automatically', {
            hint: 'Open the reader and correct the address.',
          })
        return redirectBack('Address fixed', undo('undo-fix', fix.id))
      })
    case 'resume-fix':
      await resumeFix(ctx, { fixId: values.id })
      return redirectBack('The fix was resumed', { detail: 'You may leave this page: the work continues.' })
    case 'undo-fix': {
      const { state, undone, kept } = await undoFixOnce(ctx, { publicationId, id: values.id })
      if (state !== 'undone')
        return redirectBack('The fix is being undone', { detail: 'You may leave this page: the work continues.' })
      const note =
        kept === 0 ? {} : { detail: `${countOf(kept, 'reader')} had been changed since and were left unchanged.` }
      return redirectBack(`Undone: ${countOf(undone, 'reader is', 'readers are')} restored`, note)
    }
    case 'remove':
      return unlessRemoved('Reader not removed', async () => {
        const { id } = await removeReader(ctx, { id: values.id })
        return redirectBack('Reader removed', undo('restore', id))
      })
    case 'count-health':
      await countHealth(ctx, { publicationId })
      return redirectBack('Data health updated')
    case 'digest-on':
    case 'digest-off': {
      const { isOn } = await setHealthDigest(ctx, { isOn: values.intent === 'digest-on' })
      return redirectBack(isOn ? 'Data health will be emailed to you every Monday' : 'The weekly email is turned off')
    }
    case 'remove-chosen': {
      if (!values.chosen && !values.count) throw outdatedForm()
      const { chosen = '', list, q, count, shownAt } = values
      const selection =
        chosen === ''
          ? { list, ...(q ? { q } : {}), count, ...(shownAt ? { shownAt } : {}) }
          : { readerIds: chosen.split(',').map(Number) }
      const { id, state, removed, gone } = await removeReaders(ctx, { publicationId, ...selection })
      if (state !== 'done')
        return redirectBack('The readers are being removed', { detail: 'You may leave this page: the work continues.' })
      return redirectBack(`${countOf(removed, 'reader')} removed`, {
        ...(gone > 0 ? { detail: `${countOf(gone, 'other was', 'others were')} already removed.` } : {}),
        ...undo('restore-chosen', id),
      })
    }
    case 'stop-removal': {
      const { stopped, removed, restored } = await stopRemoval(ctx, { removalId: values.id })
      if (stopped === null) return redirectBack('Nothing was stopped', { detail: 'It had ended already.' })
      return stopped === 'undo'
        ? redirectBack('Stopped', { detail: `${countOf(restored, 'reader was', 'readers were')} restored until then.` })
        : redirectBack('Stopped', { detail: `${countOf(removed, 'reader was', 'readers were')} removed until then.` })
    }
    case 'resume-removal':
      await resumeRemoval(ctx, { removalId: values.id })
      return redirectBack('The removal was resumed', { detail: 'You may leave this page: the work continues.' })
    case 'restore-chosen': {
      const { state, restored, left } = await restoreReadersOnce(ctx, values.id)
      if (state === 'restoring')
        return redirectBack('The readers are being restored', {
          detail: 'You may leave this page: the work continues.',
        })
      if (restored + left === 0)
        return redirectBack('No reader is left to restore', {
          detail: 'They are back already, or their 30 days are over.',
        })
      const note = { detail: `${countOf(left, 'reference belongs', 'references belong')} to other readers now.` }
      return redirectBack(`${countOf(restored, 'reader')} restored`, left > 0 ? note : {})
    }
    case 'merge': {
      const { mergeId, removed } = await conflictIfGone('One of the readers', goneHint, () =>
        mergeReaders(ctx, { publicationId, ...mergeRequest(values) }),
      )
      return redirectBack(
        `${countOf(removed + 1, 'record')} merged into one reader`,
        undo('undo-merge', Number(mergeId)),
      )
    }
    case 'merge-chosen': {
      const { batchId, merged, skipped } = await mergeGroups(ctx, { publicationId, groups: jsonOf(values.groups) })
      return redirectBack(`${countOf(merged, 'group')} merged`, {
        ...(skipped > 0 ? { detail: `${countOf(skipped, 'group')} left unchanged: ${notMergedText}` } : {}),
        ...(merged > 0 ? undo('undo-merges', batchId) : {}),
      })
    }
    case 'merge-list': {
      const { id, state, merged, left } = await mergeList(ctx, { publicationId, list: values.list })
      if (state !== 'done')
        return redirectBack('The groups are being merged', { detail: 'You may leave this page: the work continues.' })
      return redirectBack(`${countOf(merged, 'group')} merged`, {
        ...(left > 0 ? { detail: `${countOf(left, 'group')} left unchanged: ${mayBeDifferentText}` } : {}),
        ...(merged > 0 ? undo('undo-merges', id) : {}),
      })
    }
    case 'undo-merge': {
      const { restored } = await undoMergeOnce(ctx, { publicationId, id: values.id })
      return redirectBack(`Merge undone: ${countOf(restored, 'reader')} restored`)
    }
    case 'undo-merges':
      await undoMergesOnce(ctx, { publicationId, id: values.id })
      return redirectBack('The bulk merge is being undone')
    case 'restore':
      await restoreReaderOnce(ctx, values.id)
      return redirectBack('Reader restored')
    default:
      throw outdatedForm()
  }
}

const severalSubscriptions = 'more than one of their readers has a running paid subscription or renews automatically.'
const notMergedText = `somebody has changed them, or ${severalSubscriptions}`
const mayBeDifferentText = `they may be different readers, or ${severalSubscriptions}`

/** The ticked readers by id, or all that match the list's filter: then `chosen` is empty, `count` is how many the user was shown, and `shownAt` when. */
export async function selectedReaderIds(
  ctx: AppContext,
  publicationId: number,
  { chosen = '', list, q, count, shownAt }: Record<string, string>,
): Promise<number[]> {
  if (chosen !== '') return chosen.split(',').map(Number)
  return listedIds(ctx, {
    publicationId,
    list,
    ...(q ? { q } : {}),
    ...(count ? { count } : {}),
    ...(shownAt ? { shownAt } : {}),
  })
}

function jsonOf(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    throw outdatedForm()
  }
}
