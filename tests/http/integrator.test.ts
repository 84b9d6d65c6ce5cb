import { createHash, randomUUID } from 'node:crypto'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addApiKey } from '#core/partners/add-api-key.ts'
import { addPartnerApp } from '#core/partners/change-partner-apps.ts'
import { addWebhook } from '#core/webhooks/change-webhooks.ts'
import { actorOf } from '#tests/support/factories.ts'
import { makeShop } from '#tests/support/shop.ts'
import { startTestServer, type TestServer } from '#tests/support/web-server.ts'
import { openWebhookReceiver, verified } from '#tests/support/webhook-receiver.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ seed: false, worker: true, env: { WEBHOOKS_TO_LOOPBACK: '1' } })
})
afterAll(() => server.stop())

const post = (path: string, form: Record<string, string>) =>
  fetch(server.url + path, {
    method: 'POST',
    headers: { Origin: server.url },
    body: new URLSearchParams(form),
    redirect: 'manual',
  })

/** Sets up what an app and its server need from a publisher: a key, the app, a webhook receiver. */
async function setUp() {
  const shop = await makeShop(server.services)
  const owner = server.as(await actorOf(server.services, 'publisher', shop.publisherId))
  const receiver = await openWebhookReceiver()
  const redirectUri = 'https://app.example.com/back'
  const { key } = await addApiKey(owner, { publicationId: shop.id, name: 'App', scopes: ['check'] })
  const { clientId } = await addPartnerApp(owner, {
    publicationId: shop.id,
    name: 'Pocket reader',
    redirectUris: redirectUri,
  })
  const events = ['reader.added', 'subscription.started', 'order.paid']
  const { secret } = await addWebhook(owner, { url: receiver.url, events })
  return { shop, receiver, redirectUri, key, clientId, secret }
}

it('an app gets a webhook for a purchase, checks the subscriber, logs the reader in and verifies the token', async () => {
  const { shop, receiver, redirectUri, key, clientId, secret } = await setUp()
  const email = 'ann@example.test'
  const password = 'a-long-password'
  const check = async () => {
    const response = await fetch(`${server.url}/api/thirdparty/checksubscriber`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ key, email, password }),
    })
    return response.json() as Promise<object>
  }
  expect(await check()).toMatchObject({ response: 'failed', reason: 'credentials' })

  const order = await post(`/${shop.urlKey}/order`, {
    plan: '1BN39.99',
    country: 'GB',
    idempotencyKey: randomUUID(),
    title: 'Mrs',
    firstName: 'Ann',
    lastName: "O'Brien",
    email,
    confirmEmail: email,
    password,
    confirmPassword: password,
    'payment.cardNumber': '4242 4242 4242 4242',
    'billing.addressOne': '1 Quay Street',
    'billing.city': 'Falmouth',
    'billing.postCode': 'TR11 3LH',
  })
  expect(await order.json()).toEqual({ kind: 'done', url: expect.stringMatching(/^\/ordersuccess\?/) })

  await expect.poll(() => receiver.received.length).toBe(3)
  const payloads = receiver.received.map((request) => verified(request, secret))
  expect(payloads.map(({ type }) => type)).toEqual(['reader.added', 'subscription.started', 'order.paid'])
  const orderData = { publicationId: shop.id, readerId: payloads[0]?.data.readerId, orderId: expect.any(Number) }
  expect(payloads[2]?.data).toEqual(orderData)
  expect(() => verified({ ...receiver.received[2], body: '{}' } as (typeof receiver.received)[0], secret)).toThrow()

  expect(await check()).toMatchObject({ response: 'success' })

  const verifier = 'only-the-app-knows-this-verifier-0123456789abc'
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    state: 'xyz',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const page = await fetch(`${server.url}/oauth/authorize?${query}`)
  expect(await page.text()).toContain('Pocket reader')
  const html = await (await post(`/oauth/authorize?${query}`, { intent: 'login', email, password })).text()
  const redirect = new URL(
    /<a href="(https:\/\/app\.example\.com[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '',
  )
  expect(redirect.searchParams.get('state')).toBe('xyz')
  const issued = await post('/api/thirdparty/oauth/token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    code: redirect.searchParams.get('code') ?? '',
  })
  const { access_token: token } = (await issued.json()) as { access_token: string }
  const keys = createRemoteJWKSet(new URL(`${server.url}/.well-known/jwks.json`))
  const { payload } = await jwtVerify(token, keys, {
    audience: clientId,
    issuer: server.services.settings.appUrl,
    typ: 'at+jwt',
  })
  expect(payload).toMatchObject({ publication: shop.id, product: 'bundle', until: expect.any(Number) })
  const forged = `${token.slice(0, -8)}AAAAAAAA`
  await expect(jwtVerify(forged, keys)).rejects.toThrow()
})
