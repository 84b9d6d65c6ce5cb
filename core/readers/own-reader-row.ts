import type { AppContext } from '../context.ts'
import { notFound } from '../kernel/errors.ts'
import { inputId } from '../kernel/input-values.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { type ReaderRow, Readers } from './readers.rows.ts'

export type OwnPublication = Awaited<ReturnType<typeof ownPublication>>

export interface OwnReaderRow {
  reader: ReaderRow
  publication: OwnPublication
}

/**
 * The authorisation guard of one reader: the row and its publication, if they are the actor's; not found otherwise. In a
 * transaction `isLocked` locks the row until its end.
 */
export async function ownReaderRow(ctx: AppContext, id: unknown, { isLocked = false } = {}): Promise<OwnReaderRow> {
  const reader = await Readers.find(ctx, { id: inputId(id) }, { isLocked })
  if (!reader) throw notFound('The reader')
  const publication = await ownPublication(ctx, { id: reader.publicationId }).catch(() => null)
  if (!publication) throw notFound('The reader')
  return { reader, publication }
}

/** Who changed a record last, as stored in the record. */
export function editorOf({ actor }: Pick<AppContext, 'actor'>): number | null {
  return actor.kind === 'staff' ? actor.userId : null
}
