import { beforeAll, describe, expect, it } from 'vitest'
import { permissions } from '#core/access/permissions.ts'
import { userTypes } from '#core/access/user-types.ts'
import { auditActions } from '#core/audit/audit-actions.ts'
import { type ApiFixture, allCalls, callApi, openApiFixture, pathTo } from './api-fixture.ts'
import { isPartners } from './call-as.ts'
import type { Role } from './call-sample.ts'
import { callSamples } from './call-samples.ts'

/** Calls that are deliberately not logged, with the reason: most of them only read. */
const unlogged: Record<string, string> = {
  'POST /subscriber/search': 'a search, by POST so that no name is in a URL',
  'POST /subscriber/previewmailinglayout': 'previews a layout',
  'POST /users/v2/promocode/check/': 'looks up the discount of a code',
  'POST /publication/promo/getpromo': 'looks up the discount of a code',
  'POST /thirdparty/checksubscriber':
    'looks up a subscription at every log-in to an app: only a requested link is logged',
  'POST /thirdparty/oauth/token': 'the log-in to the app is logged when the reader agrees to it',
  'POST /thirdparty/oauth/revoke': 'ends a token of the app that sends it',
  'POST /thirdparty/oauth/introspect': 'checks a token',
  'POST /thirdparty/entitlement': 'looks up whether an email has a subscription',
  'POST /thirdparty/webhooks/{id}/test': 'sends a test event: it is in the log of the webhook',
  'POST /emails/sender/link': 'emails a link: its opening is logged',
  'POST /emails/sender/check': 'looks up DNS records: a change of the sender is logged',
  'POST /order/testst': 'a test call that changes nothing',
  'POST /publication/updatepageviews/{publicationId}': 'an anonymous count',
}

let fixture: ApiFixture
beforeAll(async () => {
  fixture = await openApiFixture()
})

type Entry = (typeof allCalls)[number]

/** A file, or a streamed list. */
const isFile = ({ response, isStreamed }: Entry['call']) => response === 'csv' || isStreamed

/** Every call that must be logged: changes, and files of personal data. A new row of the tables is tested without being named here. */
const writing = allCalls.filter(
  ({ name, call }) =>
    // A signed message is only a reason to query the provider: the resulting change is logged where the order is settled.
    !call.isSigned && (call.method !== 'GET' || isFile(call) || call.changes) && !Object.hasOwn(unlogged, name),
)

/** The first role for which this call succeeds. */
function roleFor({ name, call }: Entry): Role {
  const { permission } = call
  const permitted =
    permission === 'public'
      ? (['visitor'] as const)
      : permission === 'buyer'
        ? (['buyer'] as const)
        : isPartners(permission)
          ? (['partner'] as const)
          : userTypes.filter((type) => (permissions[permission] as readonly string[]).includes(type))
  const role = permitted.find((candidate) => (callSamples[name]?.statuses?.[candidate] ?? 200) < 400)
  if (!role) throw new Error(`${name}: no role of the table can make this call with its sample`)
  return role
}

async function callOnce(entry: Entry, role: Role, method: string = entry.call.method): Promise<Response> {
  const sample = callSamples[entry.name]
  const request = { fixture, tenant: fixture.mine, tag: `audit-${role}-${method.toLowerCase()}` }
  const path: Record<string, string> = {}
  for (const [value, make] of Object.entries(sample?.path ?? {})) path[value] = await make(request)
  const body = sample?.body && method !== 'HEAD' ? { body: await sample.body(request) } : {}
  return callApi(fixture, method, pathTo(entry, fixture.mine, path), {
    ...(role === 'visitor' ? {} : { token: fixture.tokens[role] }),
    ...body,
  })
}

/** A role's user, as the log stores it. */
async function actorOfRole(role: Role): Promise<{ actor_kind: string; actor_id: number | undefined }> {
  const isBuyer = role === 'buyer'
  const [row] = await fixture.services.db.query<{ id: number }>(
    `SELECT id FROM ${isBuyer ? 'buyers' : 'users'} WHERE email = :email`,
    { email: `${isBuyer ? 'ida' : role}@mackerel.test` },
  )
  return { actor_kind: isBuyer ? 'buyer' : 'staff', actor_id: row?.id }
}

interface Row {
  actor_kind: string
  actor_id: number | null
  door: string
  action: string
  address: string | null
  publisher_id: number | null
  subject_type: string
  facts: unknown
}

const rowsOf = (response: Response) =>
  fixture.services.db.query<Row>(`SELECT * FROM audit_log WHERE request_id = :requestId ORDER BY id`, {
    requestId: String(response.headers.get('x-request-id')),
  })

describe('every change and every download of personal data', () => {
  for (const entry of writing) {
    it(`${entry.name} is in the audit log: who, through which entry point, in which request`, async () => {
      const role = roleFor(entry)
      const user = await actorOfRole(role)
      const response = await callOnce(entry, role)
      const answer = await response.text()
      expect(response.status, answer).toBeLessThan(300)
      const rows = await rowsOf(response)
      expect(rows, 'no audit row was written').not.toEqual([])
      for (const row of rows) {
        expect(row).toMatchObject({ door: 'api', address: expect.stringContaining('127.0.0.1') })
        expect(auditActions).toHaveProperty(row.action)
        // A logged-in user's changes to a publisher's records are in that publisher's log.
        if (role !== 'visitor') expect(row).toMatchObject(user)
        if (role === 'publisher' || role === 'pubadmin' || role === 'buyer')
          expect(row.publisher_id).toBe(fixture.mine.publisherId)
      }
    })
  }

  it('is in the list of unlogged calls if it writes no audit row, and only then', async () => {
    const known = new Set(allCalls.map(({ name }) => name))
    expect(Object.keys(unlogged).filter((name) => !known.has(name))).toEqual([])
    for (const entry of allCalls.filter(({ name }) => Object.hasOwn(unlogged, name))) {
      const response = await callOnce(entry, roleFor(entry))
      await response.arrayBuffer()
      expect([entry.name, await rowsOf(response)]).toEqual([entry.name, []])
    }
  })

  it('is not logged for a HEAD of a file, nor for a call that only reads', async () => {
    const reading = allCalls.filter(({ call }) => call.method === 'GET' && !call.changes)
    for (const entry of reading) {
      const method = isFile(entry.call) ? 'HEAD' : 'GET'
      const response = await callOnce(entry, roleFor(entry), method)
      await response.arrayBuffer()
      expect([entry.name, response.status, await rowsOf(response)]).toEqual([entry.name, 200, []])
    }
  })

  it('is logged as counts and field names: nobody’s email, name, password or token', async () => {
    const rows = await fixture.services.db.query<{ action: string; facts: unknown }>(
      `SELECT action, facts FROM audit_log`,
    )
    expect(rows.length).toBeGreaterThan(writing.length)
    for (const { action, facts } of rows) {
      const text = typeof facts === 'string' ? facts : JSON.stringify(facts)
      expect(`${action} ${text}`).not.toMatch(/@|mackerel|zebrawood|masthead|sesame|argon2|eyJ|sk_(test|live)/i)
    }
  })
})
