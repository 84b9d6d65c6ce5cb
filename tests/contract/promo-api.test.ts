import { beforeAll, expect, it } from 'vitest'
import type { OpenApiDocument } from '#web/app/api/openapi.ts'
import { type ApiFixture, callApi, openApiFixture } from './api-fixture.ts'

let fixture: ApiFixture
beforeAll(async () => {
  fixture = await openApiFixture()
})

const call = async (method: string, path: string, body?: unknown) => {
  const response = await callApi(fixture, method, `/publication${path}`, { token: fixture.tokens.publisher, body })
  return { status: response.status, body: (await response.json()) as unknown }
}

const allTerms = { priceOneYear: true, priceSixMonths: true, priceThreeMonths: true }
const noTerms = { priceOneYear: false, priceSixMonths: false, priceThreeMonths: false }

it('a promo code is written and read under the specification’s names, days as DD-MM-YYYY', async () => {
  const pubid = fixture.mine.publicationId
  const created = await call('POST', '/promo', {
    pubid,
    code: 'WIRE-25',
    name: 'Over the wire',
    discount: '25',
    added: '1/12/2026',
    endDate: '31-12-2026',
    uses: 50,
    used: 49,
    applicableProducts: { print: { priceOneYear: true }, digital: allTerms },
  })
  const promo = {
    _id: expect.any(Number),
    pubid,
    code: 'WIRE-25',
    name: 'Over the wire',
    discount: 25,
    used: 0,
    uses: 50,
    added: '01-12-2026',
    endDate: '31-12-2026',
    applicableProducts: { print: { ...noTerms, priceOneYear: true }, digital: allTerms, bundle: noTerms },
  }
  expect(created).toEqual({ status: 201, body: promo })
  const id = (created.body as { _id: number })._id
  expect(await call('GET', `/promo/getpromodets/${id}`)).toEqual({
    status: 200,
    body: [{ _id: pubid, promoCodes: [promo] }],
  })

  const change = { promoid: id, pubid, code: 'WIRE-30', name: 'Changed', discount: 30, endDate: '' }
  const changed = { ...promo, code: 'WIRE-30', name: 'Changed', discount: 30, uses: 0, endDate: null }
  expect(await call('POST', '/updatepromo', change)).toEqual({ status: 200, body: changed })
  const list = await call('GET', `/promo/${pubid}`)
  expect(list.body).toContainEqual({ ...changed, status: 'scheduled' })

  expect(await call('DELETE', `/promo/${id}`)).toEqual({ status: 200, body: { _id: id } })
  expect((await call('DELETE', `/promo/${id}`)).status).toBe(404)
  expect((await call('GET', `/promo/getpromodets/${id}`)).status).toBe(404)
  expect((await call('POST', '/updatepromo', change)).status).toBe(404)
})

it('a promo code is valid for every product when none are named', async () => {
  const created = await call('POST', '/promo', {
    pubid: fixture.mine.publicationId,
    code: 'ALL',
    name: 'All',
    discount: 5,
  })
  expect(created.body).toMatchObject({ applicableProducts: { print: allTerms, digital: allTerms, bundle: allTerms } })
})

it('a refusal names each wrong field as it was sent', async () => {
  const wrong = {
    pubid: fixture.mine.publicationId,
    discount: 0,
    added: '31-02-2026',
    uses: 'many',
    endDate: 'soon',
    applicableProducts: {},
  }
  const { status, body } = await call('POST', '/promo', wrong)
  expect(status).toBe(422)
  expect(Object.keys(body as object).sort()).toEqual([
    'added',
    'applicableProducts',
    'code',
    'discount',
    'endDate',
    'name',
    'uses',
  ])
  expect(body).toMatchObject({ discount: { message: 'Must be from 1 to 100' } })
})

it('a change never moves a code to another publication, own or foreign', async () => {
  const body = { promoid: fixture.mine.promoId, code: 'MOVED', name: 'Moved', discount: 5 }
  expect((await call('POST', '/updatepromo', { ...body, pubid: fixture.theirs.publicationId })).status).toBe(404)
  expect((await call('POST', '/updatepromo', { ...body, promoid: fixture.theirs.promoId })).status).toBe(404)
})

it('the API document describes the products as a nested object of flags', async () => {
  const document = (await (await callApi(fixture, 'GET', '/openapi.json')).json()) as OpenApiDocument
  const schema = document.paths['/publication/promo']?.post?.requestBody?.content as unknown as {
    'application/json': { schema: { properties: Record<string, unknown>; required: string[] } }
  }
  const { properties, required } = schema['application/json'].schema
  expect(required.sort()).toEqual(['code', 'discount', 'name', 'pubid'])
  expect(properties.applicableProducts).toMatchObject({
    type: 'object',
    properties: { print: { properties: { priceOneYear: { type: expect.arrayContaining(['boolean']) } } } },
  })
})
