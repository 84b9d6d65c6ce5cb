import { SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeBuyer } from '#tests/support/factories.ts'
import { type ApiFixture, buyerTokenOf, callApi, openApiFixture } from './api-fixture.ts'

let fixture: ApiFixture
let buyerId: number
beforeAll(async () => {
  fixture = await openApiFixture()
  const [buyer] = await fixture.services.db.query<{ id: number }>(
    `SELECT id FROM buyers WHERE email = 'ida@mackerel.test'`,
  )
  buyerId = buyer?.id ?? 0
})

interface Claims {
  secret?: string
  audience?: string
  issuer?: string
  version?: number
  publication?: number | string | null
  subject?: string
  ageSeconds?: number
}

/** A reader's token that is valid except for the given claims. */
function forge(claims: Claims = {}): Promise<string> {
  const issuedAt = Math.floor(fixture.services.clock.now.getTime() / 1000) - (claims.ageSeconds ?? 0)
  const publication = claims.publication === undefined ? fixture.mine.publicationId : claims.publication
  return new SignJWT({ version: claims.version ?? 0, ...(publication === null ? {} : { publication }) })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(claims.subject ?? String(buyerId))
    .setIssuer(claims.issuer ?? 'masthead')
    .setAudience(claims.audience ?? 'masthead:buyer')
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + 8 * 3600)
    .sign(new TextEncoder().encode(claims.secret ?? fixture.services.settings.appSecret))
}

const address = { shippingAddressOne: '7 Quay Street', shippingCity: 'Falmouth', shippingPostcode: 'TR11 3LH' }
const changeAddress = (token: string) => callApi(fixture, 'POST', '/order/buyer/address', { token, body: address })
const statusOf = async (pending: Promise<Response>) => {
  const response = await pending
  await response.arrayBuffer()
  return response.status
}

describe('a reader’s token', () => {
  it('changes the reader’s own delivery address, bare or with Bearer', async () => {
    const response = await changeAddress(await forge())
    expect([response.status, await response.json()]).toMatchObject([200, { ...address, shippingCountry: 'GB' }])
    const bare = { headers: { authorization: await forge() }, body: address }
    expect(await statusOf(callApi(fixture, 'POST', '/order/buyer/address', bare))).toBe(200)
  })

  it('is refused with a foreign key, audience, issuer, publication or person, a raised version, and when expired', async () => {
    const forged: Claims[] = [
      { secret: 'another-secret-another-secret-another' },
      { audience: 'masthead:second-step' },
      { issuer: 'elsewhere' },
      { version: 1 },
      { publication: fixture.theirs.publicationId },
      { publication: String(fixture.mine.publicationId) },
      { publication: null },
      { subject: '999999' },
      { subject: 'ida' },
      { ageSeconds: 9 * 3600 },
    ]
    for (const claims of forged)
      expect([claims, await statusOf(changeAddress(await forge(claims)))]).toEqual([claims, 401])
  })

  it('permits no call of staff, and a staff token no call of readers', async () => {
    const order = callApi(fixture, 'GET', `/order/order/${fixture.mine.orderId}`, { token: await forge() })
    expect(await statusOf(order)).toBe(403)
    // The same number is a publisher's id: the audience distinguishes them.
    const asStaff = await forge({ audience: 'masthead:staff', subject: String(fixture.mine.publisherId) })
    expect(await statusOf(changeAddress(asStaff))).toBe(401)
    expect(await statusOf(changeAddress(fixture.tokens.publisher))).toBe(403)
    expect(await statusOf(changeAddress(fixture.tokens.superuser))).toBe(403)
  })

  it('writes only to its own reader, whatever ids are in the body', async () => {
    const tokenOfOther = await buyerTokenOf(fixture.services, fixture.theirs)
    const body = { ...address, shippingCity: 'Penzance', id: buyerId, publicationID: fixture.mine.publicationId }
    expect(await statusOf(callApi(fixture, 'POST', '/order/buyer/address', { token: tokenOfOther, body }))).toBe(200)
    const cities = await fixture.services.db.query<{ publication_id: number; city: string }>(
      `SELECT publication_id, city FROM readers WHERE city = 'Penzance'`,
    )
    expect(cities.map(({ publication_id: id }) => id)).toEqual([fixture.theirs.publicationId])
  })

  it('is refused once the password has changed', async () => {
    const buyer = await makeBuyer(fixture.services, fixture.mine.publicationId)
    const credentials = { email: buyer.email, password: 'masthead', publicationID: fixture.mine.publicationId }
    const response = await callApi(fixture, 'POST', '/order/buyerlogin', { body: credentials })
    const { jwt } = (await response.json()) as { jwt: string }
    // Nothing has been ordered: the call is permitted, and its response says so.
    expect(await statusOf(changeAddress(jwt))).toBe(409)
    await fixture.services.db.run(`UPDATE buyers SET token_version = token_version + 1 WHERE id = :id`, {
      id: buyer.id,
    })
    expect(await statusOf(changeAddress(jwt))).toBe(401)
  })
})

describe('POST /order/buyerlogin', () => {
  const logIn = (body: object) => callApi(fixture, 'POST', '/order/buyerlogin', { body })

  it('pre-fills the order form under the specification’s names', async () => {
    const response = await logIn({
      email: 'Ida@Mackerel.test',
      password: 'sesame-street',
      publicationID: fixture.mine.publicationId,
    })
    const text = await response.text()
    expect(text).not.toMatch(/password|hash|sesame|argon2/i)
    expect(JSON.parse(text)).toMatchObject({
      id: buyerId,
      firstName: 'Ida',
      lastName: 'Mackerel',
      email: 'ida@mackerel.test',
      jwt: expect.stringMatching(/^eyJ/),
      firstSubStartDate: '21/11/2026',
      lastOrder: { billingAddressOne: '1 Mackerel Row', billingPostcode: 'TR11 3LH', subEndDate: '21/11/2027' },
    })
  })

  it('gives the same answer for an unknown email and a wrong password, under the fields', async () => {
    const publicationID = fixture.mine.publicationId
    for (const email of ['nobody@example.test', 'ida@mackerel.test', 'ida@zebrawood.test']) {
      const response = await logIn({ email, password: 'wrong', publicationID })
      expect([response.status, await response.json()]).toEqual([
        422,
        { password: { message: 'The email or the password is wrong' } },
      ])
    }
    const empty = await logIn({})
    expect([empty.status, await empty.json()]).toMatchObject([
      422,
      { email: { message: 'Required' }, password: { message: 'Required' } },
    ])
    const withoutPublication = await logIn({ email: 'a@b.test', password: 'x' })
    expect([withoutPublication.status, await withoutPublication.json()]).toEqual([
      422,
      { publicationID: { message: 'Required' } },
    ])
    expect((await logIn({ email: 'a@b.test', password: 'x', publicationID: 999_999 })).status).toBe(404)
  })
})

describe('whether an email has an account', () => {
  it('is 200 when it is free and 409 when it is not', async () => {
    const { publicationId } = fixture.mine
    const free = await callApi(fixture, 'GET', `/order/email/free@example.test/${publicationId}`)
    expect([free.status, await free.json()]).toEqual([200, { data: 'success' }])
    const taken = await callApi(fixture, 'GET', `/order/email/ida%40mackerel.test/${publicationId}`)
    expect([taken.status, await taken.json()]).toMatchObject([409, { email: { message: expect.any(String) } }])
    expect(
      await statusOf(callApi(fixture, 'GET', `/order/email/ida%40mackerel.test/${fixture.theirs.publicationId}`)),
    ).toBe(200)
  })
})
