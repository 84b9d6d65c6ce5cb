import type { AppContext } from '../context.ts'
import { conflict } from '../kernel/errors.ts'
import { lockPublication, selectUploads, type Upload, uploadPage } from './upload-row.ts'
import type { UploadState } from './upload-states.ts'

/** The states of an upload that waits for a decision, or is under way: a second one is refused. */
const openStates = [
  'stored',
  'checking',
  'checked',
  'waiting',
  'running',
  'undoing',
] as const satisfies readonly UploadState[]
/** The open states, and those of uploads that stopped and can be resumed. */
export const unfinishedStates = [
  ...openStates,
  'interrupted',
  'undo-interrupted',
] as const satisfies readonly UploadState[]

/** The newest upload of a publication that is in one of the states; null when there is none. */
export async function openUpload(
  ctx: AppContext,
  publicationId: number,
  states: readonly UploadState[] = openStates,
): Promise<Upload | null> {
  const uploads = await selectUploads(
    ctx,
    `u.publication_id = :publicationId AND (u.draft IN ('stored', 'checked') OR EXISTS (
       SELECT 1 FROM tasks t WHERE t.subject_id = u.id AND t.kind IN ('import-readers', 'undo-import')
         AND t.state IN ('waiting', 'running', 'interrupted'))) ORDER BY u.id DESC`,
    { publicationId },
  )
  return uploads.find(({ state }) => states.includes(state)) ?? null
}

/** One file at a time: refuses a second one, naming the first and where to find it. In the running transaction. */
export async function refuseSecondUpload(ctx: AppContext, publicationId: number): Promise<void> {
  await lockPublication(ctx, publicationId)
  const first = await openUpload(ctx, publicationId)
  if (!first) return
  throw conflict(`An upload of "${first.fileName}" to this publication ${stateText(first.state)}`, {
    hint: 'Wait until it has finished, or cancel it. Your file was not stored.',
    detail: { uploadId: first.id, page: uploadPage(first) },
  })
}

function stateText(state: UploadState): string {
  if (state === 'stored' || state === 'checking' || state === 'checked') return 'is not confirmed yet'
  return state === 'undoing' ? 'is being undone' : 'is running'
}
