import type { UserType } from '#core/access/user-types.ts'
import type { ApiFixture, Tenant } from './api-fixture.ts'

/** `buyer`: a reader with an account at the tenant's publication. `partner`: a program with a key for it that has every scope. */
export type Role = 'visitor' | 'buyer' | 'partner' | UserType

/** One use of a call: the tenant, and a word that makes unique values different. */
export interface SampleRequest {
  fixture: ApiFixture
  tenant: Tenant
  tag: string
}

export interface CallSample {
  /** A body that the call accepts; every POST has one. */
  body?: (request: SampleRequest) => unknown
  /** Path values other than the tenant's usual publication, order or publisher id. */
  path?: Record<string, (request: SampleRequest) => string | Promise<string>>
  /** Responses that do not follow from the permission table alone. */
  statuses?: Partial<Record<Role, number>>
}

/** An unknown id. */
export const unknownId = 999_999

/** The id of a record created for a tenant; for the tenant that does not exist, an unknown id. */
export function madeFor(request: SampleRequest, make: (request: SampleRequest) => Promise<number>): Promise<number> {
  return request.tenant.publisherId === unknownId ? Promise.resolve(unknownId) : make(request)
}
