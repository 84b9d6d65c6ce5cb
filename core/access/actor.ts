import type { PartnerScope, ScriptScope } from './permissions.ts'
import type { UserType } from './user-types.ts'

/** The caller of a use case: each use case gets one in its context, and every query is limited to what this caller may see. */
export type Actor =
  | { kind: 'visitor' }
  | {
      kind: 'staff'
      userId: number
      userType: UserType
      publisherId: number | null
      email: string
      /** Only with a script key: the subset of the user's permissions that the key has. */
      scopes?: readonly ScriptScope[]
    }
  | { kind: 'buyer'; buyerId: number; publicationId: number }
  /** A partner's program, authenticated by a key of one publication. */
  | { kind: 'partner'; keyId: number; publicationId: number; publisherId: number; scopes: readonly PartnerScope[] }
  /** The command line, with direct access to the database: the permissions of the machine's operator. */
  | { kind: 'operator' }
  /** The worker, acting on a job row. */
  | { kind: 'system' }

export const visitor: Actor = { kind: 'visitor' }

/** The columns `actorKind` and `actorId` by which a row names an actor. */
export function actorColumns(actor: Actor): { actorKind: Actor['kind']; actorId: number | null } {
  return { actorKind: actor.kind, actorId: actorIdOf(actor) }
}

function actorIdOf(actor: Actor): number | null {
  if (actor.kind === 'staff') return actor.userId
  if (actor.kind === 'buyer') return actor.buyerId
  return actor.kind === 'partner' ? actor.keyId : null
}

/** The publisher whose data the actor sees: a publisher's own id, the parent's for its staff; null for a user who belongs to no publisher. */
export function actingPublisherId(actor: Actor): number | null {
  return actor.kind === 'staff' ? actor.publisherId : null
}
