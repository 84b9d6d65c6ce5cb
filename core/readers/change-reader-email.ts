import type { AppContext } from '../context.ts'
import { emailKey } from '../kernel/search-keys.rules.ts'
import { readersChanged } from './reader-editions.rows.ts'
import { Readers } from './readers.rows.ts'
import { recordReaderChange } from './record-reader-change.ts'

/**
 * Writes the email given by a reader to the record if it still has the previous one. Call it in a transaction. Returns whether
 * it changed.
 */
export async function changeReaderEmail(
  ctx: AppContext,
  { readerId, publicationId, from, to }: { readerId: number; publicationId: number; from: string; to: string },
): Promise<boolean> {
  const reader = await Readers.find(ctx, { id: readerId, publicationId }, { isLocked: true })
  if (!reader || emailKey(reader.email.trim()) !== emailKey(from.trim()) || reader.email === to) return false
  const changes = { email: to, keyEmail: emailKey(to), version: reader.version + 1, modifiedBy: null }
  await Readers.update(ctx, { id: reader.id }, changes)
  const note = 'Email changed by the reader'
  await recordReaderChange(ctx, { readerId, publicationId, kind: 'edited', note, before: { email: reader.email } })
  await readersChanged(ctx.db, publicationId)
  return true
}
