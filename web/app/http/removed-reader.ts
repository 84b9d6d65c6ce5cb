import type { AppLoadContext } from '@remix-run/node'
import type { AppContext } from '#core/context.ts'
import { formatMoment } from '#core/kernel/calendar.ts'
import { isAppError } from '#core/kernel/errors.ts'
import { type RemovedReader, removedReader } from '#core/readers/removed-reader.query.ts'
import { redirectWithToast } from './toast.ts'

interface ReaderRef {
  id: number | string | undefined
  /** The publication the form states; used only if it is not known otherwise. */
  publicationId?: number | string | undefined
}

/** Why a reader was not found, if it was removed; other errors are rethrown. */
export function removalOrRethrow(ctx: AppContext, error: unknown, reader: ReaderRef): Promise<RemovedReader> {
  if (!isAppError(error) || error.kind !== 'notFound') throw error
  return removedReader(ctx, reader)
}

/** Who removed a reader, and when. */
export function removalText(ctx: AppContext, { removedBy, removedAt }: RemovedReader): string {
  if (!removedAt) return 'This reader no longer exists: an import, its undo or a merge removed it.'
  const when = formatMoment(removedAt, ctx.settings.timeZone)
  return removedBy ? `${removedBy} removed this reader on ${when}.` : `This reader was removed on ${when}.`
}

/**
 * Runs an action on a reader. If another user has removed it in the meantime, this is not a 404: redirects to the list with a message.
 * `listOf` returns the list's address; the message's Restore button, for a reader removed manually, posts `restore` with the id there.
 */
export async function redirectIfRemoved(
  ctx: AppContext,
  context: AppLoadContext,
  { failure, listOf, ...reader }: ReaderRef & { failure: string; listOf: (publicationId: number) => string },
  action: () => Promise<Response>,
): Promise<Response> {
  try {
    return await action()
  } catch (error) {
    const removal = await removalOrRethrow(ctx, error, reader)
    const list = listOf(removal.publicationId)
    return redirectWithToast(context, list, {
      kind: 'error',
      text: failure,
      detail: removalText(ctx, removal),
      ...(removal.removedAt
        ? { action: { label: 'Restore', to: list, fields: { intent: 'restore', id: String(removal.id) } } }
        : {}),
    })
  }
}
