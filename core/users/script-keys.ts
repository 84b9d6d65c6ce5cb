import { z } from 'zod'
import type { Actor } from '../access/actor.ts'
import { type ScriptScope, scriptScopes } from '../access/permissions.ts'
import { hashToken, newToken } from '../access/tokens.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext, Services } from '../context.ts'
import { conflict, denied, notFound, unauthenticated } from '../kernel/errors.ts'
import { notifyUser } from '../sessions/notify.ts'
import { useCase } from '../use-case.ts'
import { isLive } from './live-user.ts'
import { findScriptKey, recordScriptKeyUse, ScriptKeys } from './script-keys.rows.ts'
import { needsTwoStep } from './sessions.ts'
import { staffActor } from './staff-actor.ts'
import { Users } from './users.rows.ts'

const prefix = 'ms_'
const maxKeys = 20

export interface ListedScriptKey {
  id: number
  name: string
  scopes: ScriptScope[]
  lastFour: string
  madeAt: Date
  lastUsedAt: Date | null
}

/** The owner of the keys: the logged-in user, who must belong to a publisher. */
function ownerOf({ actor }: AppContext): Extract<Actor, { kind: 'staff' }> {
  if (actor.kind !== 'staff' || actor.publisherId === null)
    throw denied('Only users of a publisher can have keys for scripts')
  return actor
}

/** The keys with which the logged-in user's scripts call the API. The key itself is shown only once, when it is made. */
export const listScriptKeys = useCase({
  permission: 'script-key:write',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<ListedScriptKey[]> {
    const { userId } = ownerOf(ctx)
    const rows = await ScriptKeys.rows(
      ctx,
      `SELECT ${ScriptKeys.columns()} FROM script_keys WHERE user_id = :userId AND revoked_at IS NULL ORDER BY name, id`,
      { userId },
    )
    return rows.map(({ id, name, scopes, lastFour, createdAt, lastUsedAt }) => ({
      id,
      name,
      scopes,
      lastFour,
      lastUsedAt,
      madeAt: createdAt,
    }))
  },
})

/** Makes a key for scripts of the logged-in user. Its rights are the user's, limited to its scopes. */
export const addScriptKey = useCase({
  permission: 'script-key:write',
  input: z.object({
    name: z.string('Required').trim().min(1, 'Required').max(60, 'Must be 60 characters or fewer'),
    scopes: z.array(z.enum(scriptScopes, 'Choose what the key may do')).min(1, 'Choose what the key may do'),
  }),
  async run(ctx, { name, scopes }): Promise<{ id: number; key: string }> {
    const { userId, publisherId } = ownerOf(ctx)
    const inUse = await listScriptKeys(ctx, {})
    if (inUse.length >= maxKeys) {
      throw conflict(`You already have ${maxKeys} keys, the maximum. Revoke one first.`)
    }
    // Names are unique, as the name says which key to revoke.
    if (inUse.some((other) => other.name.toLowerCase() === name.toLowerCase()))
      throw conflict('There is already a key with that name', { fields: { name: 'Another key already has this name' } })
    const key = `${prefix}${newToken()}`
    const row = { userId, name, scopes: [...new Set(scopes)], keyHash: hashToken(key), lastFour: key.slice(-4) }
    const id = await ScriptKeys.insert(ctx, row)
    await recordAudit(ctx, 'make-script-key', { type: 'user', id: userId, publisherId }, { key: id, scopes })
    await notifyUser(ctx, userId, 'script-key-made')
    return { id, key }
  },
})

/** Revokes one of the logged-in user's keys immediately. */
export const revokeScriptKey = useCase({
  permission: 'script-key:write',
  input: z.object({ keyId: z.coerce.number('Required').int() }),
  async run(ctx, { keyId }): Promise<void> {
    const { userId, publisherId } = ownerOf(ctx)
    const revoked = await ScriptKeys.update(ctx, { id: keyId, userId, revokedAt: null }, { revokedAt: ctx.now() })
    if (revoked === 0) throw notFound('The key')
    await recordAudit(ctx, 'revoke-script-key', { type: 'user', id: userId, publisherId }, { key: keyId })
  },
})

/** Whether a token looks like a key for scripts; it is not verified here. */
export function isScriptKey(token: string): boolean {
  return token.startsWith(prefix)
}

/**
 * The user that a key acts for, limited to its scopes. Throws `unauthenticated` if the key was revoked or its user is deactivated, and `denied` if the user
 * has not set up the two-step log-in that this installation requires.
 */
export async function actorOfScriptKey(services: Services, key: string): Promise<Actor> {
  const scriptKey = await findScriptKey(services, key)
  const user = scriptKey && (await Users.find(services, { id: scriptKey.userId }))
  const actor = user && (await isLive(services, user)) ? staffActor(user) : null
  if (!scriptKey || !user || actor?.kind !== 'staff')
    throw unauthenticated('This key is not valid: it does not exist or was revoked.')
  if (!user.twoStepSince && needsTwoStep(services, user.userType))
    throw denied(`Set up two-step log-in in the browser first: ${services.settings.appUrl}/account/two-step`)
  await recordScriptKeyUse(services, scriptKey)
  return { ...actor, scopes: scriptKey.scopes }
}
