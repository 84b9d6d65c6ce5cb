import { beforeAll, describe, expect, it } from 'vitest'
import type { Services } from '#core/context.ts'
import { AppError } from '#core/kernel/errors.ts'
import { Orders } from '#core/orders/orders.rows.ts'
import { type ApiFixture, callApi, newOrderBody, openApiFixture, serveApi } from './api-fixture.ts'

let fixture: ApiFixture
beforeAll(async () => {
  fixture = await openApiFixture()
})

const notAfterLast = 'Enter a day that is not after the last day'

describe('invalid requests', () => {
  it('get 400 for a body that is not JSON, or not an object', async () => {
    for (const body of ['{"email":', 'email=a&password=b', '[1]', '"text"']) {
      const response = await callApi(fixture, 'POST', '/users/login', { body })
      expect([body, response.status]).toEqual([body, 400])
      expect(await response.json()).toEqual({ message: expect.stringMatching(/JSON/) })
    }
  })

  it('get 413 for a body over one megabyte', async () => {
    const response = await callApi(fixture, 'POST', '/users/login', {
      body: { email: 'a'.repeat(1_100_000), password: 'x' },
    })
    expect(response.status).toBe(413)
    expect(await response.json()).toEqual({ message: 'The body is larger than 1 MB. Send less at once.' })
  })

  it('get 422 with all wrong fields, each under the name it was sent by', async () => {
    const login = await callApi(fixture, 'POST', '/users/login', { body: {} })
    expect(login.status).toBe(422)
    expect(await login.json()).toEqual({ email: { message: 'Required' }, password: { message: 'Required' } })

    const search = await callApi(fixture, 'POST', '/subscriber/search', {
      token: fixture.tokens.publisher,
      body: { lastName: 'x'.repeat(300) },
    })
    expect(search.status).toBe(422)
    expect(await search.json()).toEqual({
      publicationID: { message: expect.any(String) },
      lastName: { message: 'Must be 200 characters or fewer' },
    })

    const { billingPostcode: _, ...order } = newOrderBody(fixture.mine, 'order-without-postcode')
    const response = await callApi(fixture, 'POST', '/order/createOrder', { body: { ...order, email: 'nobody' } })
    expect(response.status).toBe(422)
    expect(await response.json()).toEqual({
      billingPostcode: { message: 'Required' },
      email: { message: 'Invalid email address' },
    })
  })

  it('get 404 for an unknown path, and 405 with the allowed methods for a wrong one', async () => {
    const unknown = await callApi(fixture, 'GET', '/nothing/here')
    expect(unknown.status).toBe(404)
    expect(await unknown.json()).toEqual({ message: expect.stringContaining('/api/docs') })
    const wrongMethod = await callApi(fixture, 'DELETE', '/users/login')
    expect(wrongMethod.status).toBe(405)
    expect(wrongMethod.headers.get('allow')).toBe('POST, OPTIONS')
    expect(await wrongMethod.json()).toEqual({ message: expect.any(String) })
    const options = await callApi(fixture, 'OPTIONS', '/order/order/1')
    expect(options.status).toBe(204)
    expect(options.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    expect((await callApi(fixture, 'GET', '/publication/getpublicationbyurl/%E0%A4%A')).status).toBe(400)
  })

  it('pass no field to the use case that the call does not name', async () => {
    const superuserLogIn = { email: 'superuser@mackerel.test', password: 'masthead', loginPage: 'super' }
    expect((await callApi(fixture, 'POST', '/users/login', { body: superuserLogIn })).status).toBe(422)
    const withOwnPrice = { ...newOrderBody(fixture.mine, 'order-with-own-price'), amount: 1 }
    const order = await callApi(fixture, 'POST', '/order/createOrder', { body: withOwnPrice })
    expect(order.status).toBe(201)
    expect(await order.json()).toMatchObject({ amount: '45.00', currency: 'GBP', state: 'paid' })
    const withOwnTotal = { ...newOrderBody(fixture.mine, 'order-with-own-total'), purchasePrice: '0.01' }
    const refused = await callApi(fixture, 'POST', '/order/createOrder', { body: withOwnTotal })
    expect(refused.status).toBe(409)
    expect(await refused.json()).toMatchObject({ message: 'The total is £45.00. Please check it and order again.' })
    const withOwnDiscount = { ...newOrderBody(fixture.mine, 'order-with-own-discount'), discountPercent: 99 }
    const undiscounted = await callApi(fixture, 'POST', '/order/createOrder', { body: withOwnDiscount })
    expect(undiscounted.status).toBe(409)
    expect(await undiscounted.json()).toMatchObject({
      discountPercent: { message: 'The total is £45.00. Please check it and order again.' },
    })
    const polluted =
      '{"__proto__":{"permission":"public"},"constructor":{"prototype":{"x":1}},"email":"a@b.test","password":"x"}'
    expect((await callApi(fixture, 'POST', '/users/login', { body: polluted })).status).toBe(422)
    expect(({} as Record<string, unknown>).permission).toBeUndefined()
  })
})

describe('every response', () => {
  it('has a request id, is never cached, and is open to no other site', async () => {
    for (const path of ['/openapi.json', '/nothing', '/order/order/1']) {
      const response = await callApi(fixture, 'GET', path, { headers: { origin: 'https://elsewhere.test' } })
      expect(response.headers.get('x-request-id')).toMatch(/\S{8,}/)
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  it('reveals no internals when something breaks', async () => {
    const { db } = fixture.services
    const broken = async (error: Error) => {
      const query = () => Promise.reject(error)
      const services: Services = { ...fixture.services, db: { ...db, query, run: query, transaction: query } }
      const response = await callApi(
        { url: await serveApi(services) },
        'GET',
        `/publication/getpublicationbyurl/${fixture.mine.urlKey}`,
      )
      return { status: response.status, text: await response.text(), retryAfter: response.headers.get('retry-after') }
    }
    const bug = await broken(new Error('relation "readers" does not exist at /srv/core/secret-place.ts'))
    expect(bug).toEqual({
      status: 500,
      text: JSON.stringify({ message: 'Something went wrong on our side. Please try again.' }),
      retryAfter: null,
    })
    const unavailable = await broken(
      new AppError('unavailable', 'The database is not responding', {
        cause: new Error('connect ECONNREFUSED 10.0.0.5:5432'),
        retryAfterSeconds: 5,
        hint: 'Import 57 is retried automatically: GET /subscriber/import/57',
      }),
    )
    expect(unavailable.status).toBe(503)
    expect(unavailable.retryAfter).toBe('5')
    // The text of such an error is always written in this project, and says what happens next.
    expect(JSON.parse(unavailable.text)).toEqual({
      message: 'The database is not responding. Import 57 is retried automatically: GET /subscriber/import/57',
    })
    const upstream = await broken(new AppError('upstream', 'gateway.internal said no'))
    expect(upstream.status).toBe(502)
    expect(upstream.text).not.toContain('internal')
  })
})

describe('the API', () => {
  it('returns a storefront with decimal prices', async () => {
    const response = await callApi(
      fixture,
      'GET',
      `/publication/getpublicationbyurl/${fixture.mine.urlKey.toUpperCase()}`,
    )
    const storefront = await response.json()
    expect(storefront).toMatchObject({
      _id: fixture.mine.publicationId,
      publicationName: 'Mackerel Monthly',
      printPriceOneYear: '45.00',
      printPriceOneYearUS: null,
    })
  })

  it('sells once for the same key, and declines a bad card with 402', async () => {
    const body = newOrderBody(fixture.mine, 'order-sent-twice')
    const firstResponse = await callApi(fixture, 'POST', '/order/createOrder', { body })
    const secondResponse = await callApi(fixture, 'POST', '/order/createOrder', { body })
    const order = (await firstResponse.json()) as { orderNumber: string }
    expect(await secondResponse.json()).toEqual(order)
    const otherOrder = await callApi(fixture, 'POST', '/order/createOrder', { body: { ...body, email: 'b@else.test' } })
    expect([otherOrder.status, await otherOrder.json()]).toEqual([
      409,
      { message: 'This idempotencyKey was sent before with other details. Send a new one for another order.' },
    ])
    const shortKey = await callApi(fixture, 'POST', '/order/createOrder', {
      body: { ...body, idempotencyKey: 'order 1' },
    })
    expect([shortKey.status, await shortKey.json()]).toEqual([
      422,
      { idempotencyKey: { message: 'Must be 16 to 64 letters, digits, “-” and “_”' } },
    ])
    const noCard = await callApi(fixture, 'POST', '/order/createOrder', {
      body: { ...newOrderBody(fixture.mine, 'order-without-a-card'), cardNumber: undefined },
    })
    expect([noCard.status, await noCard.json()]).toEqual([422, { cardNumber: { message: 'Required' } }])
    const declined = await callApi(fixture, 'POST', '/order/createOrder', {
      body: { ...newOrderBody(fixture.mine, 'order-that-declines'), cardNumber: '4000000000000002' },
    })
    expect(declined.status).toBe(402)
    expect(await declined.json()).toEqual({ message: expect.stringContaining('declined') })
    const outdated = await callApi(fixture, 'POST', '/order/createOrder', {
      body: { ...newOrderBody(fixture.mine, 'order-at-old-price'), checkboxSelection: '1PN40.00' },
    })
    expect(outdated.status).toBe(409)
    const problem = { message: expect.stringContaining('£45.00') }
    expect(await outdated.json()).toEqual({ ...problem, checkboxSelection: problem })
  })

  it('stores that an order is a gift, the address for the notice and the giver’s message', async () => {
    const body = {
      ...newOrderBody(fixture.mine, 'order-that-is-a-gift'),
      gift: true,
      giftEmail: 'tom@example.test',
      giftMessage: 'Happy birthday!\nNell',
    }
    const withoutRecipient = await callApi(fixture, 'POST', '/order/createOrder', { body })
    expect(withoutRecipient.status).toBe(422)
    expect(await withoutRecipient.json()).toEqual({
      shippingFirstName: { message: 'Required' },
      shippingLastName: { message: 'Required' },
    })
    const shipping = {
      shippingFirstName: 'Tom',
      shippingLastName: 'Lathe',
      shippingAddressOne: '3 Quay Street',
      shippingCity: 'Falmouth',
      shippingState: 'Cornwall',
      shippingPostcode: 'TR11 3LH',
    }
    const created = await callApi(fixture, 'POST', '/order/createOrder', {
      body: { ...body, ...shipping, deliveryCheckbox: false },
    })
    expect(created.status).toBe(201)
    const { orderNumber } = (await created.json()) as { orderNumber: string }
    expect(await Orders.find(fixture.services, { orderNumber })).toMatchObject({
      isGift: true,
      gift: { email: 'tom@example.test', message: 'Happy birthday!\nNell' },
      shipping: { city: 'Falmouth', state: 'Cornwall' },
    })
  })

  it('finds the order in the ledger and by its id, and includes it in the totals', async () => {
    const token = fixture.tokens.publisher
    const ledger = await (
      await callApi(fixture, 'GET', `/order/allorders/${fixture.mine.publisherId}?size=10&q=mackerel`, { token })
    ).json()
    expect(ledger).toMatchObject({
      page: 1,
      size: 10,
      rows: expect.arrayContaining([expect.objectContaining({ _id: fixture.mine.orderId, orderDate: '21/11/2026' })]),
    })
    for (const [query, problems] of [
      [`allorders/${fixture.mine.publisherId}?sort=nope`, { sort: { message: expect.stringContaining('/api/docs') } }],
      [`allorders/${fixture.mine.publisherId}?from=31/12/2026&until=01/01/2026`, { from: { message: notAfterLast } }],
      ['downloadallorders?from=31/12/2026&until=01/01/2026', { from: { message: notAfterLast } }],
      ['topost?sort=orderedOn', { sort: { message: expect.stringContaining('There is no such parameter') } }],
    ] as const) {
      const refused = await callApi(fixture, 'GET', `/order/${query}`, { token })
      expect([refused.status, await refused.json()], query).toEqual([422, problems])
    }
    const order = await (await callApi(fixture, 'GET', `/order/order/${fixture.mine.orderId}`, { token })).json()
    expect(order).toMatchObject({
      amount: '45.00',
      billing: { postcode: 'TR11 3LH' },
      subStartDate: '21/11/2026',
      subEndDate: '21/11/2027',
    })
    const total = (await (
      await callApi(fixture, 'GET', `/order/totalorders/${fixture.mine.publisherId}`, { token })
    ).json()) as { total: string }
    expect(Number(total.total)).toBeGreaterThanOrEqual(45)
  })

  it('refuses a filter of a list that it does not know, instead of leaving it out', async () => {
    const { publisher, superuser } = fixture.tokens
    const { publicationId } = fixture.mine
    for (const [token, path, field] of [
      [superuser, '/users/allusers?state=asleep', 'state'],
      [superuser, '/users/allusers?userType=king', 'userType'],
      [publisher, `/subscriber/likelyduplicates/${publicationId}?min=lots`, 'min'],
      [publisher, `/subscriber/likelyduplicates/${publicationId}?max=lots`, 'max'],
      [publisher, `/subscriber/likelyduplicates/${publicationId}?sort=name`, 'sort'],
      [publisher, `/subscriber/nofullname/${publicationId}?sort=colour`, 'sort'],
      [publisher, `/subscriber/nofullname/${publicationId}?page=0`, 'page'],
      [publisher, `/subscriber/nofullname/${publicationId}?page=1&page=2`, 'page'],
      [publisher, `/subscriber/merges/${publicationId}?q=Ann`, 'q'],
      [publisher, `/subscriber/imports/${publicationId}?sort=name`, 'sort'],
      [publisher, `/emails/all/${publicationId}?size=1000`, 'size'],
      [publisher, `/order/allorders/${fixture.mine.publisherId}?size=20`, 'size'],
      [superuser, '/users/allusers?page=two', 'page'],
    ] as const) {
      const refused = await callApi(fixture, 'GET', path, { token })
      expect([path, refused.status, Object.keys(await refused.json())]).toEqual([path, 422, [field]])
    }
    const search = (fields: object) =>
      callApi(fixture, 'POST', '/subscriber/search', {
        token: publisher,
        body: { publicationID: publicationId, ...fields },
      })
    const refused = await search({ page: 'last', size: 20, sort: '-shoeSize' })
    expect([refused.status, await refused.json()]).toEqual([
      422,
      {
        page: { message: 'Must be a whole number from 1 to 1,000,000' },
        size: { message: 'Must be 10, 25, 50 or 100' },
        sort: { message: expect.stringContaining('/api/docs') },
      },
    ])
    const found = await search({ page: '1', size: 25, sort: '-surname', q: null })
    expect(await found.json()).toMatchObject({ page: 1, size: 25 })
  })

  it('streams the mailing file and the reader database as CSV text', async () => {
    const token = fixture.tokens.publisher
    for (const path of ['/subscriber/v2/mailer/', '/subscriber/v2/all/']) {
      const response = await callApi(fixture, 'GET', `${path}${fixture.mine.publicationId}`, { token })
      expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
      expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="?Mackerel.*\.csv/)
      const text = await response.text()
      expect(text.charCodeAt(0)).not.toBe(0xfeff)
      expect(text).toContain('1 Mackerel Row')
      const head = await callApi(fixture, 'HEAD', `${path}${fixture.mine.publicationId}`, { token })
      expect(head.status).toBe(200)
      expect(await head.text()).toBe('')
    }
    const wrongDay = await callApi(
      fixture,
      'GET',
      `/subscriber/v2/mailer/${fixture.mine.publicationId}?on=31/02/2026`,
      {
        token,
      },
    )
    expect(wrongDay.status).toBe(422)
    expect(await wrongDay.json()).toEqual({ on: { message: expect.any(String) } })
  })

  it('responds with 429 to the eleventh guess of a password', async () => {
    const statuses = []
    for (let n = 0; n < 11; n++) {
      const response = await callApi(fixture, 'POST', '/users/login', {
        body: { email: 'guess@mackerel.test', password: `no${n}` },
      })
      statuses.push(response.status)
    }
    expect(statuses).toEqual([...Array(10).fill(422), 429])
  })
})
