import type { AppContext } from '../context.ts'
import { emailKey } from '../kernel/search-keys.rules.ts'
import { lockKeptRecord } from './kept-record.ts'
import { readersChanged } from './reader-editions.rows.ts'
import { recordReaderChange } from './record-reader-change.ts'

/**
 * Writes the email given by a reader to the record, also to a removed one, if it still has the previous one. Call it in a transaction. Returns whether
 * it changed.
 */
export async function changeReaderEmail(
  ctx: AppContext,
  { readerId, publicationId, from, to }: { readerId: number; publicationId: number; from: string; to: string },
): Promise<boolean> {
  const record = await lockKeptRecord(ctx, { readerId, publicationId })
  const email = record?.reader.email
  if (!record || email === undefined || emailKey(email.trim()) !== emailKey(from.trim()) || email === to) return false
  await record.write({ email: to, keyEmail: emailKey(to), modifiedBy: null })
  const note = 'Email changed by the reader'
  const { isRemoved } = record
  await recordReaderChange(ctx, { readerId, publicationId, kind: 'edited', note, before: { email }, isRemoved })
  await readersChanged(ctx.db, publicationId)
  return true
}
