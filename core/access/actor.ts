import type { UserType } from './user-types.ts'

/** Who acts. Every use-case gets one in its context and every query is narrowed by it. */
export type Actor =
  | { kind: 'visitor' }
  | { kind: 'staff'; userId: number; userType: UserType; publisherId: number | null; email: string }
  | { kind: 'buyer'; buyerId: number; publicationId: number }
  /** The command line beside the database: the rights of the machine's operator. */
  | { kind: 'operator' }
  /** The worker, acting on a job row. */
  | { kind: 'system' }

export const visitor: Actor = { kind: 'visitor' }

/** An actor as a row says who it was: `actorKind` and `actorId`. */
export function actorColumns(actor: Actor): { actorKind: Actor['kind']; actorId: number | null } {
  const actorId = actor.kind === 'staff' ? actor.userId : actor.kind === 'buyer' ? actor.buyerId : null
  return { actorKind: actor.kind, actorId }
}

/** The publisher whose data the actor sees: a publisher's own id, the parent's for its staff; null where no single one is meant. */
export function actingPublisherId(actor: Actor): number | null {
  return actor.kind === 'staff' ? actor.publisherId : null
}
