import { beforeAll, describe, expect, it } from 'vitest'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { callApi, serveApi } from './api-fixture.ts'

let services: TestServices
let url: string
beforeAll(async () => {
  services = await openTestServices()
  url = await serveApi(services)
})

async function call(method: string, path: string, body?: unknown): Promise<{ status: number; json: unknown }> {
  const response = await callApi({ url }, method, path, body === undefined ? {} : { body })
  return { status: response.status, json: await response.json() }
}

/** What a sign-up sends, under the specification's names. */
const signUpForm = (email: string, fields: object = {}) => ({
  firstName: 'Nell',
  lastName: 'Press',
  email,
  password: 'kite-under-harbour',
  password2: 'kite-under-harbour',
  country: 'GB',
  companyName: 'Quayside Press',
  addressOne: '2 Custom House Quay',
  postZip: 'TR11 3JT',
  planType: 'standard-3',
  ...fields,
})

describe('sign-up over HTTP', () => {
  it('lists the plans, the settings and a coupon under the specification’s names', async () => {
    const { json } = await call('GET', '/users/v2/product/')
    const plans = json as { order: number; key: string }[]
    expect(plans).toHaveLength(20)
    expect(plans.find(({ order }) => order === 2)).toEqual({
      name: 'Standard, 3 titles',
      price: '135.00',
      pricePlusVAT: '162.00',
      order: 2,
      key: 'standard-3',
    })
    expect(await call('GET', '/account/settings')).toEqual({ status: 200, json: { publishableKey: 'pk_demo' } })
    expect(await call('POST', '/users/v2/promocode/check/', { pattern: 'FREE20' })).toEqual({
      status: 200,
      json: { id: 'FREE20', name: 'Autumn offer', percent_off: 20 },
    })
    expect((await call('POST', '/users/v2/promocode/check/', { pattern: 'NONE' })).status).toBe(404)
  })

  it('goes from the plan to the publisher, idempotently', async () => {
    const email = 'whole@example.test'
    const subscribed = await call('POST', '/users/v2/subscribe/', {
      plan_type: 'standard-3',
      app_option: true,
      email,
      username: 'Nell Press',
      price_type: 'VAT',
      promocode: 'FREE20',
      amount: 1,
    })
    expect(subscribed).toEqual({ status: 200, json: { client_secret: expect.any(String) } })
    const secret = (subscribed.json as { client_secret: string }).client_secret
    // 3 titles with the app: 3 x 140 pounds, VAT, a fifth off.
    expect(secret).toMatch(/^demo_pi_40320_/)
    const paymentIntentId = secret.replace(/_secret_.*$/, '')
    const registered = await call(
      'POST',
      '/users/v2/register/',
      signUpForm(email, { paymentIntentId, numberOfPublications: 99, userType: 'superuser' }),
    )
    expect(registered).toEqual({
      status: 200,
      json: {
        _id: expect.any(Number),
        userType: 'publisher',
        email,
        firstName: 'Nell',
        lastName: 'Press',
        companyName: 'Quayside Press',
        numberOfPublications: 3,
        planType: 'plus-3',
      },
    })
    expect(await call('POST', '/users/v2/register/', signUpForm(email, { paymentIntentId }))).toEqual(registered)
    const stranger = await call('POST', '/users/v2/register/', signUpForm('stranger@example.test', { paymentIntentId }))
    const inventedPayment = await call(
      'POST',
      '/users/v2/register/',
      signUpForm(email, { paymentIntentId: 'demo_pi_1_x' }),
    )
    expect([stranger, inventedPayment]).toEqual([
      inventedPayment,
      { status: 404, json: { message: 'The payment was not found' } },
    ])
    expect((await call('POST', '/users/login', { email, password: 'kite-under-harbour' })).status).toBe(200)
  })

  it('ignores a reference or entry point in the request', async () => {
    const started = await call('POST', '/users/v2/subscribe/', {
      plan_type: 'standard-1',
      email: 'entry@example.test',
      username: 'Nell',
      price_type: 'VAT',
    })
    const paymentIntentId = (started.json as { client_secret: string }).client_secret.replace(/_secret_.*$/, '')
    const reference = paymentIntentId.slice(-43)
    const response = await call('POST', '/users/v2/register/', { paymentIntentId, reference })
    expect(response.status).toBe(422)
    expect(Object.keys(response.json as object).sort()).toEqual(
      ['companyName', 'country', 'email', 'firstName', 'lastName', 'password', 'password2'].sort(),
    )
  })

  it('reports errors under the names that were sent', async () => {
    const wrong = signUpForm('', {
      confirmemail: 'x',
      password: 'abc',
      password2: 'abd',
      companyName: '',
      country: 'GB',
    })
    const olderCall = await call('POST', '/users/register', { ...wrong, planType: 'standard-12' })
    expect(olderCall).toEqual({
      status: 422,
      json: {
        email: { message: 'Required' },
        companyName: { message: 'Required' },
        password: { message: 'Must be greater than 6 characters' },
        password2: { message: 'Passwords must match' },
        planType: { message: 'Must be the key of a plan on sale, such as standard-3' },
      },
    })
    const subscribed = await call('POST', '/users/v2/subscribe/', {})
    expect(subscribed).toEqual({
      status: 422,
      json: {
        plan_type: { message: 'Required' },
        email: { message: 'Required' },
        username: { message: 'Required' },
        price_type: { message: 'Must be VAT or TAXFREE' },
      },
    })
    const email = 'taken@example.test'
    expect((await call('POST', '/users/register', signUpForm(email))).status).toBe(201)
    expect(await call('POST', '/users/register', signUpForm(email.toUpperCase()))).toEqual({
      status: 422,
      json: { email: { message: 'That email is already taken' } },
    })
  })

  it('limits the checks from one address', async () => {
    const statuses = new Set<number>()
    for (let n = 0; n < 31; n++)
      statuses.add((await call('POST', '/users/v2/subscribe/', { email: `guess${n}@example.test` })).status)
    expect([...statuses]).toEqual([422, 429])
  })
})
