import { beforeAll, describe, expect, it } from 'vitest'
import { type Permission, permissions } from '#core/access/permissions.ts'
import { userTypes } from '#core/access/user-types.ts'
import { type ApiWorld, allCalls, ask, newOrderBody, openApiWorld, pathTo, type Tenant } from './api-world.ts'

let world: ApiWorld
beforeAll(async () => {
  world = await openApiWorld()
})

/** A body each call accepts; a call without one takes none. `tag` keeps orders apart. */
const bodies: Record<string, (tenant: Tenant, tag: string) => unknown> = {
  'POST /users/login': () => ({ email: 'publisher@mackerel.test', password: 'masthead' }),
  'POST /users/slogin': () => ({ email: 'superuser@mackerel.test', password: 'masthead' }),
  'POST /subscriber/search': ({ publicationId }) => ({ publicationID: publicationId, lastName: 'mack' }),
  'POST /order/createOrder': (tenant, tag) => newOrderBody(tenant, `matrix-order-${tag}`),
}

const roles = ['visitor', ...userTypes] as const

function expected(permission: Permission | 'public', role: (typeof roles)[number], done: number): number {
  if (permission === 'public') return done
  if (role === 'visitor') return 401
  return (permissions[permission] as readonly string[]).includes(role) ? done : 403
}

describe('every call, by every role', () => {
  for (const entry of allCalls) {
    const { name, call } = entry
    it(name, async () => {
      const body = bodies[name]
      expect(Boolean(body), 'a call with a body has a sample of it here').toBe(call.method === 'POST')
      const seen: Record<string, number> = {}
      const wanted: Record<string, number> = {}
      for (const role of roles) {
        const response = await ask(world, call.method, pathTo(entry, world.mine), {
          ...(role === 'visitor' ? {} : { token: world.tokens[role] }),
          ...(body ? { body: body(world.mine, role) } : {}),
        })
        await response.arrayBuffer()
        seen[role] = response.status
        wanted[role] = expected(call.permission, role, call.status ?? 200)
      }
      expect(seen).toEqual(wanted)
    })
  }
})

describe("another publisher's ids", () => {
  const taking = allCalls.filter(
    ({ call }) =>
      Object.values(call.params ?? {}).some(({ is }) => is !== 'text') ||
      Object.values(call.body ?? {}).includes('publicationId'),
  )

  for (const entry of taking) {
    const { name, call } = entry
    it(`${name} says 404 and nothing of theirs, as for an id that nobody has`, async () => {
      const body = bodies[name]
      const answers = []
      for (const tenant of [
        world.theirs,
        { ...world.theirs, publisherId: 999_999, publicationId: 999_999, orderId: 999_999 },
      ]) {
        const response = await ask(world, call.method, pathTo(entry, tenant), {
          token: world.tokens.publisher,
          ...(body ? { body: body(tenant, 'foreign') } : {}),
        })
        const text = await response.text()
        expect(response.status).toBe(404)
        expect(text.toLowerCase()).not.toContain(world.theirs.word.toLowerCase())
        answers.push(text.replaceAll(/\d+/g, 'N'))
      }
      expect(answers[0]).toBe(answers[1])
    })

    if (call.params) {
      it(`${name} says 404 for what is no id at all`, async () => {
        for (const id of ['abc', '1e3', '-1', '0x10', '1.0', '99999999999999999999', '%27%20OR%201=1']) {
          const path = name.slice(call.method.length + 1).replace(/\{\w+\}/, id)
          const response = await ask(world, call.method, path, { token: world.tokens.publisher })
          expect([id, response.status]).toEqual([id, 404])
          await response.arrayBuffer()
        }
      })
    }
  }

  it('lists hold the own rows alone', async () => {
    const own = await ask(
      world,
      'GET',
      `/order/allorders/${world.mine.publisherId}?publicationId=${world.theirs.publicationId}`,
      {
        token: world.tokens.publisher,
      },
    )
    expect(await own.json()).toMatchObject({ rows: [], total: 0 })
    const all = await (
      await ask(world, 'GET', `/order/allorders/${world.mine.publisherId}`, { token: world.tokens.publisher })
    ).text()
    expect(all).toContain('Mackerel')
    expect(all).not.toContain('Zebrawood')
  })
})
