import type { Actor } from '#core/access/actor.ts'
import { actorOfBuyerToken, isForBuyers } from '#core/buyers/buyer-token.ts'
import type { Services } from '#core/context.ts'
import { actorOfApiKey, isApiKey } from '#core/partners/partner-actor.ts'
import { actorOfToken } from '#core/users/api-token.ts'
import { actorOfScriptKey, isScriptKey } from '#core/users/script-keys.ts'

/**
 * The caller that an `Authorization` header names: staff, a buyer, or a partner's program by its API key. Each token is accepted for its
 * own audience only.
 */
export function callerOf(services: Services, header: string): Promise<Actor> {
  const token = header.replace(/^Bearer\s+/i, '')
  if (isApiKey(token)) return actorOfApiKey(services, token)
  if (isScriptKey(token)) return actorOfScriptKey(services, token)
  return isForBuyers(token) ? actorOfBuyerToken(services, token) : actorOfToken(services, token)
}
