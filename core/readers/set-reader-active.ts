import { endAgreementsOf } from '../agreements/payment-agreements.rows.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { termsChanged } from './circulation-terms.rows.ts'
import { editorOf, ownReaderRow } from './own-reader-row.ts'
import { Readers } from './readers.rows.ts'
import { recordReaderChange } from './record-reader-change.ts'

export interface ReaderActivation {
  id: number
  publicationId: number
  /** False if the reader was already in that state. */
  changed: boolean
}

/**
 * Deactivates or reactivates a reader, in the caller's transaction. Idempotent. Deactivation permanently ends the automatic renewal: only the reader
 * can agree to a new one.
 */
export async function setReaderActive(ctx: AppContext, id: number, isActive: boolean): Promise<ReaderActivation> {
  const { reader, publication } = await ownReaderRow(ctx, id, { isLocked: true })
  const target = { id: reader.id, publicationId: publication.id }
  if (reader.isDeleted !== isActive) return { ...target, changed: false }
  await Readers.update(
    ctx,
    { id: reader.id },
    { isDeleted: !isActive, version: reader.version + 1, modifiedBy: editorOf(ctx) },
  )
  const renewalsEnded = isActive ? 0 : await endAgreementsOf(ctx, [reader.id], 'reader-gone')
  const kind = isActive ? 'reactivated' : 'deactivated'
  await recordReaderChange(ctx, {
    readerId: reader.id,
    publicationId: publication.id,
    kind,
    note: renewalsEnded > 0 ? 'Automatic renewal turned off with it' : '',
    before: { isDeleted: isActive },
  })
  const subject = { type: 'reader', id: reader.id, publisherId: publication.publisherId }
  await recordAudit(ctx, isActive ? 'reactivate-reader' : 'deactivate-reader', subject, {
    publicationId: publication.id,
    ...(renewalsEnded > 0 ? { renewalsEnded } : {}),
  })
  await termsChanged(ctx, publication.id, [reader.id])
  return { ...target, changed: true }
}
