import { beforeAll, describe, expect, it } from 'vitest'
import { storedSecrets, storeTestSecrets } from '#tests/support/stored-secrets.ts'
import type { ApiCall } from '#web/app/api/api-call.ts'
import { type ApiFixture, allCalls, callApi, openApiFixture, type Tenant } from './api-fixture.ts'
import { callAs, mayCall, roles } from './call-as.ts'
import type { Role } from './call-sample.ts'

let fixture: ApiFixture
beforeAll(async () => {
  fixture = await openApiFixture()
  for (const { publisherId } of [fixture.mine, fixture.theirs]) await storeTestSecrets(fixture.services, publisherId)
})

/** The passwords in the samples. */
const samplePasswords = ['sesame-street', 'kite-under-harbour']

/** The headers and the body of a response. */
async function headersAndBodyOf(response: Response): Promise<string> {
  return `${[...response.headers].flat().join('\n')}\n${await response.text()}`
}

/** Which secrets the responses contain, of those stored before the calls and after them: a call may create a new one. */
async function leaksOf(send: () => Promise<Response[]>): Promise<{ statuses: number[]; leaks: string[] }> {
  const before = await storedSecrets(fixture.services)
  const responses = await send()
  const texts = await Promise.all(responses.map(headersAndBodyOf))
  const secrets = new Set([...before, ...(await storedSecrets(fixture.services)), ...samplePasswords])
  return {
    statuses: responses.map(({ status }) => status),
    leaks: [...secrets].filter((secret) => texts.some((text) => text.includes(secret))),
  }
}

/** Every permitted role, one that is not permitted, and a user of another publisher. */
function callersOf({ call }: { call: ApiCall }): { tenant: Tenant; role: Role }[] {
  const isPermitted = (role: Role) => mayCall(call, role)
  const own = call.permission === 'public' ? publicCallers : roles.filter(isPermitted)
  const refused = roles.filter((role) => !isPermitted(role)).slice(0, 1)
  return [
    ...[...own, ...refused].map((role) => ({ tenant: fixture.mine, role })),
    { tenant: fixture.theirs, role: own.includes('publisher') ? 'publisher' : (own[0] ?? 'visitor') },
  ]
}

/** Public calls do not depend on a role. */
const publicCallers: readonly Role[] = ['visitor', 'buyer', 'publisher']

describe('no response contains a password, a hash, a key or a token that is stored', () => {
  it('and secrets of every kind are searched for, in bodies and in headers', async () => {
    const secrets = (await storedSecrets(fixture.services)).join('\n')
    for (const kind of [/\$argon2id\$/, /^v1\.[\w-]+\.[\w-]+\./m, /^sk_test_/m, /^whsec_/m, /^[0-9a-f]{64}$/m])
      expect(secrets).toMatch(kind)
    const { services } = fixture
    const rows = await services.db.query(`SELECT * FROM users JOIN accounts ON accounts.user_id = users.id`)
    const { leaks } = await leaksOf(async () => [new Response(JSON.stringify(rows))])
    expect(leaks.length).toBeGreaterThan(5)
    const { leaks: inHeader } = await leaksOf(async () => [
      new Response('', { headers: { 'x-debug': services.settings.appSecret } }),
    ])
    expect(inHeader).toEqual([services.settings.appSecret])
  })

  for (const entry of allCalls) {
    it(entry.name, async () => {
      const { statuses, leaks } = await leaksOf(async () => {
        const responses = []
        for (const { tenant, role } of callersOf(entry))
          responses.push(await callAs(fixture, entry, { tenant, tag: `secret-${tenant.marker}-${role}` }, role))
        return responses
      })
      expect(leaks).toEqual([])
      // At least one call was permitted: checking refusals alone would prove nothing.
      // An unsigned message is refused, whoever sends it.
      expect(statuses.some((status) => status < 300)).toBe(!entry.call.isSigned)
      expect(statuses.filter((status) => status >= 500)).toEqual([])
    })
  }

  it('nor does the error for an invalid body', async () => {
    const { leaks } = await leaksOf(async () => {
      const responses = []
      for (const { name, call } of allCalls.filter(({ call }) => call.method === 'POST')) {
        const path = name.slice(call.method.length + 1).replaceAll(/\{\w+\}/g, '1')
        const wrong = {
          ...Object.fromEntries(Object.keys(call.body ?? {}).map((field) => [field, samplePasswords])),
          password: samplePasswords[0],
        }
        responses.push(await callApi(fixture, 'POST', path, { token: fixture.tokens.publisher, body: wrong }))
        responses.push(
          await callApi(fixture, 'POST', path, {
            token: fixture.tokens.publisher,
            body: '{"password":"sesame-street"',
          }),
        )
      }
      return responses
    })
    expect(leaks).toEqual([])
  })

  it('nor do the documents of the API', async () => {
    const { statuses, leaks } = await leaksOf(async () => [
      await callApi(fixture, 'GET', '/openapi.json'),
      await callApi(fixture, 'GET', '/docs'),
    ])
    expect({ statuses, leaks }).toEqual({ statuses: [200, 200], leaks: [] })
  })
})
