import type { AppContext } from '../context.ts'
import { conflict } from '../kernel/errors.ts'
import { seeToLostUploads } from './lost-uploads.ts'
import { selectUploads, type UploadRow, uploadPage, uploadRow } from './upload-row.ts'
import type { UploadState } from './upload-states.rules.ts'
import { busyStates } from './upload-states.rules.ts'

/** The states of an upload that somebody still has to decide about, or that is under way: a second one is refused. */
const openStates = ['stored', 'checking', 'checked', ...busyStates] as const satisfies readonly UploadState[]
/** The same with those that stopped and can be gone on with. */
export const unfinishedStates = [...openStates, 'interrupted'] as const satisfies readonly UploadState[]

/** The upload of a publication that has not come to its end yet; null when there is none. */
export async function openUpload(
  ctx: Pick<AppContext, 'db'>,
  publicationId: number,
  states: readonly UploadState[] = openStates,
): Promise<UploadRow | null> {
  const [row] = await ctx.db.query(
    `${selectUploads} WHERE u.publication_id = :publicationId AND u.state IN (${states.map((state) => `'${state}'`).join(', ')})
     ORDER BY u.id DESC LIMIT 1`,
    { publicationId },
  )
  return row ? uploadRow(row) : null
}

/** One file at a time: refuses a second one, naming the first and where it is found. */
export async function refuseSecondUpload(
  ctx: AppContext,
  publicationId: number,
  { butFor, states = openStates }: { butFor?: number; states?: readonly UploadState[] } = {},
): Promise<void> {
  // Two uploads at once take turns; on SQLite transactions do so anyway.
  if (ctx.db.dialect === 'postgres')
    await ctx.db.query(`SELECT id FROM publications WHERE id = :publicationId FOR UPDATE`, { publicationId })
  await seeToLostUploads(ctx, publicationId)
  const first = await openUpload(ctx, publicationId, states)
  if (!first || first.id === butFor) return
  throw conflict(`An upload of "${first.file_name}" to this publication ${stateWords(first.state)}`, {
    hint: 'Wait until it has ended, or cancel it. Nothing of your file was taken.',
    detail: { uploadId: first.id, page: uploadPage({ ...first, publicationId }) },
  })
}

function stateWords(state: UploadState): string {
  if (state === 'stored' || state === 'checking' || state === 'checked') return 'is not confirmed yet'
  return state === 'undoing' ? 'is being undone' : 'is running'
}
