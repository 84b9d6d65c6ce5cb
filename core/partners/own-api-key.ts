import type { AppContext } from '../context.ts'
import { ownPublication } from '../publications/own-publication.ts'
import type { PublicationRow } from '../publications/publications.rows.ts'
import { type ApiKeyRow, ApiKeys } from './api-keys.rows.ts'

/** The authorisation guard of keys: a key of one of the actor's own publications, whether or not it is still in use. */
export async function ownApiKey(
  ctx: AppContext,
  keyId: number,
): Promise<{ key: ApiKeyRow; publication: PublicationRow }> {
  const key = await ApiKeys.find(ctx, { id: keyId })
  const publication = await ownPublication(ctx, { id: key?.publicationId ?? 0 })
  return { key: key as ApiKeyRow, publication }
}
