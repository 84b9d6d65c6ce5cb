import type { AppLoadContext } from '@remix-run/node'
import type { AppContext } from '#core/context.ts'
import { cancelLikelySearch } from '#core/duplicates/cancel-likely-search.ts'
import { findLikelyDuplicates } from '#core/duplicates/find-likely-duplicates.ts'
import { listMerges } from '#core/duplicates/list-merges.query.ts'
import { markNotDuplicates } from '#core/duplicates/mark-not-duplicates.ts'
import { mergeLikelyDuplicates } from '#core/duplicates/merge-likely-duplicates.ts'
import { mergeReaders } from '#core/duplicates/merge-readers.ts'
import { resumeMerges } from '#core/duplicates/resume-merges.ts'
import { countOf } from '#core/kernel/text-format.ts'
import { conflictIfGone, outdatedForm } from './form.ts'
import { redirectWithToast, type ToastMessage } from './toast.ts'
import { undoMergeOnce, undoMergesOnce } from './undo-once.ts'

interface PostedForm {
  publicationId: number
  values: Record<string, string>
  /** The page the form was on. */
  returnTo: string
}

/** For a group that somebody else has dealt with since the page was loaded. */
export const goneHint = 'It was merged or removed in the meantime. The list is up to date now.'

/** Handles the forms of the likely-duplicates page, and redirects back with a toast. */
export async function handleLikelyForm(
  ctx: AppContext,
  context: AppLoadContext,
  posted: PostedForm,
): Promise<Response> {
  const { publicationId, values } = posted
  const path = `/managedata/likely/${publicationId}`
  const redirectWithText = (text: string, to = posted.returnTo, more: Partial<ToastMessage> = {}) =>
    redirectWithToast(context, to, { kind: 'success', text, ...more })
  switch (values.intent) {
    case 'search':
      await findLikelyDuplicates(ctx, { publicationId })
      return redirectWithText('Search requested', path)
    case 'stop':
      await cancelLikelySearch(ctx, { publicationId })
      return redirectWithText('Stopped')
    case 'apart':
      await conflictIfGone('This group', goneHint, () =>
        markNotDuplicates(ctx, { publicationId, groupId: values.groupId }),
      )
      return redirectWithText('Marked as different readers', posted.returnTo, {
        detail: 'They will not be listed together again.',
      })
    case 'merge': {
      const { mergeId, removed } = await conflictIfGone('One of the readers', goneHint, () =>
        mergeReaders(ctx, { publicationId, ...mergeRequest(values) }),
      )
      const action = { label: 'Undo', to: path, fields: { intent: 'undo', id: String(mergeId) } }
      return redirectWithText(`${countOf(removed + 1, 'record')} merged into one reader`, posted.returnTo, { action })
    }
    case 'merge-all': {
      const { groups } = await mergeLikelyDuplicates(ctx, { publicationId, minConfidence: values.minConfidence })
      return redirectWithText(`${countOf(groups, 'group is', 'groups are')} being merged`, path)
    }
    case 'undo': {
      const { restored } = await undoMergeOnce(ctx, { publicationId, id: values.id })
      return redirectWithText(`Merge undone: ${countOf(restored, 'reader')} restored`)
    }
    case 'resume-run':
      await resumeMerges(ctx, { batchId: values.id })
      return redirectWithText('The bulk merge was resumed')
    case 'undo-run':
      await undoMergesOnce(ctx, { publicationId, id: values.id })
      return redirectWithText('The bulk merge is being undone')
    default:
      // Authorises the publication before validating the form.
      await listMerges(ctx, { publicationId })
      throw outdatedForm()
  }
}

/** The merge request: the group's readers with the versions shown, the reader to keep, and the values to take from others. */
export function mergeRequest(values: Record<string, string>) {
  const versions: Record<string, string> = {}
  const choices: Record<string, string> = {}
  for (const [name, value] of Object.entries(values)) {
    if (name.startsWith('version.')) versions[name.slice('version.'.length)] = value
    // Blank for a value that no record has: the merge composes it.
    if (name.startsWith('choice.') && value !== '') choices[name.slice('choice.'.length)] = value
  }
  const { survivorId, renewalOf, groupId } = values
  return { readerIds: Object.keys(versions), versions, choices, survivorId, renewalOf, groupId }
}
