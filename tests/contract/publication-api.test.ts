import { beforeAll, describe, expect, it } from 'vitest'
import { flatPriceNames } from '#core/pricing/flat-price-names.rules.ts'
import { type ApiFixture, callApi, openApiFixture } from './api-fixture.ts'

let fixture: ApiFixture
beforeAll(async () => {
  fixture = await openApiFixture()
})

async function call(method: 'GET' | 'POST', path: string, body?: object) {
  const response = await callApi(fixture, method, `/publication${path}`, {
    token: fixture.tokens.publisher,
    ...(body ? { body } : {}),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const fields = {
  publicationName: 'The Gardener',
  publicationPerYear: 10,
  urlKey: 'The-Gardener',
  color: '#0b7285',
  emailAddress: 'hello@example.test',
  orderEmailAddress: 'orders@example.test',
  ccemail: 'copy@example.test',
  webAddress: 'www.example.test',
  printSubFree: true,
  customQuestionC: 'Which flower?',
  printPriceOneYearUSRecurring: '29.99',
  priceEU: '3.50',
  userkey: 'reader-42',
}

describe('a publication in the API', () => {
  it('is added under the specification’s names, read back and sent back without a change', async () => {
    const added = await call('POST', '', fields)
    expect(added).toMatchObject({ status: 201, body: { urlKey: 'The-Gardener' } })
    const read = await call('GET', `/getpublication/${added.body._id}`)
    expect(read.body).toMatchObject({
      ...fields,
      _id: added.body._id,
      color: '#0B7285',
      backgroundColour: '#C2DCE1',
      webAddress: 'https://www.example.test',
      subFree: false,
      sellBackIssues: false,
      thumbImageName: null,
      printPriceOneYearUS: null,
    })
    for (const { name } of flatPriceNames) expect(Object.keys(read.body)).toContain(name)
    expect((await call('POST', '/updatepublication', read.body)).status).toBe(200)
    expect(await call('GET', `/getpublication/${added.body._id}`)).toEqual(read)

    // Omitted fields are unchanged; null clears a field.
    const { _id } = added.body
    expect(await call('POST', '/updatepublication', { _id, priceEU: null, sellBackIssues: true })).toMatchObject({
      status: 200,
    })
    const changed = await call('GET', `/getpublication/${_id}`)
    expect(changed.body).toEqual({ ...read.body, priceEU: null, sellBackIssues: true })
    const sellingIssues = await callApi(fixture, 'GET', `/publication/backIssue/${fixture.mine.publisherId}`, {
      token: fixture.tokens.pubadmin,
    })
    expect(((await sellingIssues.json()) as { _id: number }[]).map((publication) => publication._id)).toContain(_id)
  })

  it('has plans for each region, and without sales overseas only for that of its publisher', async () => {
    const plansByRegion = async () => {
      const { body } = await call('GET', `/getpublicationbyurl/${fields.urlKey}`)
      const regions = body.pricePerCountryList as { region: string; plans: { checkboxSelection: string }[] }[]
      return Object.fromEntries(
        regions.map(({ region, plans }) => [region, plans.map((plan) => plan.checkboxSelection)]),
      )
    }
    const sellOverseas = (isOn: boolean) =>
      fixture.services.db.run(`UPDATE accounts SET sell_overseas = :isOn WHERE user_id = :id`, {
        isOn,
        id: fixture.mine.publisherId,
      })
    expect(await plansByRegion()).toEqual({ UK: ['FPN'], US: ['FPN'], EU: ['FPN'] })
    await sellOverseas(false)
    expect(await plansByRegion()).toEqual({ UK: ['FPN'], US: [], EU: [] })
    await sellOverseas(true)
  })

  it('is refused with one message for each field, under the name it was sent by', async () => {
    const wrong = {
      ...fields,
      urlKey: 'two words',
      publicationPerYear: 'monthly',
      ccemail: 'x',
      printPriceOneYear: '29,99',
      price: '1e3',
      facebook: 'javascript:alert(1)',
      publisherId: fixture.theirs.publisherId,
    }
    expect(await call('POST', '', wrong)).toEqual({
      status: 422,
      body: {
        urlKey: { message: 'Only alphanumeric characters, underscores and hyphens allowed' },
        publicationPerYear: { message: 'Must be a number' },
        ccemail: { message: 'Invalid email address' },
        printPriceOneYear: { message: 'Must be an amount such as 29.99' },
        price: { message: 'Must be an amount such as 29.99' },
        facebook: { message: 'Invalid Web address' },
      },
    })
  })

  it('has a handle that is unique regardless of upper and lower case', async () => {
    const taken = { message: 'That handle has already been taken. Please try another.' }
    expect(await call('GET', '/checkurlkey/still-free')).toEqual({ status: 200, body: { data: 'success' } })
    for (const handle of [fixture.theirs.urlKey.toUpperCase(), 'LOGIN', 'backIssues'])
      expect(await call('GET', `/checkurlkey/${handle}`)).toMatchObject({ status: 409, body: { urlKey: taken } })
    expect(await call('GET', '/checkurlkey/two%20words')).toMatchObject({ status: 422 })
    expect(await call('POST', '', { ...fields, urlKey: fixture.theirs.urlKey })).toEqual({
      status: 422,
      body: { urlKey: taken },
    })
  })

  it('counts towards the quota of titles until it is removed', async () => {
    const path = `/getnumberpublication/${fixture.mine.publisherId}`
    const { used } = (await call('GET', path)).body as { used: number }
    await fixture.services.db.run(`UPDATE accounts SET number_of_publications = :n WHERE user_id = :id`, {
      n: used + 1,
      id: fixture.mine.publisherId,
    })
    const last = await call('POST', '', { ...fields, urlKey: 'the-last' })
    expect(last.status).toBe(201)
    expect((await call('GET', path)).body).toEqual({ numberOfPublications: used + 1, used: used + 1 })
    const tooMany = await call('POST', '', { ...fields, urlKey: 'one-too-many' })
    expect(tooMany.status).toBe(409)
    expect(tooMany.body.message).toContain('Publication Quota Met')
    expect(await call('POST', `/deactivatepublication/${last.body._id}`)).toEqual({
      status: 200,
      body: { _id: last.body._id, isRemoved: true },
    })
    expect((await call('GET', '/getpublicationbyurl/the-last')).status).toBe(404)
    expect((await call('GET', path)).body).toMatchObject({ used })
  })
})
