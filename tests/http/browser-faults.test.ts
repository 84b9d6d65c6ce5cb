import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '#tests/support/web-server.ts'

/** Which error reports of browsers the server accepts. */
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ seed: false })
})
afterAll(() => server.stop())
beforeEach(() => server.services.db.run(`DELETE FROM rate_limits`))

const fault = { reference: '3f9a-11bc-0d2e', message: 'x is undefined', stack: '', path: '/login', build: '1f4c2a9d' }

async function sendReport(body: string, headers: Record<string, string> = {}): Promise<number> {
  const init = { method: 'POST', body, headers: { 'Content-Type': 'application/json', ...headers } }
  return (await fetch(`${server.url}/browser-faults`, init)).status
}

it('accepts a report from its own pages', async () => {
  expect(await sendReport(JSON.stringify(fault), { Origin: server.url })).toBe(204)
})

it('refuses an invalid report, one that is too large or from another site', async () => {
  expect(await sendReport('{')).toBe(422)
  expect(await sendReport(JSON.stringify({ ...fault, reference: 'mine' }))).toBe(422)
  expect(await sendReport(JSON.stringify(fault), { 'Content-Type': 'text/plain' })).toBe(422)
  expect(await sendReport(JSON.stringify({ ...fault, more: 'x'.repeat(8 * 1024) }))).toBe(413)
  expect(await sendReport(JSON.stringify(fault), { Origin: 'https://evil.example' })).toBe(403)
  expect((await fetch(`${server.url}/browser-faults`)).status).toBe(405)
})

it('accepts only twenty reports from one address', async () => {
  const statuses: number[] = []
  for (let n = 0; n < 21; n++) statuses.push(await sendReport(JSON.stringify(fault)))
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 204), 429])
})
