import { beforeAll, describe, expect, it } from 'vitest'
import { encodeCaptcha, solveCaptcha } from '#tests/support/captcha.ts'
import { type ApiFixture, callApi, openApiFixture, serveApi } from './api-fixture.ts'

let fixture: ApiFixture
beforeAll(async () => {
  fixture = await openApiFixture()
})

describe('GET /external/country', () => {
  const country = async (headers: Record<string, string>, url = fixture.url) =>
    (await callApi({ url }, 'GET', '/external/country', { headers })).json()

  it('reads the caller’s preferred language', async () => {
    expect(await country({ 'accept-language': 'fr-CA,fr;q=0.9' })).toEqual({ code: 'CA', country: 'Canada' })
    expect(await country({ 'accept-language': 'de' })).toEqual({ code: 'DE', country: 'Germany' })
    expect(await country({ 'accept-language': '*' })).toEqual({ code: 'GB', country: 'United Kingdom' })
  })

  it('trusts a proxy’s country header only if the installation is set up to do so', async () => {
    const headers = { 'accept-language': 'de-DE', 'cf-ipcountry': 'FR' }
    expect(await country(headers)).toMatchObject({ code: 'DE' })
    const { services } = fixture
    const behindProxy = await serveApi({
      ...services,
      settings: { ...services.settings, countryHeader: 'cf-ipcountry' },
    })
    expect(await country(headers, behindProxy)).toEqual({ code: 'FR', country: 'France' })
    expect(await country({ ...headers, 'cf-ipcountry': 'XX' }, behindProxy)).toMatchObject({ code: 'DE' })
  })
})

describe('GET /thirdparty/postcodelookup/{postcode}', () => {
  const lookUp = (postcode: string, url = fixture.url) =>
    callApi({ url }, 'GET', `/thirdparty/postcodelookup/${encodeURIComponent(postcode)}`)

  it('returns addresses as lines with commas, however the postcode is written', async () => {
    for (const postcode of ['SW1A 1AA', 'sw1a1aa', 'SW1A-1AA', ' SW1A 1AA. ']) {
      const response = await lookUp(postcode)
      expect(response.status).toBe(200)
      expect(await response.json()).toEqual({
        addresses: [
          'The Gatehouse, 1 Demo Mall, , London, ',
          'Flat 2, Palace View, 3 Demo Mall, London, ',
          'Mall Catering Ltd, 5 Demo Mall, , London, ',
        ],
      })
    }
  })

  it('calls every failure a bad request, as old clients expect, with a message that says what to do', async () => {
    const invalid = await lookUp('90210')
    expect([invalid.status, await invalid.json()]).toEqual([
      422,
      { postcode: { message: 'Enter a UK postcode, such as SW1A 1AA' }, Message: 'Bad Request' },
    ])
    const unknown = await lookUp('ZE1 0AA')
    expect([unknown.status, await unknown.json()]).toEqual([
      404,
      { message: 'No addresses were found for ZE1 0AA. Please enter the address manually', Message: 'Bad Request' },
    ])
    const notConfigured = await lookUp('SW1A 1AA', await serveApi({ ...fixture.services, postcodes: null }))
    expect([notConfigured.status, await notConfigured.json()]).toEqual([
      404,
      { message: 'Address look-up is not available here. Please enter the address manually', Message: 'Bad Request' },
    ])
    const silentProvider = { provider: 'silent', find: async () => ({ result: 'noAnswer' as const }) }
    const notResponding = await lookUp('SW1A 1AA', await serveApi({ ...fixture.services, postcodes: silentProvider }))
    expect([notResponding.status, await notResponding.json()]).toEqual([
      502,
      { message: 'A service we depend on did not respond. Please try again in a moment.', Message: 'Bad Request' },
    ])
  })
})

describe('/order/contactme', () => {
  it('accepts a solved captcha once, and emails only the operator', async () => {
    const challenge = await (await callApi(fixture, 'GET', '/order/contactme/captcha')).json()
    const body = {
      name: 'Nell',
      email: 'nell@example.test',
      message: 'Hello',
      captcha: encodeCaptcha(await solveCaptcha(challenge)),
      emailResetMessage: 'x',
      recipient: 'victim@example.test',
    }
    const response = await callApi(fixture, 'POST', '/order/contactme', { body })
    expect([response.status, await response.json()]).toEqual([
      201,
      { message: 'Thank you for your Contact Request. A member of the team will be in touch.' },
    ])
    const repeated = await callApi(fixture, 'POST', '/order/contactme', { body })
    expect([repeated.status, await repeated.json()]).toEqual([
      422,
      { captcha: { message: 'Please confirm again that you are not a robot' } },
    ])
  })
})

it('POST /order/testst exists in development and not in production', async () => {
  const inDevelopment = await callApi(fixture, 'POST', '/order/testst')
  expect([inDevelopment.status, await inDevelopment.json()]).toEqual([
    200,
    { data: 'success', at: '2026-11-21T10:00:00.000Z' },
  ])
  const { services } = fixture
  const url = await serveApi({ ...services, settings: { ...services.settings, isProduction: true } })
  const inProduction = await callApi({ url }, 'POST', '/order/testst')
  expect([inProduction.status, await inProduction.json()]).toEqual([
    404,
    { message: 'This call was not found. See /api/docs for all calls.' },
  ])
})

it('GET /order/downloadallorders downloads the acting publisher’s orders as a named CSV file', async () => {
  const response = await callApi(fixture, 'GET', '/order/downloadallorders', { token: fixture.tokens.publisher })
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="All_Orders_21112026.csv"')
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(bytes.subarray(0, 3).toString('hex')).toBe('efbbbf')
  expect(bytes.toString('utf8')).toContain('Mackerel')
  expect(bytes.toString('utf8')).not.toContain('Zebrawood')
})

it('the API of a storefront gives its publisher’s id, which the contact call takes', async () => {
  await fixture.services.db.run(
    `UPDATE accounts SET email_address = (SELECT email FROM users WHERE id = user_id) WHERE user_id = :id`,
    { id: fixture.mine.publisherId },
  )
  const shop = (await (
    await callApi(fixture, 'GET', `/publication/getpublicationbyurl/${fixture.mine.urlKey}`)
  ).json()) as {
    user: { _id: number }
  }
  expect(shop.user._id).toBe(fixture.mine.publisherId)
  const contact = await callApi(fixture, 'GET', `/users/storefront/${shop.user._id}`)
  const text = await contact.text()
  expect(JSON.parse(text)).toMatchObject({
    _id: fixture.mine.publisherId,
    accountDets: { telephone: '020 7946 0000' },
  })
  // Neither the emails of those who log in there, nor any other email of the account.
  expect(text).not.toContain('@')
})
