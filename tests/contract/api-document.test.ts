import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { OpenApiDocument } from '#web/app/api/openapi.ts'
import { type ApiFixture, allCalls, callApi, openApiFixture } from './api-fixture.ts'
import { specifiedCalls } from './specified-calls.ts'

let fixture: ApiFixture
let document: OpenApiDocument
beforeAll(async () => {
  fixture = await openApiFixture()
  document = (await (await callApi(fixture, 'GET', '/openapi.json')).json()) as OpenApiDocument
})

/** Every object inside a value, with its path in the document. */
function* objects(value: unknown, path = '#'): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [path, value as Record<string, unknown>]
  for (const [key, inner] of Object.entries(value)) yield* objects(inner, `${path}/${key.replaceAll('/', '~1')}`)
}

function valueAt(pointer: string): unknown {
  let value: unknown = document
  for (const key of pointer.slice(2).split('/')) value = (value as Record<string, unknown>)[key.replaceAll('~1', '/')]
  return value
}

describe('/api/openapi.json', () => {
  it('documents exactly the calls in the tables', () => {
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(documented.sort()).toEqual(allCalls.map(({ name }) => name).sort())
    expect(document.openapi).toBe('3.1.0')
  })

  it('documents every call that integrators rely on', () => {
    const normalised = (name: string) => name.replaceAll(/\{\w+\}/g, '{}').replace(/\/$/, '')
    const served = new Set(allCalls.map(({ name }) => normalised(name)))
    expect(specifiedCalls.filter((name) => !served.has(normalised(name)))).toEqual([])
  })

  it('resolves every reference and repeats no operation id', () => {
    for (const [path, { $ref }] of objects(document)) {
      if (typeof $ref === 'string') expect([path, valueAt($ref)]).toEqual([path, expect.any(Object)])
    }
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('declares the values of each path, the body, the token and the errors of each call', () => {
    for (const { name, call } of allCalls) {
      const [method = '', path = ''] = name.split(' ')
      const operation = document.paths[path]?.[method.toLowerCase()]
      expect(operation, name).toBeDefined()
      if (!operation) continue
      const inPath = (operation.parameters ?? [])
        .filter((parameter) => parameter.in === 'path')
        .map((parameter) => parameter.name)
      expect(inPath.map((value) => `{${value}}`)).toEqual(path.match(/\{\w+\}/g) ?? [])
      expect(Object.keys(call.params ?? {})).toEqual(inPath)
      expect(Boolean(operation.requestBody)).toBe(Boolean(call.body || call.files || call.isSigned))
      expect(operation.security).toEqual(call.permission === 'public' ? [] : [{ token: [] }])
      const statuses = Object.keys(operation.responses)
      expect(statuses).toEqual(
        expect.arrayContaining(call.permission === 'public' ? ['500', '503'] : ['401', '403', '500', '503']),
      )
      if (call.query) expect(statuses, name).toContain('422')
      if (call.body || call.files) expect(statuses).toEqual(expect.arrayContaining(['400', '413', '422']))
    }
  })

  it('has no query parameter that the use case does not read', () => {
    const unread = allCalls.flatMap(({ name, call }) => {
      const { properties = {} } = z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' })
      const fields = Object.entries(call.query ?? {})
      return fields.filter(([, field]) => !(field in properties)).map(([parameter]) => `${name}?${parameter}`)
    })
    expect(unread).toEqual([])
  })

  it('describes what a body needs in the API’s field names', () => {
    const order = document.paths['/order/createOrder']?.post?.requestBody?.content['application/json']?.schema
    expect(order?.required).toEqual(expect.arrayContaining(['urlKey', 'checkboxSelection', 'email', 'billingPostcode']))
    expect(order?.required).not.toContain('shippingPostcode')
    expect(Object.keys(order?.properties ?? {})).not.toContain('amount')
  })

  it('names no secret in any answer', () => {
    // Returned by the call itself, so that the receiver can verify deliveries.
    const callsReturningSecret = ['POST /thirdparty/webhooks', 'POST /thirdparty/webhooks/{id}/secret']
    for (const { name } of allCalls) {
      const [method = '', path = ''] = name.split(' ')
      const responses = document.paths[path]?.[method.toLowerCase()]?.responses
      for (const [, { properties }] of objects(responses)) {
        // A client_secret is for the browser: it opens the form of one payment (spec 1, section 7.1).
        for (const field of Object.keys(properties ?? {}).filter((field) => field !== 'client_secret')) {
          if (field === 'secret' && callsReturningSecret.includes(name)) continue
          expect([name, field]).toEqual([name, expect.not.stringMatching(/(password|hash|secret)(?!\w*Set$)/i)])
        }
      }
    }
  })
})

describe('/api/docs', () => {
  it('lists every call without JavaScript, and loads nothing from other sites', async () => {
    const response = await callApi(fixture, 'GET', '/docs')
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const html = await response.text()
    for (const { name, call } of allCalls) {
      expect(html).toContain(`<code>${name}</code>`)
      expect(html).toContain(call.summary.split(/["&]/)[0])
    }
    const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address)
    expect(loaded.filter((address) => address !== '/api/openapi.json').sort()).toEqual([
      '/api/docs/swagger-ui-bundle.js',
      '/api/docs/swagger-ui.css',
    ])
    for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css']) {
      const sent = await callApi(fixture, 'GET', `/docs/${file}`)
      expect([file, sent.status, sent.headers.get('cache-control')]).toEqual([file, 200, 'public, max-age=3600'])
    }
    expect((await callApi(fixture, 'GET', '/docs/package.json')).status).toBe(404)
  })
})
