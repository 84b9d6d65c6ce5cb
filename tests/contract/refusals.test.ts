import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { can } from '#core/access/permissions.ts'
import { type UserType, userTypes } from '#core/access/user-types.ts'
import { projectRoot } from '#core/platform/project-root.ts'
import type { ApiCall } from '#web/app/api/api-call.ts'
import type { OpenApiDocument, Operation } from '#web/app/api/openapi.ts'
import { programTexts } from '#web/app/api/program-texts.ts'
import { type ApiFixture, allCalls, callApi, openApiFixture, pathTo } from './api-fixture.ts'
import { type BadSample, badSamples } from './bad-samples.ts'
import { isPartners } from './call-as.ts'
import { type Role, unknownId } from './call-sample.ts'
import { callSamples } from './call-samples.ts'
import { problemsOf } from './plain-words.ts'

/**
 * Values that no client sends on purpose, for every field in the OpenAPI document, one at a time in a valid request. None of
 * them causes an internal error, and each refusal is a plain sentence under a name that the document has.
 */
const wrongValues: readonly unknown[] = [
  null,
  7,
  'some text',
  true,
  { inner: { deep: 1 } },
  ['entry'],
  [null],
  '',
  'x'.repeat(25_000),
  'a\0b',
  'a\ud800b',
]
/** Such values for an address, where everything is text. */
const wrongInPath = ['some%20text', '-1', '1.5', '9'.repeat(25), 'x'.repeat(3000), 'a%00b', '%ED%A0%80']
const wrongInQuery = ['', 'some%20text', '-1', 'x'.repeat(3000), 'a%00b', '%ED%A0%80']

/** How many values a call is tested with. They are distributed over its fields in the same way in every run. */
const valuesPerCall = Number(process.env.REFUSALS_PER_CALL ?? 60)
const valuesPerParameter = Number(process.env.REFUSALS_PER_CALL ?? 3)

let fixture: ApiFixture
let document: OpenApiDocument
beforeAll(async () => {
  fixture = await openApiFixture('sqlite')
  document = (await (await callApi(fixture, 'GET', '/openapi.json')).json()) as OpenApiDocument
})

const clearLimits = () => fixture.services.db.run(`DELETE FROM rate_limits`)

interface DocumentedCall {
  name: string
  operation: Operation
  entry: (typeof allCalls)[number]
}

function operations(): DocumentedCall[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`
      return { name, operation, entry: allCalls.find((call) => call.name === name) as DocumentedCall['entry'] }
    }),
  )
}

function bodyFields({ requestBody }: Operation): string[] {
  const schema = requestBody?.content['application/json']?.schema as { properties?: object } | undefined
  return Object.keys(schema?.properties ?? {})
}

/** Some of a list's values, different ones for each turn. */
function valuesForTurn<Value>(values: readonly Value[], turn: number): Value[] {
  const start = (turn * valuesPerParameter) % values.length
  return [...values.slice(start), ...values.slice(0, start)].slice(0, valuesPerParameter)
}

/** A role that a call permits. */
function roleFor(call: ApiCall): Role {
  if (call.permission === 'public') return 'visitor'
  if (call.permission === 'buyer') return 'buyer'
  if (isPartners(call.permission)) return 'partner'
  const isPermitted = (userType: UserType) =>
    can({ kind: 'staff', userId: 0, userType, publisherId: 0, email: '' }, call.permission)
  return isPermitted('publisher') ? 'publisher' : (userTypes.find(isPermitted) ?? 'visitor')
}

/** A call's own bad request; without one, a list gets an unknown filter, a call with ids an unknown id, the rest no log-in. */
function badSampleOf({
  name,
  call,
}: (typeof allCalls)[number]): (Partial<BadSample> & { isLoggedOut?: true }) | undefined {
  const own = badSamples[name]
  if (own) return own
  if (call.query) return { query: 'shoesize=7', status: 422 }
  const ids = Object.entries(call.params ?? {}).filter(([, { is }]) => is !== 'text')
  if (ids.length > 0) return { path: Object.fromEntries(ids.map(([id]) => [id, String(unknownId)])), status: 404 }
  return call.permission === 'public'
    ? undefined
    : { isLoggedOut: true, status: 401, expectedBody: { message: 'Please log in' } }
}

/** A response without the fields of another protocol (OAuth), which are not sentences. */
function withoutProtocolFields({ hasOwnRefusals }: ApiCall, text: string): string {
  if (!hasOwnRefusals) return text
  const { error: _, error_description: __, ...sentences } = JSON.parse(text) as Record<string, unknown>
  return JSON.stringify(sentences)
}

const namesOf = ({ query, body }: ApiCall) => Object.keys({ ...query, ...body })

describe('a text for programs', () => {
  const sources = readdirSync(join(projectRoot(), 'core'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('.test.'))
    .map((file) => readFileSync(join(projectRoot(), 'core', file), 'utf8'))

  it.each(Object.keys(programTexts))('replaces one that the core has: %s', (text) => {
    expect(sources.some((source) => source.includes(`'${text}'`))).toBe(true)
  })
})

describe('a bad request', () => {
  it('has a sample for every call that can be sent a bad request', () => {
    const known = new Set(allCalls.map(({ name }) => name))
    expect(Object.keys(badSamples).filter((name) => !known.has(name))).toEqual([])
    const withoutSample = allCalls.filter((entry) => !badSampleOf(entry))
    expect(withoutSample.filter(({ call }) => call.body || call.files).map(({ name }) => name)).toEqual([])
  })

  for (const entry of allCalls) {
    const bad = badSampleOf(entry)
    if (!bad) continue
    it(`${entry.name} reports what is wrong`, async () => {
      const role = roleFor(entry.call)
      const sample = callSamples[entry.name]
      const request = { fixture, tenant: fixture.mine, tag: `bad-${Math.random().toString(36).slice(2)}` }
      const path: Record<string, string> = {}
      for (const [value, make] of Object.entries(sample?.path ?? {})) path[value] = await make(request)
      const body = await sample?.body?.(request)
      await clearLimits()
      const address = pathTo(entry, fixture.mine, { ...path, ...bad.path })
      const response = await callApi(fixture, entry.call.method, bad.query ? `${address}?${bad.query}` : address, {
        ...(role === 'visitor' || bad.isLoggedOut ? {} : { token: fixture.tokens[role] }),
        ...(bad.body ? { body: { ...(body as object), ...bad.body } } : body === undefined ? {} : { body }),
        ...(bad.rawBody === undefined ? {} : { body: bad.rawBody }),
      })
      const text = await response.text()
      const refusal = JSON.parse(text) as Record<string, string | { message: string }>
      const expectedBody = Object.entries(refusal).map(([field, problem]) => [
        field,
        typeof problem === 'string' ? problem : problem.message,
      ])
      expect({ status: response.status, says: Object.fromEntries(expectedBody) }).toEqual({
        status: bad.status,
        says: bad.expectedBody ?? expect.any(Object),
      })
      const names = [...expectedBody.map(([field = '']) => field.split('.')[0] as string), ...namesOf(entry.call)]
      expect(problemsOf(response.status, withoutProtocolFields(entry.call, text), names)).toEqual([])
    })
  }
})

it('every refusal is a plain sentence under a public name, whatever a field contains', {
  timeout: 300_000,
}, async () => {
  const faults: string[] = []
  let requests = 0
  let turn = 0
  for (const { name, operation, entry } of operations()) {
    const role = roleFor(entry.call)
    const token = role === 'visitor' ? {} : { token: fixture.tokens[role] }
    const inPath = (operation.parameters ?? [])
      .filter((parameter) => parameter.in === 'path')
      .map((parameter) => parameter.name)
    const inQuery = (operation.parameters ?? [])
      .filter((parameter) => parameter.in === 'query')
      .map((parameter) => parameter.name)
    const fields = bodyFields(operation)
    const known = [...inPath, ...inQuery, ...fields, ...Object.keys(entry.call.files ?? {})]
    const sampleBody = await callSamples[name]?.body?.({ fixture, tenant: fixture.mine, tag: `refusals-${turn}` })
    const sample = sampleBody instanceof FormData ? {} : ((sampleBody ?? {}) as Record<string, unknown>)

    const send = (path: string, body?: unknown) =>
      callApi(fixture, entry.call.method, path, { ...token, ...(body === undefined ? {} : { body }) })
    const checkResponse = async (what: string, path: string, body?: unknown) => {
      // Only public calls check something else, such as a captcha, before the rate limit.
      if (role === 'visitor') await clearLimits()
      let response = await send(path, body)
      if (response.status === 429) {
        await clearLimits()
        response = await send(path, body)
      }
      const text = await response.text()
      requests++
      for (const problem of problemsOf(response.status, withoutProtocolFields(entry.call, text), known))
        faults.push(`${name} ${what}: ${problem}`)
    }

    const path = pathTo(entry, fixture.mine)
    const pairs = fields.flatMap((field) => wrongValues.map((value) => [field, value] as const))
    const step = Math.max(1, Math.ceil(pairs.length / valuesPerCall))
    for (let index = turn % step; index < pairs.length; index += step) {
      const [field, value] = pairs[index] as (typeof pairs)[number]
      await checkResponse(`${field} = ${JSON.stringify(value).slice(0, 40)}`, path, { ...sample, [field]: value })
    }
    if (fields.length > 0) await checkResponse('without a field', path, {})
    const body = fields.length > 0 ? sample : undefined
    for (const value of inPath) {
      for (const text of valuesForTurn(wrongInPath, turn)) {
        // Written unencoded: `pathTo` would encode it twice.
        await checkResponse(`{${value}} = ${text.slice(0, 40)}`, path.replace(/[^/]*$/, text), body)
      }
    }
    for (const value of inQuery) {
      for (const text of valuesForTurn(wrongInQuery, turn))
        await checkResponse(`?${value}=${text.slice(0, 40)}`, `${path}?${value}=${text}`, body)
      await checkResponse(`?${value}[x]=1`, `${path}?${value}[x]=1`, body)
    }
    turn++
  }
  expect(faults).toEqual([])
  expect(requests).toBeGreaterThan(2000)
})
