import { beforeAll, describe, expect, it } from 'vitest'
import { seedDemo } from '#core/seed/seed-demo.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import type { ApiCall } from '#web/app/api/api-call.ts'
import { exampleOf } from '#web/app/api/examples.ts'
import { allCalls, serveApi } from './api-fixture.ts'

let url: string
let token: string
beforeAll(async () => {
  const services = await openTestServices()
  await seedDemo(services)
  url = await serveApi(services)
  const loggedIn = await run('POST /users/login')
  token = ((await loggedIn.json()) as { token: string }).token
})

/** Sends a call's example as the reference shows it. */
function run(name: string): Promise<Response> {
  const call = allCalls.find((entry) => entry.name === name)?.call
  if (!call) throw new Error(`There is no call ${name}`)
  const { path = {}, body } = exampleOf(name, call)
  const address = (name.split(' ')[1] ?? '').replaceAll(/\{(\w+)\}/g, (_, value) =>
    encodeURIComponent(path[value] ?? ''),
  )
  return fetch(url + address, {
    method: call.method,
    headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
}

function isRunnable(name: string, call: ApiCall): boolean {
  const { path = {}, body } = exampleOf(name, call)
  if (call.method !== 'GET') return body !== undefined
  return !call.changes && Object.keys(call.params ?? {}).every((value) => value in path)
}

/** Calls that a publisher may not make, or that need data that the demo lacks. */
const excluded = ['GET /users/allusers/', 'GET /users/getpublishers/{id}']

describe('the examples of the reference', () => {
  const runnable = allCalls.filter(({ name, call }) => isRunnable(name, call) && !excluded.includes(name))

  it('cover most of the calls that read, and those an integrator begins with', () => {
    const reading = allCalls.filter(({ call }) => call.method === 'GET' && !call.changes)
    expect(runnable.filter(({ call }) => call.method === 'GET').length).toBeGreaterThan(reading.length * 0.85)
    expect(runnable.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['POST /users/login', 'POST /subscriber/search', 'POST /order/createOrder']),
    )
  })

  it.each(runnable)('$name runs against the demo', async ({ name, call }) => {
    const response = await run(name)
    const text = await response.text()
    expect([name, response.status, response.ok ? '' : text]).toEqual([name, call.status ?? 200, ''])
  })
})
