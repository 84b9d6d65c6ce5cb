import type { Actor } from '../access/actor.ts'
import type { Services } from '../context.ts'
import { unauthenticated } from '../kernel/errors.ts'
import { findKeyInUse, recordKeyUse } from './api-keys.rows.ts'
import { apiKeyPrefix } from './issue-api-key.ts'

export type PartnerActor = Extract<Actor, { kind: 'partner' }>

/** Whether a text looks like a key of a publication. It is not verified yet. */
export function isApiKey(token: string): boolean {
  return token.startsWith(apiKeyPrefix)
}

/**
 * The partner whose program uses a key. Throws `unauthenticated` for a key that is unknown, revoked or expired, or whose
 * publication or publisher is no longer active.
 */
export async function actorOfApiKey(services: Services, key: string): Promise<PartnerActor> {
  const row = isApiKey(key) ? await findKeyInUse(services, key) : undefined
  if (!row)
    throw unauthenticated('This API key is not valid: it does not exist, was revoked, or was replaced over a day ago.')
  await recordKeyUse(services, row)
  const { id: keyId, publicationId, publisherId, scopes } = row
  return { kind: 'partner', keyId, publicationId, publisherId, scopes }
}
