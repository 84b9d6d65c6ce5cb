import { beforeAll, describe, expect, inject, it } from 'vitest'
import type { Actor } from '#core/access/actor.ts'
import { can } from '#core/access/permissions.ts'
import type { ApiCall } from '#web/app/api/api-call.ts'
import { type ApiFixture, allCalls, callApi, openApiFixture, pathTo } from './api-fixture.ts'
import { callSamples } from './call-samples.ts'

/** Whatever is sent, a call returns a refusal and never an internal error. The seed makes every run send the same values. */
const seed = 20_261_122

/** Values that no form sends, but a program can. */
const hostileValues: readonly unknown[] = [
  { toString: 1 },
  { toString: null, valueOf: null },
  { valueOf: 'x' },
  JSON.parse('{"__proto__":{"x":1}}'),
  { constructor: { prototype: 1 } },
  { length: 1e9 },
  {},
  [],
  [[]],
  [{ toString: 1 }],
  [null],
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 31,
  2 ** 53,
  '9'.repeat(15),
  '9'.repeat(400),
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\r\n',
  '%',
  "' OR 1=1 --",
  'NaN',
  'Infinity',
  '1e400',
  '0x10',
  '2026-13-45',
  '31/12/9999',
  '__proto__',
  'toString',
  'x'.repeat(20_000),
  '🦐'.repeat(100),
  JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`),
]

/** Park and Miller's generator: small, with the same sequence on every machine. */
function seededRandom(start: number) {
  let state = start
  const next = (below: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
  return { next, pick: <Value>(list: readonly Value[]) => list[next(list.length)] as Value }
}

type Entry = { name: string; call: ApiCall }

const publisher: Actor = { kind: 'staff', userId: 0, userType: 'publisher', publisherId: 0, email: '' }
const forPublishers = allCalls.filter(
  ({ call }) => call.body && !call.takesCsv && call.permission !== 'public' && can(publisher, call.permission),
)
const forVisitors = allCalls.filter(({ call }) => call.permission === 'public' && !call.isSigned)

for (const dialect of ['sqlite', 'postgres'] as const) {
  describe.skipIf(dialect === 'postgres' && !inject('postgresServer'))(`any input, on ${dialect}`, () => {
    let fixture: ApiFixture
    beforeAll(async () => {
      fixture = await openApiFixture(dialect)
    })

    async function statusOf({ name, call }: Entry, path: string, body: unknown, token?: string): Promise<number> {
      await fixture.services.db.run(`DELETE FROM rate_limits`)
      const response = await callApi(fixture, call.method, path, {
        ...(body === undefined ? {} : { body }),
        ...(token ? { token } : {}),
      })
      await response.arrayBuffer()
      if (response.status >= 500)
        faults.push(`${response.status} ${name} ${path.slice(0, 200)} ${JSON.stringify(body)?.slice(0, 300)}`)
      return response.status
    }
    let faults: string[] = []

    /** Each field of each call gets the object that breaks String() and Number(), and one more value; then all fields together. */
    async function fuzzBodies(entries: Entry[], token?: string): Promise<number> {
      faults = []
      const { pick, next } = seededRandom(seed)
      let sent = 0
      for (const entry of entries) {
        const fields = Object.keys(entry.call.body ?? {})
        const tag = `fuzz-${dialect}-${next(1e6)}`
        const sampleBody = await callSamples[entry.name]?.body?.({ fixture, tenant: fixture.mine, tag })
        const sample = typeof sampleBody === 'object' && !(sampleBody instanceof FormData) ? sampleBody : {}
        const bodies = [
          ...fields.flatMap((field) =>
            [hostileValues[0], pick(hostileValues)].map((value) => ({ ...sample, [field]: value })),
          ),
          Object.fromEntries(fields.map((field) => [field, pick(hostileValues)])),
        ]
        for (const body of bodies) await statusOf(entry, pathTo(entry, fixture.mine), body, token)
        sent += bodies.length
      }
      return sent
    }

    it('in a body never causes an internal error', async () => {
      const sent = await fuzzBodies(forVisitors.filter(({ call }) => call.body))
      expect(faults).toEqual([])
      expect(sent).toBeGreaterThan(200)
    })

    it('in a body that a publisher sends never causes an internal error', async () => {
      const sent = await fuzzBodies(forPublishers, fixture.tokens.publisher)
      expect(faults).toEqual([])
      expect(sent).toBeGreaterThan(200)
    })

    it('in a path or a query never causes an internal error', async () => {
      faults = []
      const { pick } = seededRandom(seed)
      const texts = hostileValues.filter(
        (value): value is string => typeof value === 'string' && !/\p{Cs}/u.test(value),
      )
      for (const entry of forVisitors) {
        for (const value of Object.keys(entry.call.params ?? {})) {
          for (const text of [pick(texts), pick(texts)])
            await statusOf(
              entry,
              pathTo(entry, fixture.mine, { [value]: text.slice(0, 2_000) || ' ' }),
              entry.call.body && {},
            )
        }
        const path = pathTo(entry, fixture.mine)
        for (const name of Object.keys(entry.call.query ?? {})) {
          for (const query of [
            `${name}[toString]=1`,
            `${name}[]=1&${name}[]=2`,
            new URLSearchParams({ [name]: pick(texts).slice(0, 2_000) }),
          ])
            await statusOf(entry, `${path}?${query}`, undefined)
        }
      }
      expect(faults).toEqual([])
    })
  })
}

describe('a search text', () => {
  it('is refused when it is too long, in every list', async () => {
    const fixture = await openApiFixture('sqlite')
    const lists = allCalls.filter(({ call }) => call.query?.q)
    expect(lists.length).toBeGreaterThan(5)
    for (const { name, call } of lists) {
      const path = `${pathTo({ name, call }, fixture.mine)}?q=${'x'.repeat(201)}`
      const asPublisher = await callApi(fixture, call.method, path, { token: fixture.tokens.publisher })
      const response =
        asPublisher.status === 403
          ? await callApi(fixture, call.method, path, { token: fixture.tokens.superuser })
          : asPublisher
      expect([name, response.status, await response.json()]).toEqual([
        name,
        422,
        { q: { message: 'Search for 200 characters or fewer' } },
      ])
    }
  })
})

describe('a single-line field', () => {
  it('contains no line break, wherever it is sent', async () => {
    const fixture = await openApiFixture('sqlite')
    const { db } = fixture.services
    const token = fixture.tokens.publisher
    const added = await callApi(fixture, 'POST', '/users/adduser', {
      token,
      body: {
        firstName: 'Ann\r\nBcc: all@example.test',
        lastName: 'Lee\u0085\u2028Smith\tJr',
        email: 'ann@mackerel.test',
        userType: 'mailer',
      },
    })
    expect(added.status).toBe(201)
    expect(await db.query(`SELECT first_name, last_name FROM users WHERE email = 'ann@mackerel.test'`)).toEqual([
      { first_name: 'Ann Bcc: all@example.test', last_name: 'Lee Smith Jr' },
    ])
    const changed = await callApi(fixture, 'POST', '/publication/updatepublication', {
      token,
      body: {
        _id: fixture.mine.publicationId,
        publicationName: 'Mackerel\r\nMonthly',
        publicationInfo: 'One line\nand another',
      },
    })
    expect([changed.status, await changed.text()]).toEqual([200, expect.anything()])
    expect(
      await db.query(`SELECT publication_name, publication_info FROM publications WHERE id = :id`, {
        id: fixture.mine.publicationId,
      }),
    ).toEqual([{ publication_name: 'Mackerel Monthly', publication_info: 'One line\nand another' }])
  })
})
