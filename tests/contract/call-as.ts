import { type Access, type PartnerScope, permissions } from '#core/access/permissions.ts'
import { userTypes } from '#core/access/user-types.ts'
import type { ApiCall } from '#web/app/api/api-call.ts'
import { type ApiFixture, callApi, pathTo } from './api-fixture.ts'
import type { Role, SampleRequest } from './call-sample.ts'
import { callSamples } from './call-samples.ts'

export const roles: readonly Role[] = ['visitor', 'buyer', 'partner', ...userTypes]

/** Whether the permission of a call allows a role. */
export function mayCall({ permission }: ApiCall, role: Role): boolean {
  if (permission === 'public') return true
  if (permission === 'buyer') return role === 'buyer'
  if (isPartners(permission)) return role === 'partner'
  return (permissions[permission] as readonly string[]).includes(role)
}

/** Whether a call requires a key of a publication. */
export function isPartners(access: Access): access is `partner:${PartnerScope}` {
  return access.startsWith('partner:')
}

/** Makes a call with its sample, for a tenant, in a role. */
export async function callAs(
  fixture: ApiFixture,
  entry: { name: string; call: ApiCall },
  request: Omit<SampleRequest, 'fixture'>,
  role: Role,
): Promise<Response> {
  const sample = callSamples[entry.name]
  const sampleRequest = { fixture, ...request }
  const path: Record<string, string> = {}
  for (const [value, make] of Object.entries(sample?.path ?? {})) path[value] = await make(sampleRequest)
  return callApi(fixture, entry.call.method, pathTo(entry, request.tenant, path), {
    ...(role === 'visitor' ? {} : { token: fixture.tokens[role] }),
    ...(sample?.body ? { body: await sample.body(sampleRequest) } : {}),
  })
}
