import { beforeAll, expect, it } from 'vitest'
import { queuedEmails } from '#tests/support/emails.ts'
import { type ApiFixture, callApi, openApiFixture } from './api-fixture.ts'

let fixture: ApiFixture
beforeAll(async () => {
  fixture = await openApiFixture()
})

async function call(method: string, path: string, body?: unknown) {
  const response = await callApi(fixture, method, `/emails/sender${path}`, { token: fixture.tokens.publisher, body })
  return { status: response.status, body: await response.json() }
}

it('a publisher’s sender is set, looked up in DNS, emailed another link and removed by the API; its private key is in no response', async () => {
  await call('POST', '', { senderName: '', address: '', replyTo: '' })
  expect((await call('GET', '')).body).toMatchObject({ state: 'none', address: '', checkedAt: null, records: [] })
  expect((await call('POST', '/check', {})).status).toBe(409)
  expect((await call('POST', '/link', {})).status).toBe(409)

  const fields = { senderName: 'Quayside', address: 'readers@quayside.example', replyTo: 'help@quayside.example' }
  expect(await call('POST', '', fields)).toEqual({ status: 200, body: { isLinkSent: true } })
  expect(await call('POST', '/check', {})).toEqual({ status: 200, body: { isAnswered: true } })
  const { body } = await call('GET', '')
  expect(body).toMatchObject({
    ...fields,
    state: 'unverified',
    verifiedAt: null,
    checkedAt: fixture.services.now().toISOString(),
    records: [
      { kind: 'DKIM', state: 'missing', found: '', name: expect.stringMatching(/\._domainkey\.quayside\.example$/) },
      { kind: 'DMARC' },
    ],
  })
  expect(JSON.stringify(body)).not.toMatch(/private|token|sealed/i)

  expect(await call('POST', '/link', {})).toEqual({ status: 200, body: { to: fields.address } })
  expect(await queuedEmails(fixture.services, 'sender-link')).toHaveLength(2)

  expect(await call('POST', '', { ...fields, address: '' })).toEqual({ status: 200, body: { isLinkSent: false } })
  expect((await call('GET', '')).body).toMatchObject({ state: 'none', replyTo: fields.replyTo, records: [] })
})
