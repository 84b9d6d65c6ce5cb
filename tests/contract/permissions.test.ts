import { beforeAll, describe, expect, it } from 'vitest'
import type { ApiCall } from '#web/app/api/api-call.ts'
import { type ApiFixture, allCalls, callApi, openApiFixture, type Tenant } from './api-fixture.ts'
import { callAs, mayCall, roles } from './call-as.ts'
import { type Role, unknownId } from './call-sample.ts'
import { callSamples } from './call-samples.ts'

let fixture: ApiFixture
beforeAll(async () => {
  fixture = await openApiFixture()
})

function expectedStatus(call: ApiCall, role: Role, success: number): number {
  // Whoever calls is refused: these messages are unsigned.
  if (call.isSigned) return call.path.startsWith('/mail/') ? 401 : 400
  if (mayCall(call, role)) return success
  return role === 'visitor' ? 401 : 403
}

describe('every call, by every role', () => {
  it('has a sample of each body, and no sample without a call', () => {
    const posts = allCalls
      .filter(({ call }) => call.method === 'POST' && (call.body || call.files))
      .map(({ name }) => name)
    const withBody = Object.entries(callSamples).flatMap(([name, { body }]) => (body ? [name] : []))
    expect(withBody.sort()).toEqual(posts.sort())
    const known = new Set(allCalls.map(({ name }) => name))
    expect(Object.keys(callSamples).filter((name) => !known.has(name))).toEqual([])
  })

  for (const entry of allCalls) {
    const { name, call } = entry
    it(name, async () => {
      const statuses: Record<string, number> = {}
      const expectedStatuses: Record<string, number> = {}
      for (const role of roles) {
        const response = await callAs(fixture, entry, { tenant: fixture.mine, tag: role }, role)
        await response.arrayBuffer()
        statuses[role] = response.status
        expectedStatuses[role] = callSamples[name]?.statuses?.[role] ?? expectedStatus(call, role, call.status ?? 200)
      }
      expect(statuses).toEqual(expectedStatuses)
    })
  }
})

/** The use case's fields that name a record of a publisher. */
const ownedIds = /^(id|(publication|publisher|user|reader|order)Id)$/

describe("another publisher's ids", () => {
  const withIds = allCalls.filter(
    ({ call }) =>
      call.permission !== 'public' &&
      (Object.values(call.params ?? {}).some(({ is }) => is !== 'text') ||
        Object.values(call.body ?? {}).some((field) => ownedIds.test(field))),
  )
  const nobody: Tenant = {
    marker: 'nobody',
    urlKey: 'nobodys-title',
    publisherId: unknownId,
    publicationId: unknownId,
    orderId: unknownId,
    promoId: unknownId,
    backIssueId: unknownId,
  }
  /** The caller: the publisher, or a reseller where a publisher may not make the call at all. */
  const callerOf = (call: ApiCall): 'publisher' | 'reseller' =>
    call.permission === 'buyer' || mayCall(call, 'publisher') ? 'publisher' : 'reseller'

  for (const entry of withIds) {
    const { name, call } = entry
    it(`${name} returns 404 and none of their data, as for an unknown id`, async () => {
      const answers = []
      for (const tenant of [fixture.theirs, nobody]) {
        const response = await callAs(fixture, entry, { tenant, tag: 'foreign' }, callerOf(call))
        const text = await response.text()
        expect(response.status, text).toBe(404)
        expect(text.toLowerCase()).not.toContain(fixture.theirs.marker.toLowerCase())
        answers.push(text.replaceAll(/\d+/g, 'N'))
      }
      expect(answers[0]).toBe(answers[1])
    })

    if (Object.values(call.params ?? {}).some(({ is }) => is !== 'text')) {
      it(`${name} returns 404 for an invalid id`, async () => {
        for (const id of ['abc', '1e3', '-1', '0x10', '1.0', '99999999999999999999', '%27%20OR%201=1']) {
          const path = name.slice(call.method.length + 1).replace(/\{\w+\}/, id)
          const response = await callApi(fixture, call.method, path, { token: fixture.tokens[callerOf(call)] })
          expect([id, response.status]).toEqual([id, 404])
          await response.arrayBuffer()
        }
      })
    }
  }

  it('lists contain only the caller’s own rows', async () => {
    const filtered = await callApi(
      fixture,
      'GET',
      `/order/allorders/${fixture.mine.publisherId}?publicationId=${fixture.theirs.publicationId}`,
      {
        token: fixture.tokens.publisher,
      },
    )
    expect(await filtered.json()).toMatchObject({ rows: [], total: 0 })
    const all = await (
      await callApi(fixture, 'GET', `/order/allorders/${fixture.mine.publisherId}`, { token: fixture.tokens.publisher })
    ).text()
    expect(all).toContain('Mackerel')
    expect(all).not.toContain('Zebrawood')
  })
})
