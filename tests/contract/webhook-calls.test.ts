import { beforeAll, expect, it } from 'vitest'
import { queueWebhooks } from '#core/webhooks/queue-webhooks.ts'
import { giveUpDeliveries } from '#core/webhooks/webhook-deliveries.rows.ts'
import { type ApiFixture, callApi, openApiFixture } from './api-fixture.ts'

let fixture: ApiFixture
beforeAll(async () => {
  fixture = await openApiFixture()
})

async function call(method: string, path: string, body?: unknown) {
  const response = await callApi(fixture, method, `/thirdparty/webhooks${path}`, {
    token: fixture.tokens.publisher,
    body,
  })
  return { status: response.status, body: await response.json() }
}

it('a webhook is added, read with its log, resent, paused and removed by the API; its secret is shown on creation', async () => {
  const fields = { url: 'https://hooks.example.com/in', events: ['order.paid'], description: 'Accounts' }
  const created = await call('POST', '', fields)
  expect(created).toEqual({ status: 201, body: { _id: expect.any(Number), secret: expect.stringMatching(/^whsec_/) } })
  const id: number = created.body._id
  await queueWebhooks(fixture.services, fixture.mine.publicationId, { type: 'order.paid', readerId: 7 })
  await giveUpDeliveries(fixture.services, [id], 'Responded with 500')
  const webhook = { _id: id, ...fields, state: 'on', pausedWhy: null, failingSince: null }
  expect((await call('GET', '')).body).toEqual([
    { ...webhook, waiting: 0, lastAt: fixture.services.now().toISOString(), lastState: 'failed' },
  ])
  const read = await call('GET', `/${id}?state=failed`)
  expect(read.body).toMatchObject({
    ...webhook,
    deliveries: [{ type: 'order.paid', state: 'failed', problem: 'Responded with 500', isReplay: false, nextAt: null }],
    next: null,
  })
  expect(await call('GET', `/${id}?state=lost&before=soon`)).toEqual({
    status: 422,
    body: { state: { message: 'Must be waiting, done or failed' }, before: { message: 'Must be a number' } },
  })
  expect(JSON.parse(read.body.deliveries[0].body).data).toEqual({
    publicationId: fixture.mine.publicationId,
    readerId: 7,
  })
  expect(Object.keys(read.body)).not.toContain('secret')
  expect(await call('POST', `/${id}/replay`, { delivery: read.body.deliveries[0]._id })).toEqual({
    status: 200,
    body: { replayed: 1 },
  })
  const replaced = await call('POST', `/${id}/secret`)
  expect(replaced.body.secret).not.toBe(created.body.secret)
  expect(await call('POST', `/${id}/pause`)).toEqual({ status: 200, body: {} })
  expect(await call('POST', `/${id}/test`)).toMatchObject({ status: 409 })
  expect((await call('GET', `/${id}`)).body).toMatchObject({ state: 'paused', pausedWhy: 'staff' })
  expect((await call('DELETE', `/${id}`)).status).toBe(200)
  expect((await call('GET', `/${id}`)).status).toBe(404)
})
