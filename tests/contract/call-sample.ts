import type { UserType } from '#core/access/user-types.ts'
import type { ApiWorld, Tenant } from './api-world.ts'

/** `buyer`: a reader with an account at the tenant's publication. `partner`: a program with a key of it that has every scope. */
export type Role = 'visitor' | 'buyer' | 'partner' | UserType

/** One asking of a call: at which tenant, and a word that keeps what must be unique apart. */
export interface Asking {
  world: ApiWorld
  tenant: Tenant
  tag: string
}

export interface CallSample {
  /** A body the call accepts; every POST has one. */
  body?: (asking: Asking) => unknown
  /** The values of the path that are not the tenant's plain publication, order or publisher id. */
  path?: Record<string, (asking: Asking) => string | Promise<string>>
  /** Answers that the permission table alone does not foretell. */
  statuses?: Partial<Record<Role, number>>
}

/** An id that nobody has. */
export const nobodysId = 999_999

/** What is made for a tenant; for the one that does not exist, an id that nobody has. */
export function madeFor(asking: Asking, make: (asking: Asking) => Promise<number>): Promise<number> {
  return asking.tenant.publisherId === nobodysId ? Promise.resolve(nobodysId) : make(asking)
}
