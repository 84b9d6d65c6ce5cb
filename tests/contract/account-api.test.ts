import { beforeAll, describe, expect, it } from 'vitest'
import { userTypes } from '#core/access/user-types.ts'
import { goodKeys } from '#tests/support/payee-servers.ts'
import { storedSecrets, storeTestSecrets } from '#tests/support/stored-secrets.ts'
import { type ApiFixture, callApi, openApiFixture } from './api-fixture.ts'

let fixture: ApiFixture
beforeAll(async () => {
  fixture = await openApiFixture()
  for (const { publisherId } of [fixture.mine, fixture.theirs]) await storeTestSecrets(fixture.services, publisherId)
})

type Role = (typeof userTypes)[number]
const read = async (role: Role) => (await callApi(fixture, 'GET', '/users', { token: fixture.tokens[role] })).json()
const save = async (role: Role, body: unknown) => {
  const response = await callApi(fixture, 'POST', '/users/', { token: fixture.tokens[role], body })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

describe('GET /users', () => {
  it('returns only what each role may see of its account', async () => {
    expect(await read('publisher')).toMatchObject({
      _id: fixture.mine.publisherId,
      userType: 'publisher',
      accountDets: {
        mainCurrency: 'GBP',
        sellOverseas: true,
        allowFullBackIssue: false,
        stripeDets: { publishableKey: 'pk_test_public', secretKeySet: true, webhookSecretSet: true },
        payPalDets: { payPalString: 'paypal-client-public', secretSet: true, webhookId: '' },
        secureTradingDets: { user: 'user@site', ref: 'site12345', passSet: true, sitePassSet: true },
      },
    })
    const pubadmin = await read('pubadmin')
    expect(pubadmin).toMatchObject({
      parentPublisher: fixture.mine.publisherId,
      accountDets: { telephone: '020 7946 0000' },
    })
    expect(JSON.stringify(pubadmin)).not.toMatch(
      /(stripe|payPal|secureTrading|directDebit)Dets|sellOverseas|mainCurrency/,
    )
    for (const role of ['admin', 'mailer'] as const) expect(await read(role)).toMatchObject({ accountDets: null })
    for (const role of userTypes) {
      const text = JSON.stringify(await read(role))
      for (const secret of await storedSecrets(fixture.services)) expect(text).not.toContain(secret)
    }
  })
})

describe('POST /users/', () => {
  it('saves what is sent and returns the updated account', async () => {
    const { status, body } = await save('publisher', { companyName: 'Mackerel Press', sellOverseas: false })
    expect(status).toBe(200)
    expect(body).toMatchObject({ accountDets: { companyName: 'Mackerel Press', sellOverseas: false } })
    expect(await read('publisher')).toEqual(body)
    await save('publisher', { sellOverseas: true })
  })

  it('requires the password for keys and for another email, and names each wrong field as it was sent', async () => {
    const refusal = { currentPassword: { message: 'Enter your current password' } }
    expect(await save('publisher', { stripeDets: goodKeys.stripeDets })).toEqual({ status: 422, body: refusal })
    expect(await save('mailer', { email: 'elsewhere@mackerel.test' })).toEqual({ status: 422, body: refusal })
    expect(
      await save('publisher', { stripeDets: { secretKey: 'sk_live_51Abcdefghij' }, telephone: 'x' }),
    ).toMatchObject({
      status: 422,
      body: {
        ...refusal,
        telephone: { message: expect.stringMatching(/digits/) },
        'stripeDets.secretKey': { message: expect.stringMatching(/real money/) },
      },
    })
    const done = await save('publisher', { stripeDets: goodKeys.stripeDets, currentPassword: 'masthead' })
    expect(done).toMatchObject({
      status: 200,
      body: { accountDets: { stripeDets: { publishableKey: goodKeys.stripeDets.publishableKey } } },
    })
    expect(JSON.stringify(done)).not.toContain(goodKeys.stripeDets.secretKey)
  })

  it('refuses fields that are not the role’s, and ignores fields that the table does not name', async () => {
    const { status, body } = await save('pubadmin', { companyName: 'Mine now', stripeDets: { remove: true } })
    expect(status).toBe(422)
    expect(Object.keys(body).sort()).toEqual(['companyName', 'currentPassword', 'stripeDets'])
    const { accountDets } = (await read('publisher')) as { accountDets: { numberOfPublications: number } }
    const forbidden = {
      userType: 'superuser',
      parentPublisher: fixture.theirs.publisherId,
      numberOfPublications: 500,
      avatarFile: '../../etc/passwd',
      accountDets: { numberOfPublications: 500 },
      sessionToken: 'x',
    }
    expect(
      (await save('publisher', `{"__proto__":{"userType":"superuser"},${JSON.stringify(forbidden).slice(1)}`)).status,
    ).toBe(200)
    expect(await read('publisher')).toMatchObject({
      userType: 'publisher',
      parentPublisher: null,
      avatar: null,
      accountDets: { numberOfPublications: accountDets.numberOfPublications },
    })
  })
})

it("GET /account/paypal/1 returns the client id of the caller's own publisher, whatever the number", async () => {
  await fixture.services.db.run(`UPDATE accounts SET paypal_client_id = 'theirs' WHERE user_id = :id`, {
    id: fixture.theirs.publisherId,
  })
  for (const role of ['publisher', 'pubadmin'] as const) {
    const response = await callApi(fixture, 'GET', '/account/paypal/1', { token: fixture.tokens[role] })
    expect(await response.json()).toBe('paypal-client-public')
  }
})
